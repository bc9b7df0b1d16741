package dev.rowlock.task.store;

/** Job at one version of its definition. */
public record JobAtVersion(long jobId, int version) {}
