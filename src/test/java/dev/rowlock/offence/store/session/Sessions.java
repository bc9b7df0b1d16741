package dev.rowlock.offence.store.session;

/** What a room before it must not see. */
public final class Sessions {}
