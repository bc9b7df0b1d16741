package dev.rowlock.offence.node.scheduler;

/** What the room that all share must not see. */
public final class Scheduler {}
