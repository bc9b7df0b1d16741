package dev.rowlock.store.task;

/** A job at one version of its definition. */
public record JobAtVersion(long jobId, int version) {}
