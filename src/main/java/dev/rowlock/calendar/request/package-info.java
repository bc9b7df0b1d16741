/** Calendars as people change them, and the jobs that follow. */
@NullMarked
package dev.rowlock.calendar.request;

import org.jspecify.annotations.NullMarked;
