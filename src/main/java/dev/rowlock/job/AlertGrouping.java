package dev.rowlock.job;

/** What alerts have in common that share a message, besides the channel. */
public enum AlertGrouping {
    RULE,
    CONDITION,
    NAMESPACE,
    JOB,
    NODE
}
