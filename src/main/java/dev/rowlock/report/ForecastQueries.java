package dev.rowlock.report;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.freeze.Freezes;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.store.OwnerSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Queries for forecasts: all jobs, read in pages, and executing tasks. */
public final class ForecastQueries {

    /** Jobs read by one statement, for which the server keeps a state of the database. */
    private static final int PAGE = 20_000;
    /**
     * Fetch size at which the driver returns each row as it comes, so that one is in memory and the server goes on
     * meanwhile.
     */
    private static final int ROW_BY_ROW = Integer.MIN_VALUE;

    /**
     * Fields that few jobs have; of all others, four values say when they run, a quarter of what their definition
     * takes. They are read as JSON: to unquote them takes the server half as much work again.
     */
    private static final String RARE = """
            json_contains_path(j.definition, 'one', '$.startAt', '$.endAt', '$.maxRuns', '$.jitter', '$.nodes',
              '$.broadcast', '$.calendar')""";

    private static final String JOBS = """
            select j.id, j.created_at, j.paused, j.paused_until, s.p50_ms, s.p95_ms, r.runs,
                   json_extract(j.definition, '$.schedule'), json_extract(j.definition, '$.zone'),
                   json_extract(j.definition, '$.daylightSaving'), json_extract(j.definition, '$.overlap'),
                   j.namespace, j.name,
                   if(%s, json_object('schedule', json_extract(j.definition, '$.schedule'),
                        'zone', json_extract(j.definition, '$.zone'),
                        'daylightSaving', json_extract(j.definition, '$.daylightSaving'),
                        'overlap', json_extract(j.definition, '$.overlap'),
                        'calendar', json_extract(j.definition, '$.calendar'),
                        'calendarVersions', json_extract(j.definition, '$.calendarVersions'),
                        'onClosed', json_extract(j.definition, '$.onClosed'),
                        'startAt', json_extract(j.definition, '$.startAt'),
                        'endAt', json_extract(j.definition, '$.endAt'),
                        'maxRuns', json_extract(j.definition, '$.maxRuns'),
                        'jitter', json_extract(j.definition, '$.jitter'),
                        'nodes', json_extract(j.definition, '$.nodes'),
                        'broadcast', json_extract(j.definition, '$.broadcast')), null), %%s as labels
              from job j
              left join job_stats s on s.job_id = j.id
              left join job_run r on r.job_id = j.id
             where j.id > :after %%s
             order by j.id limit :page
            """.formatted(RARE);

    private static final String OF_NAMESPACE = "and j.namespace = :namespace";

    /** Query that changes with every change of a job; each part is one look into an index. */
    private static final String MARKER = """
            select (select max(id) from job) as newest, m.at,
                   (select rules from cluster_lock where name = 'task-00') as rules,
                   (select count(*) from job_version v
                     where v.valid_until >= m.at - interval 10 second and v.valid_until <= m.at) as changes
              from (select max(valid_until) as at from job_version) m
            """;

    private static final String EXECUTING = """
            select s.p50_ms, s.p95_ms, timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as ran_ms
              from task t
              join job j on j.id = t.job_id
              left join session o on o.id = t.session_id
              join job_stats s on s.job_id = t.job_id
             where t.idle = 0 and t.state = 'EXECUTING' and s.p50_ms is not null
               and (:namespace is null or j.namespace = :namespace) and (:node is null or o.node = :node)
            """;
    private static final String NAMES = "select id, namespace, name from job where id in (<ids>)";

    private final Database database;

    public ForecastQueries(Database database) {
        this.database = database;
    }

    /**
     * Job with a schedule, as it is now.
     *
     * @param key null: it has no jitter, nor anything else that few jobs have
     * @param labels empty unless they were asked for
     * @param planned empty: it is not understood
     * @param resumesAt when its pause is over; null: it is not paused
     * @param runs of {@code maxRuns} so far
     */
    public record ForecastRow(
            long id,
            @Nullable JobKey key,
            JobKey name,
            Map<String, String> labels,
            Instant createdAt,
            Optional<PlannedJob> planned,
            @Nullable Instant resumesAt,
            long runs,
            @Nullable Duration p50,
            @Nullable Duration p95) {}

    /**
     * Marker that changes with every change of any job.
     *
     * @param now the database's time
     */
    public record Marker(Instant now, String text) {}

    public Marker marker() {
        return database.autoCommit(
                "looking whether jobs have changed",
                handle -> new Marker(
                        SqlTime.now(handle),
                        query(handle, MARKER)
                                .map((row, context) -> row.getString("newest") + " " + row.getString("at") + " "
                                        + row.getLong("changes") + " " + row.getLong("rules"))
                                .one()));
    }

    /** Returns the freezes that are not over. */
    public Freezes freezes() {
        return database.autoCommit("reading the freezes", FreezeStore::read);
    }

    public List<CandidateNode> nodes() {
        return database.autoCommit("reading the nodes", OwnerSession::nodes);
    }

    /**
     * Reads all jobs but those that are paused without an end.
     *
     * @param namespace null: all
     * @param labels whether they are read
     */
    public void jobs(@Nullable String namespace, boolean labels, Consumer<ForecastRow> reader) {
        String sql = JOBS.formatted(
                labels ? "json_extract(j.definition, '$.labels')" : "null", namespace == null ? "" : OF_NAMESPACE);
        long after = 0;
        int read;
        do {
            long from = after;
            PageEnd page = database.autoCommit("reading the jobs for a forecast", handle -> {
                Query query = query(handle, sql, "after", from, "page", PAGE);
                if (namespace != null) {
                    query.bind("namespace", namespace);
                }
                return read(query.setFetchSize(ROW_BY_ROW), reader, CalendarRows.of(handle));
            });
            after = page.last();
            read = page.rows();
        } while (read == PAGE);
    }

    private record PageEnd(int rows, long last) {}

    private static PageEnd read(Query query, Consumer<ForecastRow> reader, CalendarSource calendars) {
        return query.scanResultSet((rows, context) -> {
            try (context) {
                ResultSet row = rows.get();
                int count = 0;
                long last = 0;
                while (row.next()) {
                    count++;
                    last = row.getLong(1);
                    boolean paused = row.getBoolean(3);
                    Instant resumes = paused ? SqlTime.readOrNull(row, "paused_until") : null;
                    if (!paused || resumes != null) {
                        reader.accept(row(row, resumes, calendars));
                    }
                }
                return new PageEnd(count, last);
            }
        });
    }

    private static ForecastRow row(ResultSet row, @Nullable Instant resumes, CalendarSource calendars)
            throws SQLException {
        String rare = row.getString(14);
        JobKey name = new JobKey(row.getString(12), row.getString(13));
        return new ForecastRow(
                row.getLong(1),
                rare == null ? null : name,
                name,
                JsonRows.someTexts(row, "labels"),
                SqlTime.read(row, "created_at"),
                PlannedJob.read(rare == null ? usual(row) : rare, calendars),
                resumes,
                row.getLong(7),
                millis(row, 5),
                millis(row, 6));
    }

    private static String usual(ResultSet row) throws SQLException {
        return "{\"schedule\":" + row.getString(8) + ",\"zone\":" + row.getString(9) + ",\"daylightSaving\":"
                + row.getString(10) + ",\"overlap\":" + row.getString(11) + "}";
    }

    private static @Nullable Duration millis(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Duration.ofMillis(millis);
    }

    /**
     * Reads how long executing tasks are likely to go on, as far as their jobs' durations are known: by the median, and
     * by the p95.
     *
     * @param namespace null: all
     * @param node null: all
     */
    public void executing(@Nullable String namespace, @Nullable String node, BiConsumer<Duration, Duration> reader) {
        database.autoCommit("reading what executes", handle -> {
            query(handle, EXECUTING, "namespace", namespace, "node", node)
                    .map((row, context) -> List.of(
                            row.getLong("p50_ms") - row.getLong("ran_ms"),
                            row.getLong("p95_ms") - row.getLong("ran_ms")))
                    .forEach(left -> reader.accept(atLeastNothing(left.get(0)), atLeastNothing(left.get(1))));
            return null;
        });
    }

    private static Duration atLeastNothing(long millis) {
        return Duration.ofMillis(Math.max(0, millis));
    }

    /** Returns the names of these jobs, except those deleted meanwhile. */
    public Map<Long, JobKey> names(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return database.autoCommit("reading the names of jobs", handle -> names(handle, ids));
    }

    private static Map<Long, JobKey> names(Handle handle, Collection<Long> ids) {
        Map<Long, JobKey> names = new HashMap<>();
        handle.createQuery(NAMES)
                .bindList("ids", List.copyOf(ids))
                .map((row, context) ->
                        names.put(row.getLong("id"), new JobKey(row.getString("namespace"), row.getString("name"))))
                .list();
        return names;
    }
}
