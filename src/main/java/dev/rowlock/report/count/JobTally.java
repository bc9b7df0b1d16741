package dev.rowlock.report.count;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.report.count.CountedRow.EndedRun;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code job_stats} while runs are counted into it, in any order: the result depends on the runs alone. Mutable,
 * for one thread.
 */
final class JobTally {

    /** Period of percentiles, which cover this and the previous one, counted from 1970. */
    private static final Duration PERIOD = Duration.ofDays(14);

    private static final String SUCCEEDED = Outcome.SUCCEEDED.name();
    private static final String FAILED = Outcome.FAILED.name();

    static final String READ = """
            select s.job_id, s.last_task, s.last_outcome, s.last_reason, s.last_started, s.last_ended,
                   s.last_duration_ms, s.streak, s.streak_since, s.streak_first, s.broken_at, s.broken_by,
                   s.period, s.recent, s.previous
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job_stats s on s.job_id = v.id
            """;

    static final String INSERT = """
            insert into job_stats (job_id, last_task, last_outcome, last_reason, last_started, last_ended,
                   last_duration_ms, result, streak, streak_since, streak_first, broken_at, broken_by,
                   p50_ms, p95_ms, samples, period, recent, previous)
            values\s""";

    static final String OR_CHANGE = """

            on duplicate key update last_task = values(last_task), last_outcome = values(last_outcome),
                   last_reason = values(last_reason), last_started = values(last_started),
                   last_ended = values(last_ended), last_duration_ms = values(last_duration_ms),
                   result = values(result), streak = values(streak), streak_since = values(streak_since),
                   streak_first = values(streak_first), broken_at = values(broken_at), broken_by = values(broken_by),
                   p50_ms = values(p50_ms), p95_ms = values(p95_ms), samples = values(samples),
                   period = values(period), recent = values(recent), previous = values(previous)
            """;

    static final String DECLINED = """
            insert into job_stats (job_id, declined)
            select v.id, true from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
            on duplicate key update declined = true
            """;

    private final long job;
    private @Nullable EndedRun last;
    private @Nullable String lastReason;
    private @Nullable Instant lastStarted;
    private @Nullable Long lastDuration;

    private long streak;
    private @Nullable Instant since;
    private @Nullable Long first;
    private @Nullable Instant brokenAt;
    private @Nullable Long brokenBy;
    private boolean split;

    private @Nullable Integer period;
    private Histogram recent = new Histogram();
    private Histogram previous = new Histogram();

    JobTally(long job) {
        this.job = job;
    }

    static JobTally read(ResultSet row) throws SQLException {
        JobTally tally = new JobTally(row.getLong("job_id"));
        Long task = (Long) row.getObject("last_task");
        if (task != null) {
            tally.last =
                    new EndedRun(SqlTime.read(row, "last_ended"), task, Outcome.read(row.getString("last_outcome")));
        }
        tally.lastReason = row.getString("last_reason");
        tally.lastStarted = SqlTime.readOrNull(row, "last_started");
        tally.lastDuration = (Long) row.getObject("last_duration_ms");
        tally.streak = row.getLong("streak");
        tally.since = SqlTime.readOrNull(row, "streak_since");
        tally.first = (Long) row.getObject("streak_first");
        tally.brokenAt = SqlTime.readOrNull(row, "broken_at");
        tally.brokenBy = (Long) row.getObject("broken_by");
        tally.period = (Integer) row.getObject("period");
        tally.recent = Histogram.parse(row.getString("recent"));
        tally.previous = Histogram.parse(row.getString("previous"));
        return tally;
    }

    long job() {
        return job;
    }

    /** Counts a run. */
    void add(CountedRow row) {
        countDuration(row);
        countStreak(row.run());
        if (last == null || row.run().isAfter(last.endedAt(), last.id())) {
            last = row.run();
            lastReason = row.reason();
            lastStarted = row.startedAt();
            lastDuration = row.durationMillis();
        }
    }

    private void countDuration(CountedRow row) {
        Long millis = row.durationMillis();
        if (millis == null) {
            return;
        }
        int at = (int) Math.floorDiv(row.endedAt().getEpochSecond(), PERIOD.toSeconds());
        if (period == null || at > period) {
            previous = period != null && at == period + 1 ? recent : new Histogram();
            recent = new Histogram();
            period = at;
        }
        if (at == period) {
            recent.add(millis);
        } else if (at == period - 1) {
            previous.add(millis);
        }
    }

    private void countStreak(EndedRun run) {
        if (last == null) {
            begin(run);
        } else if (run.isAfter(last.endedAt(), last.id())) {
            if (run.succeeded() == last.succeeded()) {
                streak++;
            } else {
                brokenAt = last.endedAt();
                brokenBy = last.id();
                begin(run);
            }
        } else {
            countEarlier(run, last);
        }
    }

    private void begin(EndedRun run) {
        streak = 1;
        since = run.endedAt();
        first = run.id();
    }

    /** Counts a run that was written late. */
    private void countEarlier(EndedRun run, EndedRun newest) {
        boolean within = run.isAfter(since, first);
        if (run.succeeded() == newest.succeeded()) {
            if (within) {
                streak++;
            } else if (run.isAfter(brokenAt, brokenBy)) {
                begin(run, streak + 1);
            }
        } else if (within) {
            split = true;
        } else if (run.isAfter(brokenAt, brokenBy)) {
            brokenAt = run.endedAt();
            brokenBy = run.id();
        }
    }

    private void begin(EndedRun run, long length) {
        begin(run);
        streak = length;
    }

    /** Returns whether a late run has cut the streak in two, so that it has to be counted again. */
    boolean isSplit() {
        return split;
    }

    /** @param newestFirst all runs that are counted, back to one with the other result */
    void recount(List<EndedRun> newestFirst) {
        split = false;
        brokenAt = null;
        brokenBy = null;
        long length = 0;
        for (EndedRun run : newestFirst) {
            if (length > 0 && run.succeeded() != newestFirst.get(0).succeeded()) {
                brokenAt = run.endedAt();
                brokenBy = run.id();
                return;
            }
            length++;
            begin(run, length);
        }
    }

    List<@Nullable Object> values() {
        EndedRun run = last;
        List<@Nullable Object> values = new ArrayList<>();
        values.add(job);
        values.addAll(
                run == null
                        ? row(null, null, null, null, null, null, null)
                        : row(
                                run.id(),
                                run.outcome().name(),
                                lastReason,
                                SqlTime.textOrNull(lastStarted),
                                SqlTime.text(run.endedAt()),
                                lastDuration,
                                run.succeeded() ? SUCCEEDED : FAILED));
        values.addAll(row(streak, SqlTime.textOrNull(since), first, SqlTime.textOrNull(brokenAt), brokenBy));
        Histogram both = Histogram.parse(previous.text());
        both.add(recent);
        values.addAll(row(both.percentile(50), both.percentile(95), both.count()));
        values.addAll(row(period, recent.text(), previous.text()));
        return values;
    }
}
