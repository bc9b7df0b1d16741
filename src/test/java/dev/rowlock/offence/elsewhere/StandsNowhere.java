package dev.rowlock.offence.elsewhere;

/** A room that the list does not have. */
final class StandsNowhere {}
