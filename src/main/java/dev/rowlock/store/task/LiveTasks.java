package dev.rowlock.store.task;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.LiveTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** All live tasks of jobs whose policy asks for them, read under their shard rows. */
final class LiveTasks {

    /** {@link #read} goes by the order of the columns. */
    private static final String LIVE = """
            select t.job_id, t.id, t.job_version, timestampdiff(microsecond, '1970-01-01', t.fire_time) div 1000,
                   t.origin, t.attempt, t.cause, t.state, t.hold, t.queued_at is not null, t.session_id, t.launch_id,
                   t.replaced_by is not null, t.cursor_of is not null
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (one_attempt) on t.job_id = v.id
            """;

    /** By name; what only a newer version knows is not in it. */
    private static final Map<String, Hold> HOLDS =
            Arrays.stream(Hold.values()).collect(Collectors.toMap(Hold::name, Function.identity()));

    private LiveTasks() {}

    /** By job; every one of them is in the answer. */
    static Map<Long, List<LiveTask>> of(Handle handle, Collection<Long> jobs) {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        Map<Long, List<LiveTask>> byJob = new HashMap<>();
        jobs.forEach(job -> byJob.put(job, new ArrayList<>()));
        handle.createQuery(LIVE)
                .bind("jobs", JsonRows.ids(jobs))
                .map((row, context) ->
                        Objects.requireNonNull(byJob.get(row.getLong(1))).add(read(row)))
                .list();
        return byJob;
    }

    /** Without dates and names of columns: hundreds of them are read while others wait for the lock. */
    private static LiveTask read(ResultSet row) throws SQLException {
        @Nullable String hold = row.getString(9);
        @Nullable String launch = row.getString(12);
        return new LiveTask(
                row.getLong(2),
                row.getInt(3),
                Instant.ofEpochMilli(row.getLong(4)),
                row.getString(5),
                row.getInt(6),
                Cause.valueOf(row.getString(7)),
                TaskState.valueOf(row.getString(8)),
                hold == null ? null : HOLDS.get(hold),
                row.getBoolean(10),
                row.getString(11),
                launch == null ? null : new LaunchId(launch),
                row.getBoolean(13),
                row.getBoolean(14));
    }
}
