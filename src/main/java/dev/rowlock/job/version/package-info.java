/** Versions of a job: what it said when, and going back to it. */
@NullMarked
package dev.rowlock.job.version;

import org.jspecify.annotations.NullMarked;
