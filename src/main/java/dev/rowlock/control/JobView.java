package dev.rowlock.control;

import dev.rowlock.job.JobFacts;
import dev.rowlock.job.StoredJob;

/** A job and what is going on with it. */
public record JobView(StoredJob job, JobFacts facts) {}
