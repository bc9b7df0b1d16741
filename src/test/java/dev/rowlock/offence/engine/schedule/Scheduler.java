package dev.rowlock.offence.engine.schedule;

/** What the room that all share must not see. */
public final class Scheduler {}
