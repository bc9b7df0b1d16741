package dev.rowlock.offence.api;

/** View types belong to control. */
public final class OpensOntoStore {
    dev.rowlock.offence.store.task.@org.jspecify.annotations.Nullable Claim claim;
}
