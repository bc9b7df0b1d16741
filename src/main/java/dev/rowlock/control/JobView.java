package dev.rowlock.control;

import dev.rowlock.store.JobFacts;
import dev.rowlock.store.StoredJob;

/** A job and what is going on with it. */
public record JobView(StoredJob job, JobFacts facts) {}
