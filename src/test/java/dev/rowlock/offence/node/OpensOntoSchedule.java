package dev.rowlock.offence.node;

/** What all share stands before who uses it. */
public final class OpensOntoSchedule {
    dev.rowlock.offence.node.scheduler.@org.jspecify.annotations.Nullable Scheduler scheduler;
}
