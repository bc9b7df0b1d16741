package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Overlap;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Ending;
import dev.rowlock.task.FollowUp;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.DuePosition;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.Finish.FinishResult;
import dev.rowlock.task.transition.GroupWaits;
import dev.rowlock.task.transition.NodeWaits;
import dev.rowlock.task.transition.ScanFilter;
import dev.rowlock.task.transition.Scans;
import dev.rowlock.task.transition.StaleWaits;
import dev.rowlock.task.transition.Start;
import dev.rowlock.task.transition.Taker;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many rows the server reads to find what starts next, with 100,000 tasks of one job that wait for their group, as
 * many that wait for a node, and as many that wait for others of their job; and with all slots taken, for their turn.
 */
@Tag("database")
@Tag("slow")
class WaitingCostTest {

    private static final int EACH = 100_000;
    private static final int LINED_UP = 25_000;

    private static final int FREE = 20;
    private static final int SELECTOR = 7;
    private static final Placement NOBODYS = new Placement(Set.of(Placement.ANY), Set.of(SELECTOR), Set.of());

    private static final String OF_GROUP = "run:g%";
    private static final String OF_NODE = "run:n%";
    private static final String OF_QUEUE = "run:q%";
    private static final String BACKLOG = "run:b%";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static final AtomicLong LAUNCHES = new AtomicLong();

    private static Database database;
    private static Rows rows;
    private static Start start;
    private static Finish finish;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        start = Scans.start(database);
        finish = new Finish(database, "a", 3, Duration.ofSeconds(1));
        rows = new Rows(SERVER);
        IdleJobs.insert(rows, 500);
        rows.run("insert into job_group (name, slots, created_at, updated_at)" + " values ('g', " + FREE
                + ", utc_timestamp(3), utc_timestamp(3))");
        rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                + " beat, heartbeat_at, state)"
                + " values ('me', 'a', 'h', 'b', 1, 1, 't', '{}', 1000, utc_timestamp(3), 1, utc_timestamp(3),"
                + " 'ALIVE')");
        insert(EACH, "1", OF_GROUP, "'GROUP', 'full'");
        insert(EACH, "2", OF_NODE, "'NODE', 'none'");
        insert(EACH, "102", OF_QUEUE, "'OVERLAP', 'busy'");
        insert(2, "103", OF_QUEUE, "'OVERLAP', 'busy'");
        insert(LINED_UP, "202 + n % 100", BACKLOG, "null, null");
        rows.run("update live_task set selector = " + SELECTOR + " where origin like '" + OF_NODE + "'");
        rows.run("update live_task set group_name = 'g' where origin like '" + OF_GROUP + "'");
        await(OF_GROUP, "group:g");
        await(OF_NODE, "selector:" + SELECTOR);
        rows.all("analyze table task, job, task_wait, group_slot, job_group");
    }

    private static void insert(int tasks, String job, String origin, String hold) {
        rows.run("insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, hold,"
                + " hold_reason, state, queued_at) select " + job + ", 1, (" + job
                + ") % 64, utc_timestamp(3) - interval n second,"
                + " replace('" + origin + "', '%', n), 1, 'MANUAL', null, " + hold
                + ", 'IDLE', utc_timestamp(3) from " + Numbers.upTo(tasks));
    }

    private static void await(String origin, String awaited) {
        rows.run("insert into task_wait (task_id, stripe, awaited, rank_at) select id, stripe, '" + awaited
                + "', fire_time from live_task where origin like '" + origin + "'");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void nothingIsDue() {
        rows.run("update live_task set due_at = null where origin like '" + BACKLOG + "' and due_at is not null");
    }

    @Test
    void giving_back_a_misfire_reads_nothing_that_was_due_before_it() {
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, session_id,"
                + " launch_id) select 1, 1, 1, utc_timestamp(3) - interval n second, 1, 'SCHEDULE',"
                + " utc_timestamp(3), 'PREPARED', 'me', concat('me-m', n) from (select 100 as n union select 10) m");
        Claim claim =
                claims("launch_id = 'me-m100'", FirePolicy.PLAIN, Placement.ANY).get(0);

        long read = read(() -> fire(claim));

        assertThat(rows.run("delete from live_task where job_id = 1 and cause = 'SCHEDULE' and cursor_of is null"
                        + " and state = 'IDLE'"))
                .isEqualTo(2);
        assertThat(read).isLessThan(1_000);
    }

    @Test
    void waking_for_a_group_reads_as_many_as_it_has_free_slots() {
        GroupWaits waits = new GroupWaits(database);
        groupWaits();
        rows.run("update job_group set slots = 0");
        long stopped = read(waits::wake);
        rows.run("update job_group set slots = " + FREE);
        int woken = waits.wake();
        long full = read(waits::wake);

        assertThat(woken).isEqualTo(FREE - (int) rows.count("group_slot"));
        assertThat(stopped).isLessThan(10);
        assertThat(full).as("each with its task").isLessThan(2 * FREE + 10);
    }

    @Test
    void what_waits_for_a_group_is_looked_up_in_its_order_and_not_read_to_be_sorted() {
        assertThat(plan(GroupWaits.GROUPS)).contains("by_rank").doesNotContainIgnoringCase("materialized");
        assertThat(plan(GroupWaits.NEXT.replace(":name", "'g'").replace(":most", "20")))
                .contains("by_rank")
                .doesNotContainIgnoringCase("filesort");
    }

    @Test
    void starting_a_task_of_a_group_reads_neither_what_waits_for_it_nor_the_rest_of_its_job() {
        FirePolicy policy = policy(Overlap.ALLOW, Integer.MAX_VALUE, "g");
        Iterator<Claim> claims = prepared(OF_GROUP, policy).iterator();

        assertThat(read(() -> assertThat(fire(claims.next()).started()).hasSize(1)))
                .isLessThan(100);
    }

    /** Whether one of its job executes decides about each: the first starts, the others do not. */
    @Test
    void a_task_of_a_group_that_must_not_overlap_is_decided_without_reading_the_rest_of_its_job() {
        rows.run("update live_task set state = 'EXECUTING', session_id = 'me', launch_id = concat('me-', id)"
                + " where origin like '" + OF_GROUP + "' and state = 'IDLE' order by fire_time desc limit 1");
        Iterator<Claim> claims =
                prepared(OF_GROUP, policy(Overlap.SKIP, 0, "g")).iterator();

        long read = read(() -> assertThat(fire(claims.next()).skipped()).hasSize(1));
        rows.run("delete from live_task where state = 'EXECUTING' and origin like '" + OF_GROUP
                + "' and id not in (select task_id from group_slot)");

        assertThat(read).isLessThan(100);
    }

    @Test
    void the_end_of_a_task_of_a_group_hands_its_slot_on_without_reading_the_rest_that_waits() {
        rows.run("update job_group set slots = " + FREE);
        groupWaits();
        prepared(OF_GROUP, policy(Overlap.ALLOW, Integer.MAX_VALUE, "g")).forEach(WaitingCostTest::fire);
        Iterator<Map<String, @Nullable String>> executing = executing(OF_GROUP).iterator();

        long ended = read(() -> assertThat(
                        finish(executing.next(), taker(Map.of("g", 1))).handed())
                .isNotEmpty());

        assertThat(ended).isLessThan(20 * FREE);
    }

    @Test
    void a_task_that_waited_for_a_node_is_decided_without_reading_the_rest_of_its_job() {
        rows.run("replace into selector (id, expression) values (" + SELECTOR + ", 'node:a')");
        FirePolicy policy = policy(Overlap.SKIP, 0, null);
        Iterator<Claim> claims = prepared(OF_NODE, policy).iterator();

        assertThat(read(() -> fire(claims.next()))).isLessThan(100);
    }

    @Test
    void what_no_node_may_run_is_held_without_reading_the_rest_of_its_job() {
        rows.run("replace into selector (id, expression) values (" + SELECTOR + ", 'node:nowhere')");
        for (Overlap overlap : List.of(Overlap.SKIP, Overlap.QUEUE)) {
            Iterator<Claim> claims =
                    prepared(OF_NODE, policy(overlap, 1000, null)).iterator();
            rows.run("update task_wait w join live_task t on t.id = w.task_id set w.rank_at = utc_timestamp(3)"
                    + " where t.state = 'PREPARED'");

            assertThat(read(() -> assertThat(fire(claims.next()).started()).isEmpty()))
                    .isLessThan(100);
        }
    }

    @Test
    void what_waits_for_a_node_is_found_by_its_selector() {
        NodeWaits waits = new NodeWaits(database);

        assertThat(read(() -> assertThat(waits.awaited()).containsExactly(SELECTOR)))
                .isLessThan(10);
        assertThat(read(() -> database.autoCommit(
                        "looking",
                        handle -> handle.createQuery("select " + NodeWaits.ANY)
                                .mapTo(Integer.class)
                                .one())))
                .isLessThan(10);
        assertThat(read(() -> assertThat(waits.wake(Set.of(SELECTOR + 1))).isZero()))
                .isLessThan(10);
    }

    @Test
    void what_waits_no_more_is_swept_in_parts() {
        StaleWaits waits = new StaleWaits(database);
        rows.run("insert into task_wait (task_id, stripe, awaited, rank_at)"
                + " select max(id) + 1, 1, 'selector:3', utc_timestamp(3) from live_task");

        assertThat(read(() -> waits.sweep(0))).isLessThan(2_000);
        long behind = 0;
        do {
            behind = waits.sweep(behind).end();
        } while (behind > 0);

        assertThat(new NodeWaits(database).awaited()).containsExactly(SELECTOR);
    }

    @Test
    void the_next_of_a_queue_is_found_without_reading_those_behind_it() {
        FirePolicy policy = policy(Overlap.QUEUE, 1000, null);
        Iterator<Claim> claims =
                List.of(first("103", policy), first("102", policy)).iterator();

        long started = read(() -> assertThat(fire(claims.next()).started()).hasSize(1));
        Iterator<Map<String, @Nullable String>> executing = executing(OF_QUEUE).iterator();
        long ended = read(() ->
                assertThat(finish(executing.next(), taker(Map.of())).handed()).hasSize(1));

        assertThat(started).isLessThan(100);
        assertThat(ended).isLessThan(100);
        assertThat(rows.count("live_task where origin like '" + OF_QUEUE + "' and state = 'PREPARED'"))
                .isEqualTo(2);
    }

    @Test
    void the_scan_passes_over_what_is_held() {
        Acquire acquire = new Acquire(database);
        ScanBounds scan = scan();
        long forever = read(() -> acquire.scan(scan, "me"));
        rows.run("update live_task set due_at = utc_timestamp(3) + interval 40 second where origin like '" + OF_NODE
                + "'");
        long forLong = read(() -> acquire.scan(scan, "me"));
        rows.run("update live_task set due_at = utc_timestamp(3) + interval 20 second where origin like '" + OF_NODE
                + "'");
        long notForLong = read(() -> acquire.scan(scan, "me"));
        rows.run("update live_task set due_at = null where origin like '" + OF_NODE + "'");

        assertThat(forever).isLessThan(100);
        assertThat(forLong).isLessThan(100);
        assertThat(notForLong).as("by the selector in the index").isLessThan(100);
    }

    @Test
    void of_a_backlog_the_scan_reads_one_batch() {
        Acquire acquire = new Acquire(database);
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 1 second where origin like '" + BACKLOG
                + "'");

        assertThat(read(() ->
                        assertThat(acquire.scan(scan(), "me").candidates()).hasSize(500)))
                .isLessThan(2_000);
    }

    private static ScanBounds scan() {
        return new ScanBounds(
                Instant.EPOCH,
                DuePosition.at(Instant.EPOCH),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                List.of(),
                500,
                new ScanFilter(List.of(), List.of(), List.of(), NOBODYS));
    }

    private static FirePolicy policy(Overlap overlap, int limit, @Nullable String group) {
        return new FirePolicy(overlap, limit, null, null, false, null, null, group, 0, null, true);
    }

    /** A claim to the first task of a queue. */
    private static Claim first(String job, FirePolicy policy) {
        return prepared(OF_QUEUE, "job_id = " + job, 1, policy).get(0);
    }

    /** Two claims, to the first two. */
    private static List<Claim> prepared(String origin, FirePolicy policy) {
        return prepared(origin, "true", 2, policy);
    }

    private static List<Claim> prepared(String origin, String which, int most, FirePolicy policy) {
        rows.run("update live_task set state = 'PREPARED', session_id = 'me', launch_id = concat('me-', id),"
                + " due_at = utc_timestamp(3), hold = null, hold_reason = null where origin like '" + origin
                + "' and state = 'IDLE' and " + which + " order by fire_time limit " + most);
        return claims(
                "origin like '" + origin + "' and " + which, policy, OF_NODE.equals(origin) ? SELECTOR : Placement.ANY);
    }

    private static List<Claim> claims(String which, FirePolicy policy, int selector) {
        return rows
                .all("select id, job_id, stripe, launch_id from live_task where state = 'PREPARED' and " + which)
                .stream()
                .map(row -> new Claim(
                        TaskBuilder.task(number(row, "id"), Instant.EPOCH)
                                .job(number(row, "job_id"))
                                .launch(launch(row))
                                .selector(selector)
                                .state(TaskState.PREPARED)
                                .build(),
                        launch(row),
                        policy))
                .toList();
    }

    private static StartResult fire(Claim claim) {
        return start.start("me", "a", List.of(claim), 1000, Duration.ZERO, Start.NoSlot.KEEP);
    }

    private static List<Map<String, @Nullable String>> executing(String origin) {
        return rows.all(
                "select id, job_id, stripe, launch_id from live_task where state = 'EXECUTING' and origin like '"
                        + origin + "' order by job_id desc, id");
    }

    /** What of the group has been woken or prepared waits again. */
    private static void groupWaits() {
        rows.run("update live_task set state = 'IDLE', session_id = null, launch_id = null, due_at = null,"
                + " hold = 'GROUP', hold_reason = 'full' where origin like '" + OF_GROUP + "' and state <> 'EXECUTING'"
                + " and hold is null");
        rows.run("update task_wait set woken_at = null where woken_at is not null");
    }

    private static Taker taker(Map<String, Integer> groups) {
        return new Taker(
                "me",
                () -> LaunchId.of("me", LAUNCHES.incrementAndGet()),
                Map.of(Placement.ANY, Selector.ANY),
                job -> true,
                groups,
                Instant.EPOCH);
    }

    private static FinishResult finish(Map<String, @Nullable String> row, Taker taker) {
        FollowUp followUp = new FollowUp(null, true, true, false);
        return finish.finish(
                List.of(new Ending(
                        new TaskRef(
                                number(row, "id"), number(row, "job_id"), 1, (int) number(row, "stripe"), launch(row)),
                        Outcome.SUCCEEDED,
                        null,
                        Instant.now(),
                        1L,
                        0,
                        null,
                        0L,
                        null,
                        followUp,
                        null)),
                taker);
    }

    private static long number(Map<String, @Nullable String> row, String column) {
        return Long.parseLong(Objects.requireNonNull(row.get(column)));
    }

    private static LaunchId launch(Map<String, @Nullable String> row) {
        return new LaunchId(Objects.requireNonNull(row.get("launch_id")));
    }

    private static String plan(String sql) {
        return Objects.requireNonNull(rows.one("explain format=json " + sql));
    }

    private static long read(Runnable work) {
        return ReadCounter.rowsReadBy(database, work);
    }
}
