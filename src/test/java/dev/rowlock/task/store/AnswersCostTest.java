package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.store.SessionLog;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.job.store.JobLives;
import dev.rowlock.report.ForecastQueries;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.report.event.EventQueries;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.rerun.RerunQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many rows the server reads to explain, to show how all fares, to tell what happens, and to find what may run
 * again: next to 50,000 jobs and 100,000 rows of history, of which a small part is asked for.
 */
@Tag("database")
@Tag("slow")
class AnswersCostTest {

    private static final int JOBS = 50_000;
    private static final int ROWS = 100_000;
    /** A row of history each second, by a hundred jobs in turn; the first has this many versions. */
    private static final int VERSIONS = 3_000;

    private static final JobKey JOB = new JobKey("default", "idle-7");
    private static final JobKey OFTEN_CHANGED = new JobKey("default", "idle-1");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;
    private static Instant end;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        rows.run("alter table task auto_increment = " + (ROWS + 1));
        IdleJobs.insert(rows, JOBS);
        end = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String now = "timestamp('" + end.toString().replace('T', ' ').replace("Z", "") + "')";
        rows.run("update job_version set valid_from = " + now + " - interval 10 day");
        rows.run("update job set created_at = " + now + " - interval 10 day");
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,"
                + " attempt, cause, outcome, reason, node, session_id, launch_id, due_at, prepared_at, started_at,"
                + " ended_at, last_fire_time, lateness_ms, duration_ms, group_name) select n, 1 + n % 100, 'default',"
                + " concat('idle-', 1 + n % 100), 1, at, at + interval 100 second, '', 1, 'SCHEDULE', if(n % 50 = 0,"
                + " 'FAILED', 'SUCCEEDED'), if(n % 50 = 0, 'exit code 1', null), concat('node-', n % 3),"
                + " concat('s', n % 3), concat('s', n % 3, '-', n), at, at - interval 5 second, at, at + interval 1"
                + " second, at, 2000, 1000, if(n % 7 = 0, 'g', null) from (select n, " + now + " - interval (" + ROWS
                + " - n) second as at from " + Numbers.upTo(ROWS) + ") r");
        rows.run(
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, valid_until)"
                        + " select 1, 1 + n, 'default', 'idle-1', '{\"schedule\": \"@daily\"}', false, at, at + interval 1 minute"
                        + " from (select n, " + now + " - interval (" + VERSIONS + " - n) minute as at from "
                        + Numbers.upTo(VERSIONS) + ") r");
        rows.run("insert into session_log (id, node, host, version, labels, capacity, took_work, started_at,"
                + " heartbeat_at, gone_at, reason) select concat('old-', n), concat('node-', n % 3), 'h', '1', '{}', 4,"
                + " true, at, at + interval 50 second, at + interval 1 minute, 'stopped' from (select n, " + now
                + " - interval (20000 - n) minute as at from " + Numbers.upTo(20_000) + ") r");
        rows.run("insert into job_stats (job_id, last_task, last_outcome, last_ended, result, streak, streak_since,"
                + " samples, p50_ms, p95_ms) select id, id, if(id % 5 = 0, 'FAILED', 'SUCCEEDED'), " + now
                + ", if(id % 5 = 0, 'FAILED', 'SUCCEEDED'), 1, " + now
                + " - interval id second, 9, 1000, 2000 from job");
        rows.run("insert into job_day (job_id, day, runs, durations, latenesses) select j.id, date(" + now
                + ") - interval n day, 1, '', '' from job j join " + Numbers.upTo(20) + " where j.id <= 2000");
        rows.run("insert into history_minute (minute, fires) select date_format(" + now
                + ", '%Y-%m-%d %H:%i:00') - interval n minute, 60 from " + Numbers.upTo(4_320));
        rows.run("insert into setting (name, value) values ('history-counted', concat(date_format(" + now
                + ", '%Y-%m-%d %H:%i:%s.000'), ' 0'))");
        rows.all("analyze table task_history, job_version, session_log, job_stats, job_day, history_minute, job");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static long rowsReadBy(Runnable work) {
        return ReadCounter.rowsReadBy(database, work);
    }

    /** When the row with that number had its fire time. */
    private static Instant at(long n) {
        return end.minusSeconds(ROWS - n);
    }

    @Test
    void a_task_and_an_instant_are_explained_from_few_rows() {
        Explain explain = ExplainedHistory.explain(database);
        long task = ROWS / 2 + 6; // of idle-7

        assertThat(explain.task(task).orElseThrow().verdict()).isEqualTo(Explanation.Verdict.RAN);
        assertThat(rowsReadBy(() -> explain.task(task))).isLessThan(6_000);
        assertThat(explain.at(JOB, at(task)).orElseThrow().task()).isEqualTo(task);
        assertThat(rowsReadBy(() -> explain.at(JOB, at(task)))).isLessThan(6_000);
        assertThat(rowsReadBy(() -> explain.at(JOB, at(task + 1)))).isLessThan(6_000);
        assertThat(rowsReadBy(() -> explain.at(JOB, end.plusSeconds(86_400)))).isLessThan(6_000);
    }

    @Test
    void what_is_kept_of_tasks_and_who_held_slots_is_looked_up() {
        Trails trails = new Trails(database);
        List<Long> some = LongStream.rangeClosed(1_000, 1_099).boxed().toList();

        assertThat(rowsReadBy(() -> assertThat(trails.of(some)).hasSize(100))).isLessThan(500);
        assertThat(rowsReadBy(() -> trails.heldSlots("g", at(5_000), at(5_100), 10)))
                .isLessThan(400);
        assertThat(rowsReadBy(() -> trails.heldSlots("g", at(1), at(ROWS), 10))).isLessThan(12_000);
        assertThat(rowsReadBy(() -> trails.executing("node-1", at(50_000)))).isLessThan(4_000);
    }

    @Test
    void the_versions_of_a_job_are_read_as_far_as_they_are_asked_for() {
        JobLives lives = new JobLives(database);

        assertThat(rowsReadBy(() -> assertThat(lives.lives(JOB)).hasSize(1))).isLessThan(20);
        assertThat(rowsReadBy(() -> assertThat(lives.lives(OFTEN_CHANGED)).hasSize(1)))
                .as("entries of the index on names; MySQL also counts the rows of the table that it groups them in")
                .isLessThan(3 * VERSIONS + 50);
        assertThat(rowsReadBy(() -> assertThat(lives.until(1, end, 20)).hasSize(20)))
                .isLessThan(40);
        assertThat(rowsReadBy(() -> lives.since(1, end, 20))).isLessThan(40);
        assertThat(rowsReadBy(() -> assertThat(lives.numbered(1, VERSIONS / 2)).isPresent()))
                .isLessThan(5);
    }

    @Test
    void the_sessions_of_a_stretch_of_time_are_read_up_to_a_limit() {
        SessionLog log = new SessionLog(database);

        assertThat(rowsReadBy(() -> log.between(at(ROWS - 600), end, 200))).isLessThan(500);
        assertThat(rowsReadBy(() -> log.between(at(1), end, 200))).isLessThan(500);
        assertThat(rowsReadBy(log::knownSince)).isLessThan(20);
    }

    /** A fifth of all jobs fails: the count of them is the largest part. */
    @Test
    void the_overview_reads_aggregates_and_what_is_live() {
        OverviewQueries queries = new OverviewQueries(database);

        assertThat(queries.read().failing().count()).isEqualTo(10_000);
        assertThat(rowsReadBy(queries::read)).isLessThan(35_000);
    }

    @Test
    void how_a_job_fares_is_read_from_its_own_rows() {
        StatsQueries queries = new StatsQueries(database);

        assertThat(queries.of(7, 30).days()).hasSize(20);
        assertThat(rowsReadBy(() -> queries.of(7, 30))).isLessThan(120);
    }

    @Test
    void what_happened_is_read_from_the_last_seconds() {
        EventQueries queries = new EventQueries(database);

        assertThat(rowsReadBy(() -> queries.look(end.minusSeconds(15), Duration.ofSeconds(15), 2_000)))
                .isLessThan(500);
    }

    /** Every version of every job came after the event that somebody says they have seen. */
    @Test
    void what_happened_since_long_ago_is_read_up_to_a_limit() {
        EventQueries queries = new EventQueries(database);

        assertThat(queries.look(Instant.EPOCH, Duration.ofSeconds(15), 500).cut())
                .isTrue();
        assertThat(rowsReadBy(() -> queries.look(Instant.EPOCH, Duration.ofSeconds(15), 500)))
                .isLessThan(5_000);
    }

    /** A row of each job with its durations and its runs; what executes is found by its state. */
    @Test
    void a_forecast_reads_each_job_once_and_whether_jobs_changed_is_looked_up() {
        ForecastQueries queries = new ForecastQueries(database);
        List<Long> read = new ArrayList<>();

        assertThat(rowsReadBy(() -> queries.jobs(null, false, job -> read.add(job.id()))))
                .isBetween((long) JOBS, 4L * JOBS);
        assertThat(read).hasSize(2 * JOBS);
        assertThat(rowsReadBy(queries::marker)).isLessThan(50);
        assertThat(rowsReadBy(() -> queries.executing(null, null, (p50, p95) -> {})))
                .isLessThan(50);
        assertThat(rowsReadBy(() -> queries.executing("default", "node-1", (p50, p95) -> {})))
                .isLessThan(50);
    }

    @Test
    void what_may_run_again_is_read_page_by_page() {
        RerunQueries queries = new RerunQueries(database);
        RerunRequest all = asked(null);
        RerunRequest ofJob = asked("default/idle-50");

        assertThat(queries.page(all, Set.of(), end, null, 100)).hasSize(100);
        assertThat(rowsReadBy(() -> queries.page(all, Set.of(), end, null, 100)))
                .isLessThan(2_500);
        assertThat(rowsReadBy(() -> queries.page(ofJob, Set.of(), end, null, 100)))
                .isLessThan(4_000);
    }

    private static RerunRequest asked(@Nullable String job) {
        return new RerunRequest(
                at(1), end, null, job, null, Set.of(Outcome.FAILED, Outcome.LOST, Outcome.MISSED), 100, false);
    }
}
