package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.store.SessionEnd;
import dev.rowlock.cluster.store.SessionEnd.HeldPosition;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.Outcome;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.Asides;
import dev.rowlock.task.transition.DuePosition;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.FireFacts;
import dev.rowlock.task.transition.Release;
import dev.rowlock.task.transition.ScanFilter;
import dev.rowlock.task.transition.Scans;
import dev.rowlock.task.transition.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many rows the server reads for what loops and pages ask all the time, with 100,000 jobs of which none is due. */
@Tag("database")
@Tag("slow")
class QueryCostTest {

    private static final int JOBS = 100_000;
    private static final String HELD = "select concat(hold, ' ', count(*), ' ', min(hold_reason)) from v_upcoming"
            + " where state = 'IDLE' and due_at is null group by hold";

    private static final List<Integer> THIRD = IntStream.range(0, 22).boxed().toList();

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        IdleJobs.insert(new Rows(SERVER), JOBS);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void the_scan_for_due_tasks_reads_nothing_that_is_not_due() {
        Acquire acquire = new Acquire(database);

        assertThat(rowsReadBy(() -> acquire.scan(Scans.from(Instant.EPOCH, THIRD, 500), null)))
                .isLessThan(10);
    }

    @Test
    void the_scan_reads_only_what_is_due_and_the_job_of_each() {
        Acquire acquire = new Acquire(database);
        new Rows(SERVER).run("update live_task set due_at = utc_timestamp(3) where id <= 300");

        List<Task> found =
                acquire.scan(Scans.from(Instant.EPOCH, THIRD, 500), null).candidates();
        long read = rowsReadBy(() -> acquire.scan(Scans.from(Instant.EPOCH, THIRD, 500), null));
        new Rows(SERVER).run("update live_task set due_at = fire_time where id <= 300");

        assertThat(found).hasSizeGreaterThan(250);
        assertThat(read).isLessThan(4L * found.size());
    }

    @Test
    void a_task_that_is_none_is_not_looked_for_among_all_that_waits_in_backfills() {
        Rows rows = new Rows(SERVER);
        rows.run("insert into backfill (job_id, namespace, job, from_at, until_at, only_which, run_order, parallel,"
                + " priority, fire_times, created_at) values (1, 'default', 'j', '2020-01-01', '2021-01-01', 'ALL',"
                + " 'OLDEST_FIRST', 1, 0, 10000, utc_timestamp(3))");
        rows.run("insert into backfill_time (backfill_id, fire_time, task_id) select (select max(id) from backfill),"
                + " '2020-01-01' + interval n hour, 900000000 + n from " + Numbers.upTo(10_000));
        TaskQueries tasks = new TaskQueries(database);

        assertThat(rowsReadBy(() -> tasks.findTurn(900_010_001))).isLessThan(10);
        assertThat(rowsReadBy(() -> tasks.findTurn(900_000_001))).isLessThan(20);
        rows.run("delete from backfill_time");
        rows.run("delete from backfill");
    }

    @Test
    void the_scan_for_overdue_tasks_reads_prepared_ones_only() {
        Start start = Scans.start(database);

        assertThat(rowsReadBy(() -> Scans.overdue(start, "me", Instant.EPOCH, 500, () -> {
                    throw new IllegalStateException("nothing is overdue");
                })))
                .isLessThan(10);
    }

    /**
     * Rows of this session stand for those that were fired and cannot be purged yet: either is walked over, and none is
     * an answer.
     */
    @Test
    void no_scan_walks_over_what_was_prepared_before_its_floor() {
        Rows rows = new Rows(SERVER);
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, session_id)"
                + " select job_id, job_version, stripe, fire_time - interval 1 day, attempt, cause,"
                + " utc_timestamp(3) - interval 10 minute, 'PREPARED', 'me' from live_task where id <= 3000");
        Instant floor = Instant.now().minusSeconds(90);
        Start start = Scans.start(database);
        Acquire acquire = new Acquire(database);
        ScanBounds scan = Scans.from(floor, THIRD, 500);

        long byTakeover = rowsReadBy(() -> Scans.overdue(start, "me", floor, 500, () -> {
            throw new IllegalStateException("nothing is overdue");
        }));
        long byScan = rowsReadBy(() -> acquire.scan(scan, "me"));
        rows.run("delete from live_task where state = 'PREPARED'");

        assertThat(byTakeover).isLessThan(10);
        assertThat(byScan).isLessThan(20);
    }

    @Test
    void a_scan_that_goes_on_behind_a_row_reads_neither_that_nor_what_is_before() {
        Acquire acquire = new Acquire(database);
        Rows rows = new Rows(SERVER);
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 1 second where id <= 3000");
        DuePosition from = DuePosition.at(Instant.now().minusSeconds(90));
        Set<Long> found = new HashSet<>();
        int scans = 0;
        for (DuePosition next = from; next != null; scans++) {
            ScanBounds scan = new ScanBounds(
                    from.dueAt(),
                    next,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    List.of(),
                    500,
                    ScanFilter.NOTHING);
            AcquirableTasks part = acquire.scan(scan, null);
            part.candidates().forEach(c -> assertThat(found.add(c.id())).isTrue());
            assertThat(rowsReadBy(() -> acquire.scan(scan, null))).isLessThan(3_500);
            next = part.end();
        }
        rows.run("update live_task set due_at = fire_time where id <= 3000");

        assertThat(found).hasSize(3_000);
        assertThat(scans).isEqualTo(7);
    }

    @Test
    void jobs_that_are_left_out_cost_the_scan_nothing() {
        Acquire acquire = new Acquire(database);
        List<Long> tasks = LongStream.range(0, 5000).boxed().toList();
        List<JobAtVersion> versions =
                tasks.stream().map(id -> new JobAtVersion(id, 1)).toList();
        ScanFilter leftOut = new ScanFilter(versions, tasks, tasks, Placement.NOTHING);

        assertThat(rowsReadBy(() -> acquire.scan(
                        new ScanBounds(
                                Instant.EPOCH,
                                DuePosition.at(Instant.EPOCH),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(30),
                                THIRD,
                                500,
                                leftOut),
                        null)))
                .isLessThan(10);
        assertThat(leftOut.idle("j.version").length()).isLessThan(10_000);
    }

    @Test
    void what_is_set_aside_is_found_without_reading_what_is_not() {
        Asides asides = new Asides(database, new Finish(database, "a", 3, Duration.ofSeconds(1)));
        Rows rows = new Rows(SERVER);
        rows.run("update live_task set due_at = null, hold = 'ERROR', hold_reason = 'x' where id between 100 and 400");
        rows.run(
                "insert into task_aside (task_id, job_id, times, since, look_at)"
                        + " select id, job_id, 1, utc_timestamp(3), utc_timestamp(3) from live_task where id between 100 and 400");
        rows.run(
                "update live_task set due_at = null, hold = 'PAUSE', hold_reason = 'the job is paused' where id > 400");
        database.autoCommit(
                "analyzing",
                handle -> handle.createQuery("analyze table task, task_aside, job_next")
                        .mapToMap()
                        .list());

        long found = rowsReadBy(() -> assertThat(asides.next(200)).hasSize(200));
        List<Asides.Aside> next = asides.next(10);
        long takenUp = rowsReadBy(() -> asides.takeUp(next));
        long forgotten = rowsReadBy(() -> asides.forget(next));
        rows.run("delete from task_aside");
        rows.run("update live_task set due_at = fire_time, hold = null, hold_reason = null where id >= 100");

        assertThat(found).isLessThan(2000); // some rows for each, of the four tables that it is in
        assertThat(takenUp).isLessThan(300);
        assertThat(forgotten).isLessThan(100);
    }

    /** As the README asks. */
    @Test
    void what_is_held_is_counted_without_reading_what_is_not() {
        Rows rows = new Rows(SERVER);
        rows.run("update live_task set due_at = null, hold = 'ERROR', hold_reason = 'x' where id <= 100");
        rows.run(
                "update live_task set due_at = null, hold = 'PAUSE', hold_reason = 'the job is paused' where id between 101 and 400");
        database.autoCommit(
                "analyzing",
                handle -> handle.createQuery("analyze table task, job_next")
                        .mapToMap()
                        .list());

        Set<String> held = new HashSet<>();
        long read = rowsReadBy(() -> held.addAll(database.autoCommit(
                "counting",
                handle -> handle.createQuery(HELD).mapTo(String.class).list())));
        rows.run("update live_task set due_at = fire_time, hold = null, hold_reason = null where id <= 400");

        assertThat(held).containsExactlyInAnyOrder("ERROR 100 x", "PAUSE 300 the job is paused");
        assertThat(read).isLessThan(3000);
    }

    @Test
    void what_a_task_waits_for_is_read_by_its_id_and_of_a_job() {
        for (String of : List.of("id = 77", "job = 'idle-77' and namespace = 'default'")) {
            Runnable look = () -> assertThat((List<?>) database.autoCommit(
                            "looking",
                            handle -> handle.createQuery("select reason, state from v_upcoming where " + of)
                                    .mapToMap()
                                    .list()))
                    .hasSize(1);
            assertThat(rowsReadBy(look)).as(of).isLessThan(30);
        }
    }

    @Test
    void what_a_session_holds_is_found_without_reading_what_it_does_not() {
        Release release = new Release(database);

        assertThat(rowsReadBy(() -> release.held("me"))).isLessThan(10);
    }

    @Test
    void tasks_without_a_session_are_looked_for_among_the_held_ones_only() {
        Sessions sessions = new Sessions(database, new Finish(database, "a", 3, Duration.ofSeconds(1)));

        assertThat(rowsReadBy(sessions::orphaned)).isLessThan(10);
    }

    @Test
    void what_a_dead_session_had_prepared_is_read_batch_by_batch() {
        Rows rows = new Rows(SERVER);
        prepared(rows, "'dead'", "task_id <= 5000");
        long job = Long.parseLong(String.valueOf(rows.one(
                "select job_id from live_task where session_id = 'dead' order by job_id limit 1 offset 2500")));
        HeldPosition middle = new HeldPosition(job, 0);

        long first = rowsReadBy(
                () -> database.autoCommit("looking", handle -> SessionEnd.held(handle, "dead", HeldPosition.FIRST)));
        long later =
                rowsReadBy(() -> database.autoCommit("looking", handle -> SessionEnd.held(handle, "dead", middle)));
        rows.run("delete from task where session_id = 'dead'");

        assertThat(first).isLessThan(2L * SessionEnd.BATCH + 10);
        assertThat(later).isLessThan(2L * SessionEnd.BATCH + 10);
    }

    @Test
    void a_page_of_jobs_costs_its_own_rows() {
        JobQueries queries = new JobQueries(database);
        JobFilter all = new JobFilter(null, null, null, List.of(), null, 50);

        assertThat(rowsReadBy(() -> queries.page(all))).isLessThan(1500);
    }

    @Test
    void a_page_of_tasks_costs_its_own_rows() {
        TaskQueries queries = new TaskQueries(database);
        TaskFilter all = new TaskFilter(null, null, null, null, null, null, null, null, 50);

        assertThat(rowsReadBy(() -> queries.page(all))).isLessThan(1500);
    }

    /**
     * That index is full of entries that are deleted and not purged yet when many tasks start and end, and they count
     * for nothing.
     */
    @Test
    void whether_a_job_is_executing_is_not_looked_up_by_the_state() {
        Rows rows = new Rows(SERVER);
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                + " select job_id, job_version, stripe, fire_time - interval 1 day, attempt, cause, due_at, 'PREPARED'"
                + " from live_task where id <= 6000");
        database.autoCommit(
                "analyzing",
                handle -> handle.createQuery("analyze table task, job_next")
                        .mapToMap()
                        .list());
        String plan = database.autoCommit(
                "explaining",
                handle -> handle.createQuery("explain format=json " + FireFacts.FACTS)
                        .bind(
                                "ids",
                                JsonRows.ids(IntStream.range(1, 500)
                                        .mapToObj(Long::valueOf)
                                        .toList()))
                        .bind(
                                "jobs",
                                JsonRows.ids(IntStream.range(1, 500)
                                        .mapToObj(Long::valueOf)
                                        .toList()))
                        .bind("overdue", 0)
                        .bind("latest", "9999-12-31")
                        .mapTo(String.class)
                        .one());
        rows.run("delete from live_task where state = 'PREPARED'");

        assertThat(plan).contains("one_attempt").doesNotContain("\"due\"");
    }

    @Test
    void a_job_with_many_live_tasks_is_asked_about_once_and_not_for_each_of_them() {
        Rows rows = new Rows(SERVER);
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, launch_id)"
                + " select 1, 1, 1, '2026-01-01' + interval id second, 1, 'MANUAL', due_at, 'PREPARED', concat('s-', id)"
                + " from live_task where id <= 3000");
        List<Long> claimed = database.autoCommit(
                "reading",
                handle -> handle.createQuery("select id from task where state = 'PREPARED' limit 500")
                        .mapTo(Long.class)
                        .list());
        long read = rowsReadBy(() -> database.autoCommit(
                "looking",
                handle -> handle.createQuery(FireFacts.FACTS)
                        .bind("ids", JsonRows.ids(claimed))
                        .bind("jobs", "[1]")
                        .bind("overdue", 0)
                        .bind("latest", "9999-12-31")
                        .mapToMap()
                        .list()));
        rows.run("delete from live_task where state = 'PREPARED'");

        assertThat(claimed).hasSize(500);
        assertThat(read).isLessThan(10_000);
    }

    /**
     * Also when there are hardly more rows than that, and when nothing else is prepared, so that walking an index looks
     * cheap.
     */
    @ParameterizedTest
    @CsvSource({"300, 240", "90000, 1200"})
    void starting_and_ending_tasks_touches_no_row_of_others(int live, int changed) {
        Rows rows = new Rows(SERVER);
        prepared(rows, "null", "task_id <= " + (changed + 10));
        rows.run("insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                + " select task_id, job_id, job_version, stripe, fire_time, 1, 'SCHEDULE', due_at, 'IDLE' from job_next"
                + " where task_id > " + (changed + 10) + " and task_id <= " + live);
        database.autoCommit(
                "analyzing",
                handle -> handle.createQuery("analyze table task, job_next")
                        .mapToMap()
                        .list());
        List<Long> ids = LongStream.rangeClosed(1, changed).boxed().toList();
        long started = rowsReadBy(() -> database.autoCommit(
                "starting",
                handle -> InList.change(
                        handle, ids, all -> Start.FIRE.formatted("2030-01-01", InList.ids(all), launches(all)))));
        long executing = rows.count("live_task where state = 'EXECUTING'");
        List<Ending> endings = ids.stream()
                .map(id ->
                        Ending.without(new TaskRef(id, 64, 1, 0, new LaunchId("s-" + id)), Outcome.LOST, "of a test"))
                .toList();
        long ended = rowsReadBy(() -> database.transact("ending", handle -> {
            int there = (int) rows.count("task where id <= " + changed);
            TaskHistory.remove(handle, endings, there);
            return there;
        }));
        long left = rows.count("task where id <= " + (changed + 10));
        rows.run("delete from task");

        assertThat(executing).isEqualTo(changed);
        assertThat(left).isEqualTo(10);
        assertThat(started).isLessThan(changed + 5L);
        assertThat(ended).isLessThan(changed + 5L);
    }

    /** Tasks of jobs whose cursors meet a condition, due since a second. */
    private static void prepared(Rows rows, String session, String which) {
        rows.run(
                "insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, session_id,"
                        + " launch_id) select task_id, job_id, job_version, stripe, fire_time, 1, 'SCHEDULE',"
                        + " utc_timestamp(3) - interval 1 second, 'PREPARED', " + session
                        + ", concat('s-', task_id) from job_next"
                        + " where " + which);
    }

    private static String launches(List<Long> ids) {
        return InList.texts(ids.stream().map(id -> "s-" + id).toList());
    }

    private static long rowsReadBy(Runnable work) {
        return ReadCounter.rowsReadBy(database, work);
    }
}
