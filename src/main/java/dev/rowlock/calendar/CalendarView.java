package dev.rowlock.calendar;

import dev.rowlock.definition.calendar.CalendarDefinition;
import java.time.Instant;

/**
 * Calendar with what is known of it.
 *
 * @param jobs how many jobs name it
 */
public record CalendarView(
        String name, CalendarDefinition definition, int version, long jobs, Instant createdAt, Instant updatedAt) {}
