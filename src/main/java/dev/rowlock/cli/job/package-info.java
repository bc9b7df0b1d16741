/** Commands for jobs, groups of jobs, and tasks. */
@NullMarked
package dev.rowlock.cli.job;

import org.jspecify.annotations.NullMarked;
