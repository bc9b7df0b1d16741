package dev.rowlock.definition.calendar;

import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import java.util.Optional;

/** Source of calendars in one of their versions, which never change. */
@FunctionalInterface
public interface CalendarSource {

    /** Source that knows none: what names a calendar is not understood by it. */
    CalendarSource NONE = (name, version) -> Optional.empty();

    Optional<PinnedCalendar> find(String name, String version);
}
