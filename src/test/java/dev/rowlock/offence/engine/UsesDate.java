package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class UsesDate {
    java.util.@org.jspecify.annotations.Nullable Date date;
}
