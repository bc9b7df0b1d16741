package dev.rowlock.calendar;

import static dev.rowlock.db.Sql.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.db.KnownRows;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Calendars in the versions that jobs go by: each is read once, when the first job that goes by it is. */
public final class CalendarRows {

    private static final String READ = """
            select definition from calendar_version
             where name = :name and version = substring_index(:mark, '-', 1) and mark = :mark
            """;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private CalendarRows() {}

    /** Returns a source for definitions that are being read. */
    public static CalendarSource of(StatementContext context) {
        return of(context.getConfig(KnownRows.class));
    }

    /** Returns a source for definitions within a transaction. */
    public static CalendarSource of(Handle handle) {
        return of(handle.getConfig(KnownRows.class));
    }

    private static CalendarSource of(KnownRows rows) {
        return (name, version) -> rows.find(
                "calendar " + name + " in version " + version,
                PinnedCalendar.class,
                handle -> definition(handle, name, version)
                        .map(definition -> new PinnedCalendar(version, definition.calendar(name))));
    }

    private static Optional<CalendarDefinition> definition(Handle handle, String name, String mark) {
        return query(handle, READ, "name", name, "mark", mark)
                .mapTo(String.class)
                .findOne()
                .map(CalendarRows::read);
    }

    static CalendarDefinition read(String json) {
        try {
            return CalendarDefinition.read((ObjectNode) MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a calendar is not stored as JSON", e);
        }
    }
}
