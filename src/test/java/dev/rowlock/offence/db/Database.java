package dev.rowlock.offence.db;

/** More than a failure. */
public final class Database {}
