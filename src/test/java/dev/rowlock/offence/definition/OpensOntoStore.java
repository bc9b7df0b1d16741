package dev.rowlock.offence.definition;

/** What a job says stands before what is stored of tasks, and knows no database. */
public final class OpensOntoStore {

    dev.rowlock.offence.task.store.@org.jspecify.annotations.Nullable Claim claim;
}
