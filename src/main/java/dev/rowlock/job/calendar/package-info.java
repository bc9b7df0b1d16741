/** Calendars as people change them, and the jobs that follow. */
@NullMarked
package dev.rowlock.job.calendar;

import org.jspecify.annotations.NullMarked;
