package dev.rowlock.offence.api;

/** View types belong to control. */
public final class OpensOntoStore {
    dev.rowlock.offence.task.store.@org.jspecify.annotations.Nullable Claim claim;
}
