package dev.rowlock.offence.task.store;

/** What a room before it must not see. */
public final class Claim {}
