/** Groups of jobs that share slots. */
@NullMarked
package dev.rowlock.job.group;

import org.jspecify.annotations.NullMarked;
