package dev.rowlock.report.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.definition.JobKey;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.report.event.Event.Filter;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.TaskView;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of what happens, in whichever order it is committed, and to whom. */
@Tag("database")
class EventWatchTest {

    private static final String JOINED =
            "insert into session (id, node, host, boot_id, pid, pid_start, version, labels,"
                    + " capacity, started_at, heartbeat_at, state) values ('s1', 'n', 'h', 'b', 1, 1, '1', '{}', 4,"
                    + " utc_timestamp(3), utc_timestamp(3), 'ALIVE')";
    private static final String ENDED = "insert into task_history (id, job_id, namespace, job, job_version, fire_time,"
            + " origin, attempt, cause, outcome, launch_id, started_at, ended_at, last_fire_time) values (%d, %d,"
            + " 'default', 'a', 1, utc_timestamp(3), '', 1, 'SCHEDULE', 'SUCCEEDED', 's-%d',"
            + " utc_timestamp(3) - interval %d second, utc_timestamp(3) - interval %d second, utc_timestamp(3))";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    private final Rows rows = new Rows(SERVER);
    private final AtomicLong nanos = new AtomicLong(1);
    private Events events;
    private EventWatch watch;
    private long job;

    @BeforeAll
    static void migrate() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void begin() {
        for (String table :
                List.of("task", "job_next", "task_history", "task_wait", "task_aside", "job", "job_version")) {
            rows.run("delete from " + table);
        }
        rows.run("delete from session");
        rows.run("delete from session_past");
        events = new Events(new EventQueries(database), new JobQueries(database));
        watch = new EventWatch(events);
        job = rows.job(
                "a", "{\"namespace\": \"default\", \"name\": \"a\", \"schedule\": \"@manual\", \"command\": \"true\"}");
        watch.begin();
    }

    @Test
    void what_commits_after_something_later_is_told_all_the_same_and_once() throws Exception {
        try (Connection connection = SERVER.connect();
                Statement open = connection.createStatement()) {
            connection.setAutoCommit(false);
            open.executeUpdate(ended(7, 12));
            rows.run(ended(9, 0));
            assertThat(told()).containsExactly("task.started 9", "task.ended 9");
            assertThat(told()).isEmpty();
            connection.commit();
        }

        assertThat(told()).containsExactly("task.started 7", "task.ended 7");
        rows.run(ended(8, 13));
        assertThat(told()).containsExactly("task.started 8", "task.ended 8");
        assertThat(told()).isEmpty();
    }

    /** The definitions of all are not held in memory for one who comes back after a long time. */
    @Test
    void who_comes_back_is_told_of_some_of_many_jobs_and_that_there_are_more() {
        for (int i = 0; i < 120; i++) {
            rows.job("b" + i, "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        }

        List<Event> found = events.since(Instant.EPOCH);

        assertThat(found.stream().filter(event -> event.name().equals("job.changed")))
                .hasSize(100);
        assertThat(found.get(found.size() - 1).name()).isEqualTo("stream.gap");
    }

    /** Nor does anybody read twenty thousand ends one by one. */
    @Test
    void where_too_much_ends_it_is_told_that_it_did_and_of_nodes_all_the_same() {
        rows.run(tooMany(1_000, "utc_timestamp(3)"));
        rows.run(JOINED);

        assertThat(watch.next()).extracting(Event::name).containsExactly("node.joined", "stream.gap");
    }

    @Test
    void what_was_told_is_forgotten_also_while_too_much_ends() {
        try {
            for (int i = 1; i <= 3; i++) {
                String now = "2030-01-01 00:0" + i + ":00";
                rows.run(tooMany(i * 100_000, "'" + now + "'"));
                // Of the connection, which is another after a pause.
                database.autoCommit(
                        "setting the time", handle -> handle.execute("set timestamp = unix_timestamp('" + now + "')"));

                assertThat(watch.next()).extracting(Event::name).containsExactly("stream.gap");
                assertThat(watch.remembered()).isLessThanOrEqualTo(Events.MOST);
            }
        } finally {
            database.autoCommit("setting the time", handle -> handle.execute("set timestamp = default"));
        }
    }

    private String tooMany(int from, String at) {
        return "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time) select " + from + " + n, " + job
                + ", 'default', 'a', 1, " + at + ", concat('run:', n), 1, 'MANUAL', 'SUCCEEDED', " + at + ", " + at
                + ", " + at + " from " + Numbers.upTo(Events.MOST);
    }

    @Test
    void a_task_that_starts_and_ends_between_two_looks_gives_both() {
        rows.run(ended(5, 0));
        assertThat(told()).containsExactly("task.started 5", "task.ended 5");
    }

    @Test
    void a_task_is_told_to_start_and_to_end_once() {
        long task = executes("s-1");
        assertThat(told()).containsExactly("task.started " + task);
        assertThat(told()).isEmpty();
        rows.run("delete from live_task");
        rows.run(ended(task, 0).replace("s-" + task, "s-1"));

        assertThat(told()).containsExactly("task.ended " + task);
        assertThat(told()).isEmpty();
    }

    @Test
    void an_end_that_is_recorded_long_after_it_came_is_told() {
        long task = executes("s-1");
        told();
        rows.run("delete from live_task");
        rows.run(ended(task, 3600).replace("s-" + task, "s-1"));

        assertThat(told()).containsExactly("task.ended " + task);
        assertThat(told()).isEmpty();
    }

    @Test
    void what_is_given_back_has_not_ended_and_starts_again() {
        long task = executes("s-1");
        told();
        rows.run("update live_task set state = 'IDLE', launch_id = null, started_at = null");
        assertThat(told()).isEmpty();
        rows.run("update live_task set state = 'EXECUTING', launch_id = 's-2', started_at = utc_timestamp(3)");
        assertThat(told()).containsExactly("task.started " + task);
        rows.run("delete from live_task");
        rows.run(ended(task, 0).replace("s-" + task, "s-2"));

        assertThat(told()).containsExactly("task.ended " + task);
    }

    @Test
    void what_waits_by_policy_or_was_set_aside_is_held_and_what_is_paused_is_not() {
        executes("s-1");
        told();
        long queued = rows.task(job, 10, false);
        rows.run("update live_task set hold = 'OVERLAP', hold_reason = 'x', queued_at = utc_timestamp(3) where id = "
                + queued);
        long grouped = rows.task(job, 20, false);
        rows.run("update live_task set hold = 'GROUP', hold_reason = 'x', queued_at = utc_timestamp(3) where id = "
                + grouped);
        rows.run("insert into task_wait (task_id, stripe, awaited, rank_at) values (" + grouped
                + ", 1, 'group:g', utc_timestamp(3))");
        long broken = rows.task(job, 30, false);
        rows.run("update live_task set hold = 'ERROR', hold_reason = 'x' where id = " + broken);
        rows.run("insert into task_aside (task_id, job_id, times, since, look_at) values (" + broken + ", " + job
                + ", 1, utc_timestamp(3), utc_timestamp(3))");
        long paused = rows.task(job, 40, false);
        rows.run("update live_task set hold = 'PAUSE', hold_reason = 'the job is paused', due_at = null where id = "
                + paused);

        assertThat(told())
                .containsExactlyInAnyOrder("task.held " + queued, "task.held " + grouped, "task.held " + broken);
        assertThat(told()).isEmpty();
    }

    @Test
    void jobs_that_change_or_go_and_nodes_that_come_or_go_are_told() {
        rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from) values ("
                + job + ", 2, 'default', 'a', '{}', false, utc_timestamp(3))");
        rows.run(JOINED);
        assertThat(told()).containsExactlyInAnyOrder("job.changed default/a", "node.joined n");
        rows.run("update job_version set valid_until = utc_timestamp(3) where version = 2");
        rows.run("delete from job");
        rows.run("delete from session");
        rows.run("insert into session_past (node, id, host, pid, version, capacity, started_at, heartbeat_at, gone_at,"
                + " reason) values ('n', 's1', 'h', 1, '1', 4, utc_timestamp(3), utc_timestamp(3), utc_timestamp(3),"
                + " 'stopped')");

        assertThat(told()).containsExactlyInAnyOrder("job.changed default/a", "node.left n");
        assertThat(told()).isEmpty();
    }

    @Test
    void who_comes_back_is_told_what_happened_meanwhile_with_the_same_ids() {
        rows.run(ended(5, 0));
        List<Event> first = watch.next();
        rows.run(ended(6, 0));
        Instant seen = Objects.requireNonNull(Event.timeOf(first.get(1).id()));
        Events elsewhere = new Events(new EventQueries(database), new JobQueries(database));

        List<Event> again = elsewhere.since(seen);

        assertThat(again).extracting(EventWatchTest::text).contains("task.started 6", "task.ended 6");
        assertThat(again)
                .extracting(Event::id)
                .containsAll(first.stream().map(Event::id).toList());
    }

    @Test
    void nobody_looks_while_nobody_listens_and_one_looks_for_all() {
        EventHub hub = hub(1);
        long before = statements();
        long ofNobody = statements() - before;
        List<EventHub.Listener> all = new ArrayList<>();
        all.add(hub.listen(new Filter(null, null), null));
        long ofOne = lookBy(all);
        for (int i = 0; i < 9; i++) {
            all.add(hub.listen(new Filter(null, null), null));
        }

        assertThat(lookBy(all)).as("however many listen").isEqualTo(ofOne);
        all.forEach(EventHub.Listener::close);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        long after = statements();
        assertThat(statements() - after).isEqualTo(ofNobody);
        hub.listen(new Filter(null, null), null).close();
    }

    @Test
    void one_who_is_too_slow_is_dropped_and_the_others_are_not() {
        EventHub hub = hub(1 << 20);
        EventHub.Listener slow = hub.listen(new Filter(null, null), null);
        EventHub.Listener filtered = hub.listen(new Filter("default", "other"), null);
        for (int task = 1; task <= 5; task++) {
            rows.run(ended(task, 0));
        }
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());

        assertThat(filtered.await(Duration.ZERO))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEmpty());
        assertThat(slow.await(Duration.ZERO)).as("ten events of a megabyte").isEmpty();
        slow.close();
        try (EventHub.Listener back = hub.listen(new Filter(null, null), null)) {
            assertThat(back.await(Duration.ZERO)).isPresent();
        }
        hub.close();
        assertThat(filtered.await(Duration.ofHours(1))).as("the node stops").isEmpty();
        assertThatThrownBy(() -> hub.listen(new Filter(null, null), null)).hasMessageContaining("stops");
    }

    @Test
    void what_comes_between_the_past_and_the_present_is_told_once() {
        EventHub hub = hub(1);
        rows.run(ended(5, 0));
        Instant now =
                Instant.parse(String.valueOf(rows.one("select date_format(utc_timestamp(3), '%Y-%m-%dT%H:%i:%sZ')")));
        try (EventHub.Listener other = hub.listen(new Filter("default", null), null);
                EventHub.Listener listener = hub.listen(new Filter("default", "a"), now)) {
            assertThat(other.await(Duration.ZERO)).isPresent();
            int told = 0;
            Optional<byte[]> next = listener.await(Duration.ZERO);
            for (; next.isPresent() && next.get().length > 0; next = listener.await(Duration.ZERO)) {
                told += next.get().length; // one byte each
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            }
            assertThat(told).as("the job, the start and the end").isEqualTo(3);
        }
    }

    private EventHub hub(int bytes) {
        return new EventHub(events, event -> new byte[bytes], nanos::get);
    }

    /** How many statements it takes until a second has gone by and all have looked. */
    private long lookBy(List<EventHub.Listener> all) {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        long before = statements();
        all.forEach(listener -> assertThat(listener.await(Duration.ZERO)).isPresent());
        return statements() - before;
    }

    private static long statements() {
        return database.autoCommit(
                "counting statements",
                handle -> handle.createQuery("show session status like 'Questions'")
                        .map((row, context) -> row.getLong(2))
                        .one());
    }

    private long executes(String launch) {
        long task = rows.task(job, 0, false);
        rows.run("update live_task set state = 'EXECUTING', launch_id = '" + launch
                + "', session_id = 's', started_at = utc_timestamp(3) where id = " + task);
        return task;
    }

    private String ended(long task, int secondsAgo) {
        return ENDED.formatted(task, job, task, secondsAgo + 1, secondsAgo);
    }

    private List<String> told() {
        return watch.next().stream().map(EventWatchTest::text).toList();
    }

    private static String text(Event event) {
        Object thing = event.thing();
        if (thing instanceof TaskView task) {
            return event.name() + " " + task.id();
        }
        JobKey key = event.job();
        return event.name() + " " + (key == null ? ((EventQueries.NodeChange) thing).node() : key.toString());
    }
}
