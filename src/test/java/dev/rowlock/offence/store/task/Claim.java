package dev.rowlock.offence.store.task;

/** What a room before it must not see. */
public final class Claim {}
