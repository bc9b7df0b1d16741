/**
 * Counts of jobs and of the cluster, taken from history: each row once, in order of its end. A writer of history
 * pays nothing for it; what the counting has passed already is noted by whoever writes it.
 */
@NullMarked
package dev.rowlock.report.count;

import org.jspecify.annotations.NullMarked;
