package dev.rowlock.offence.node.session;

/** What a room before it must not see. */
public final class Fence {}
