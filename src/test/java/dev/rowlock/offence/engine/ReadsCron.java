package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class ReadsCron {
    com.cronutils.model.@org.jspecify.annotations.Nullable Cron cron;
}
