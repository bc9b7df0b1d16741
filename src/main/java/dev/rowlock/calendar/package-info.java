/** Calendars in the database, in all their versions. */
@NullMarked
package dev.rowlock.calendar;

import org.jspecify.annotations.NullMarked;
