package dev.rowlock.control;

import dev.rowlock.job.StoredJob;
import dev.rowlock.task.JobFacts;

/** Job and its current state. */
public record JobView(StoredJob job, JobFacts facts) {}
