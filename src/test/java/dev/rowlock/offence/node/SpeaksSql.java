package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class SpeaksSql {
    java.sql.@org.jspecify.annotations.Nullable Connection connection;
}
