package dev.rowlock.report.count;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.task.Origin;
import dev.rowlock.task.history.OriginSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Ends of scheduled occurrences, as history and live tasks have them together: of all attempts, parts and reruns. */
public final class OccurrenceEnds {

    private static final String ASKED = """
            json_table(:rows, '$[*]' columns (
                     n int path '$[0]', job bigint path '$[1]',
                     namespace varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[2]',
                     name varchar(128) character set utf8mb4 collate utf8mb4_bin path '$[3]',
                     fire_time varchar(23) character set ascii path '$[4]')) v""";
    private static final String ENDED = """
            select v.n, h.origin, h.attempt, h.outcome, h.started_at, h.ended_at, h.reason
              from %s
              straight_join task_history h force index (by_job)
                on h.namespace = v.namespace and h.job = v.name and h.fire_time = cast(v.fire_time as datetime(3))
               and h.job_id = v.job
             where not %s
            """.formatted(ASKED, OriginSql.isBackfill("h"));
    private static final String LIVE = """
            select v.n, t.origin, t.attempt, null as outcome, t.started_at, null as ended_at, t.hold_reason as reason
              from %1$s
              straight_join task t force index (one_attempt)
                on t.job_id = v.job and t.fire_time = cast(v.fire_time as datetime(3))
             where not %2$s
             union all
            select v.n, '', 1, null, null, null, c.hold_reason
              from %1$s
              straight_join job_next c force index (primary)
                on c.job_id = v.job and c.fire_time = cast(v.fire_time as datetime(3))
            """.formatted(ASKED, OriginSql.isBackfill("t"));

    /** Query of the rows that stand for several fire times, and for these among them. */
    private static final String WITHIN = """
            select v.n, h.origin, h.attempt, h.outcome, h.started_at, h.ended_at, h.reason
              from %s
              straight_join task_history h force index (primary)
                on h.id = (select s.task_id from task_span s force index (by_job)
                            where s.namespace = v.namespace and s.job = v.name
                              and s.fire_time < cast(v.fire_time as datetime(3))
                            order by s.fire_time desc limit 1)
             where h.job_id = v.job and h.last_fire_time >= cast(v.fire_time as datetime(3))
            """.formatted(ASKED);

    /** Occurrences that are read together. */
    private static final int TOGETHER = 1_000;

    private OccurrenceEnds() {}

    /** Fire time of a job. */
    public record FireTime(long job, JobKey key, Instant at) {}

    /**
     * State of an occurrence.
     *
     * @param known whether there is a row of it
     * @param finishedAt when it succeeded, or declined, in its last attempt; null: it has not
     * @param excused whether it was taken away, so that nobody waits for it
     * @param startedAt since when it executes; null: it does not
     * @param reason why it waits, or did not succeed; null: nobody knows
     */
    public record OccurrenceEnd(
            boolean known,
            @Nullable Instant finishedAt,
            boolean excused,
            @Nullable Instant startedAt,
            @Nullable String reason) {

        static final OccurrenceEnd UNKNOWN = new OccurrenceEnd(false, null, false, null, null);
    }

    /** @param outcome null: it has not ended */
    private record EndedAttempt(
            Origin origin,
            int attempt,
            @Nullable Outcome outcome,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String reason) {

        static EndedAttempt read(ResultSet row) throws SQLException {
            @Nullable String outcome = row.getString("outcome");
            return new EndedAttempt(
                    Origin.of(row.getString("origin")),
                    row.getInt("attempt"),
                    outcome == null ? null : Outcome.read(outcome),
                    SqlTime.readOrNull(row, "started_at"),
                    SqlTime.readOrNull(row, "ended_at"),
                    row.getString("reason"));
        }

        boolean isGood() {
            return outcome == Outcome.SUCCEEDED || (outcome == Outcome.SKIPPED && startedAt != null);
        }

        boolean isWhole() {
            return outcome == Outcome.EXPANDED;
        }
    }

    /** Returns the states of these occurrences, in their order. */
    public static List<OccurrenceEnd> of(Handle handle, List<FireTime> asked) {
        List<OccurrenceEnd> ends = new ArrayList<>();
        for (int from = 0; from < asked.size(); from += TOGETHER) {
            ends.addAll(read(handle, asked.subList(from, Math.min(asked.size(), from + TOGETHER))));
        }
        return ends;
    }

    private static List<OccurrenceEnd> read(Handle handle, List<FireTime> asked) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            numbers.add(i);
        }
        Map<Integer, List<EndedAttempt>> attempts = new HashMap<>();
        for (String sql : List.of(ENDED, LIVE)) {
            read(handle, sql, asked, numbers, attempts);
        }
        read(
                handle,
                WITHIN,
                asked,
                numbers.stream().filter(n -> !attempts.containsKey(n)).toList(),
                attempts);
        return numbers.stream()
                .map(n -> end(attempts.getOrDefault(n, List.of())))
                .toList();
    }

    private static void read(
            Handle handle,
            String sql,
            List<FireTime> asked,
            List<Integer> numbers,
            Map<Integer, List<EndedAttempt>> attempts) {
        if (numbers.isEmpty()) {
            return;
        }
        String rows = JsonRows.of(numbers, n -> {
            FireTime one = asked.get(n);
            return row(n, one.job(), one.key().namespace(), one.key().name(), SqlTime.text(one.at()));
        });
        query(handle, sql, "rows", rows)
                .map((row, context) -> attempts.computeIfAbsent(row.getInt("n"), n -> new ArrayList<>())
                        .add(EndedAttempt.read(row)))
                .list();
    }

    private static OccurrenceEnd end(List<EndedAttempt> attempts) {
        if (attempts.isEmpty()) {
            return OccurrenceEnd.UNKNOWN;
        }
        Map<Origin, EndedAttempt> last = new HashMap<>();
        attempts.forEach(one -> last.merge(one.origin(), one, (a, b) -> a.attempt() > b.attempt() ? a : b));
        @Nullable
        Instant again = latestEnd(last.values().stream()
                .filter(one -> one.origin().isRerun() && one.isGood())
                .toList());
        if (again != null) {
            return new OccurrenceEnd(true, again, false, null, null);
        }
        List<EndedAttempt> parts = last.values().stream()
                .filter(one -> !one.isWhole() && one.origin().isScheduled())
                .toList();
        List<EndedAttempt> wrong = parts.stream().filter(one -> !one.isGood()).toList();
        if (wrong.isEmpty()) {
            return new OccurrenceEnd(true, latestEnd(parts), parts.isEmpty(), null, null);
        }
        @Nullable
        Instant started = wrong.stream()
                .filter(one -> one.outcome() == null && one.startedAt() != null)
                .map(one -> Objects.requireNonNull(one.startedAt()))
                .min(Instant::compareTo)
                .orElse(null);
        EndedAttempt first = wrong.get(0);
        boolean excused = wrong.stream().allMatch(one -> isExcused(one.outcome(), one.reason()));
        return new OccurrenceEnd(true, null, excused, started, first.reason());
    }

    /**
     * Returns whether what ended so was taken away, so that nobody waits for it.
     *
     * @param outcome null: it has not ended
     */
    public static boolean isExcused(@Nullable Outcome outcome, @Nullable String reason) {
        return outcome == Outcome.CANCELLED || (outcome == Outcome.SKIPPED && Freeze.isSkip(reason));
    }

    private static @Nullable Instant latestEnd(List<EndedAttempt> attempts) {
        return attempts.stream()
                .map(one -> Objects.requireNonNull(one.endedAt()))
                .max(Instant::compareTo)
                .orElse(null);
    }
}
