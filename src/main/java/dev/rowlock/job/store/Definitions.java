package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.statement.StatementContext;

/** Reader of the definitions that loops work with. */
public final class Definitions {

    private static final String CURRENT = """
            select j.id, j.namespace, j.name, j.version, j.definition, j.created_at
              from json_table(:ids, '$[*]' columns (id bigint path '$[0]')) v
              straight_join job j on j.id = v.id
            """;

    /** Query of the versions that were in force at some times, including one that was replaced at that very moment. */
    private static final String THEN = """
            select o.job_id as id, o.namespace, o.name, o.version, o.definition, j.created_at, w.at
              from json_table(:wanted, '$[*]' columns (
                     job_id bigint path '$[0]', at varchar(32) path '$[1]')) w
              straight_join job j on j.id = w.job_id
              straight_join job_version o force index (primary) on o.job_id = w.job_id
             where o.valid_from < cast(w.at as datetime(3))
               and (o.valid_until is null or o.valid_until >= cast(w.at as datetime(3)))
             order by o.version desc
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
                        Definitions::read,
                        stored -> stored.json().length(),
                        most));
    }

    /**
     * Job at a time.
     *
     * @param at to the millisecond
     */
    public record JobAtTime(long jobId, Instant at) {}

    /** Returns the definitions that were in force at times; those whose versions are not kept are missing. */
    public Map<JobAtTime, DefinitionRow> then(Collection<JobAtTime> wanted) {
        Map<String, Instant> times = new HashMap<>();
        wanted.forEach(each -> times.put(SqlTime.text(each.at()), each.at()));
        String rows = JsonRows.of(wanted, each -> JsonRows.row(each.jobId(), SqlTime.text(each.at())));
        Map<JobAtTime, DefinitionRow> found = new HashMap<>();
        database.autoCommit(
                "reading definitions of the past",
                handle -> query(handle, THEN, "wanted", rows)
                        .map((row, context) -> found.putIfAbsent(
                                new JobAtTime(
                                        row.getLong("id"), Objects.requireNonNull(times.get(row.getString("at")))),
                                read(row, context)))
                        .list());
        return found;
    }

    private static DefinitionRow read(ResultSet row, StatementContext context) throws SQLException {
        return new DefinitionRow(
                row.getLong("id"),
                new JobKey(row.getString("namespace"), row.getString("name")),
                row.getInt("version"),
                row.getString("definition"),
                SqlTime.read(row, "created_at"),
                CalendarRows.of(context));
    }
}
