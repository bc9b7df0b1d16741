package dev.rowlock.store.task;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.LiveTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** All live tasks of jobs whose policy asks for them, read under their shard rows. */
final class LiveTasks {

    private static final String LIVE = """
            select t.job_id, t.id, t.job_version, t.fire_time, t.origin, t.attempt, t.cause, t.state, t.hold,
                   t.queued_at is not null as queued, t.session_id, t.launch_id, t.replaced_by is not null as replaced,
                   t.cursor_of is not null as is_cursor
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (one_attempt) on t.job_id = v.id
            """;

    private LiveTasks() {}

    /** By job; every one of them is in the answer. */
    static Map<Long, List<LiveTask>> of(Handle handle, Collection<Long> jobs) {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        Map<Long, List<LiveTask>> byJob = new HashMap<>();
        jobs.forEach(job -> byJob.put(job, new java.util.ArrayList<>()));
        handle.createQuery(LIVE)
                .bind("jobs", JsonRows.ids(jobs))
                .map((row, context) -> java.util.Objects.requireNonNull(byJob.get(row.getLong("job_id")))
                        .add(read(row)))
                .list();
        return byJob;
    }

    private static LiveTask read(ResultSet row) throws SQLException {
        @Nullable String launch = row.getString("launch_id");
        return new LiveTask(
                row.getLong("id"),
                row.getInt("job_version"),
                SqlTime.read(row, "fire_time"),
                row.getString("origin"),
                row.getInt("attempt"),
                Cause.valueOf(row.getString("cause")),
                TaskState.valueOf(row.getString("state")),
                hold(row.getString("hold")),
                row.getBoolean("queued"),
                row.getString("session_id"),
                launch == null ? null : new LaunchId(launch),
                row.getBoolean("replaced"),
                row.getBoolean("is_cursor"));
    }

    private static @Nullable Hold hold(@Nullable String kind) {
        return Arrays.stream(Hold.values())
                .filter(hold -> hold.name().equals(kind))
                .findFirst()
                .orElse(null);
    }
}
