package dev.rowlock.offence.store.history;

/** History stands before tasks. */
public final class OpensOntoTask {
    dev.rowlock.offence.store.task.@org.jspecify.annotations.Nullable Claim claim;
}
