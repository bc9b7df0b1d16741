/** Backfills of jobs as people request, read and cancel them, and the step that lets their fire times start. */
@NullMarked
package dev.rowlock.job.backfill;

import org.jspecify.annotations.NullMarked;
