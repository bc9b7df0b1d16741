package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Reader of the definitions that loops work with. */
public final class Definitions {

    private static final String CURRENT = """
            select j.id, j.namespace, j.name, j.version, j.definition, j.created_at
              from json_table(:ids, '$[*]' columns (id bigint path '$[0]')) v
              straight_join job j on j.id = v.id
            """;

    private final Database database;

    public Definitions(Database database) {
        this.database = database;
    }

    /**
     * Definition in force.
     *
     * @param json the definition as it is stored
     * @param calendars where those that it names are found
     */
    public record DefinitionRow(
            long jobId, JobKey key, int version, String json, Instant createdAt, CalendarSource calendars) {}

    /**
     * Returns the definitions in force; deleted jobs are missing from the result.
     *
     * @param most answers no more of them when these are as many characters together
     */
    public SizedRows<DefinitionRow> current(Collection<Long> jobs, long most) {
        if (jobs.isEmpty()) {
            return new SizedRows<>(List.of(), 0, false);
        }
        return database.autoCommit(
                "reading definitions",
                handle -> SizedRows.read(
                        query(handle, CURRENT, "ids", JsonRows.of(jobs, JsonRows::row)),
                        (row, context) -> new DefinitionRow(
                                row.getLong("id"),
                                new JobKey(row.getString("namespace"), row.getString("name")),
                                row.getInt("version"),
                                row.getString("definition"),
                                SqlTime.read(row, "created_at"),
                                CalendarRows.of(context)),
                        stored -> stored.json().length(),
                        most));
    }
}
