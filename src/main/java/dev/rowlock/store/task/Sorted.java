package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.task.Start.Result;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The claims of one transaction by what becomes of them. */
final class Sorted {

    final Map<Long, Row> rows;
    final List<Claim> starting = new ArrayList<>();
    final List<Claim> early = new ArrayList<>();
    final List<Claim> full = new ArrayList<>();
    final List<Claim> skipped = new ArrayList<>();
    /** Skipped as well, because another occurrence of the job is started in this very transaction. */
    final List<Claim> beaten = new ArrayList<>();

    final List<Claim> stale = new ArrayList<>();
    final List<Claim> misfired = new ArrayList<>();

    private Sorted(Map<Long, Row> rows) {
        this.rows = rows;
    }

    /** @param slots how many may be started */
    static Sorted of(List<Claim> claims, Map<Long, Row> rows, int slots) {
        Sorted sorted = new Sorted(rows);
        Set<Long> starting = new HashSet<>();
        for (Claim claim : claims) {
            Row row = rows.get(claim.id());
            if (row == null) {
                continue;
            }
            if (!row.due) {
                sorted.early.add(claim);
            } else if (row.version == null || row.version != claim.version() || row.held) {
                sorted.stale.add(claim);
            } else if (row.misfired) {
                sorted.misfired.add(claim);
            } else if (row.executing) {
                sorted.skipped.add(claim);
            } else if (starting.contains(claim.jobId())) {
                sorted.beaten.add(claim);
            } else if (sorted.starting.size() >= slots) {
                sorted.full.add(claim);
            } else {
                sorted.starting.add(claim);
                starting.add(claim.jobId());
            }
        }
        return sorted;
    }

    Result result(Map<Integer, Long> counters) {
        List<StartedTask> started = starting.stream()
                .map(c -> {
                    Row row = Objects.requireNonNull(rows.get(c.id()));
                    long token = Objects.requireNonNull(counters.get(c.shard())) + 1;
                    return new StartedTask(
                            c.id(),
                            c.jobId(),
                            c.version(),
                            c.shard(),
                            row.fireTime,
                            row.attempt,
                            row.cause,
                            c.launch(),
                            token);
                })
                .toList();
        List<Claim> allSkipped = new ArrayList<>(skipped);
        allSkipped.addAll(beaten);
        return new Result(started, ids(early), ids(full), ids(allSkipped));
    }

    private static Set<Long> ids(List<Claim> claims) {
        return claims.stream().map(Claim::id).collect(Collectors.toSet());
    }

    /** One row as it stands under the lock. */
    record Row(
            long id,
            LaunchId launch,
            Instant fireTime,
            int attempt,
            Cause cause,
            boolean due,
            @Nullable Integer version,
            boolean misfired,
            boolean held,
            boolean executing) {

        /** By the order of the columns and without dates: hundreds of them are read while others wait for the lock. */
        static Row read(ResultSet row) throws SQLException {
            int version = row.getInt(8);
            return new Row(
                    row.getLong(1),
                    new LaunchId(row.getString(2)),
                    Instant.ofEpochMilli(row.getLong(3)),
                    row.getInt(4),
                    Cause.valueOf(row.getString(5)),
                    row.getBoolean(6),
                    version == 0 ? null : version,
                    row.getBoolean(7),
                    row.getBoolean(9),
                    row.getBoolean(10));
        }
    }
}
