package dev.rowlock.store;

/** A job at one version of its definition. */
public record JobAtVersion(long jobId, int version) {}
