package dev.rowlock.control;

import dev.rowlock.job.StoredJob;
import dev.rowlock.task.JobFacts;

/** A job and what is going on with it. */
public record JobView(StoredJob job, JobFacts facts) {}
