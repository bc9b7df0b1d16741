package dev.rowlock.offence.engine.session;

/** What a room before it must not see. */
public final class Fence {}
