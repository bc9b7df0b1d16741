package dev.rowlock.offence.api;

/** Requests may learn how the database fails, not speak to it. */
public final class UsesDatabase {
    dev.rowlock.offence.db.@org.jspecify.annotations.Nullable Database database;
}
