package dev.rowlock.offence.store;

/** Allowed, but for the way back: one half of a cycle. */
public final class OpensOntoJob {
    dev.rowlock.offence.job.@org.jspecify.annotations.Nullable OpensOntoStore job;
}
