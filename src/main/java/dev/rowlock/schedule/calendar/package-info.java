/** Calendars: which days are open. Knows dates and weekdays; knows no schedule, no clock of its own. */
@NullMarked
package dev.rowlock.schedule.calendar;

import org.jspecify.annotations.NullMarked;
