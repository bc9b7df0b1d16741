package dev.rowlock.offence.cluster.store;

/** Here it is no offence. */
public final class SpeaksSql {
    java.sql.@org.jspecify.annotations.Nullable Connection connection;
}
