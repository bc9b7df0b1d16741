package dev.rowlock.offence.task.history;

/** History stands before tasks. */
public final class OpensOntoTask {
    dev.rowlock.offence.task.store.@org.jspecify.annotations.Nullable Claim claim;
}
