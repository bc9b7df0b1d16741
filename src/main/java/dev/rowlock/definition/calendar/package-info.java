/** Calendars as people write them, and as jobs name them. */
@NullMarked
package dev.rowlock.definition.calendar;

import org.jspecify.annotations.NullMarked;
