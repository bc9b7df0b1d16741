package dev.rowlock.offence.report;

/** Flyway belongs to db. */
public final class Migrates {
    org.flywaydb.core.@org.jspecify.annotations.Nullable Flyway flyway;
}
