package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class ReadsCron {
    com.cronutils.model.@org.jspecify.annotations.Nullable Cron cron;
}
