package dev.rowlock.store.task;

/** Job at one version of its definition. */
public record JobAtVersion(long jobId, int version) {}
