package dev.rowlock.job;

import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.JobFacts;

/** Job and its current state. */
public record JobView(StoredJob job, JobFacts facts) {}
