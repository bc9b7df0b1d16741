package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class UsesDate {
    java.util.@org.jspecify.annotations.Nullable Date date;
}
