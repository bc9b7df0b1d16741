/** Calendars in the database, in all their versions. */
@NullMarked
package dev.rowlock.calendar.store;

import org.jspecify.annotations.NullMarked;
