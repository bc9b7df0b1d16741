/** Import of calendars of holidays: files of iCalendar (RFC 5545). Changes nothing, and asks nobody. */
@NullMarked
package dev.rowlock.cli.ical;

import org.jspecify.annotations.NullMarked;
