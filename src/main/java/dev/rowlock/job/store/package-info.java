/** Definitions of jobs, their versions, and the changes that people make, in the database. */
@NullMarked
package dev.rowlock.job.store;

import org.jspecify.annotations.NullMarked;
