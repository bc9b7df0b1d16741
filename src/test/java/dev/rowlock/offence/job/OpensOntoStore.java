package dev.rowlock.offence.job;

/** An offence, kept to see the rules fail. */
public final class OpensOntoStore {
    dev.rowlock.offence.store.@org.jspecify.annotations.Nullable OpensOntoJob store;
}
