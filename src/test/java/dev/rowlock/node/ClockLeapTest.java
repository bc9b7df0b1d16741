package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.audit.Audit;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.store.ClockNotes;
import dev.rowlock.definition.JobKey;
import dev.rowlock.task.Ending;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The database's clock leaps ahead by an hour, and comes back. */
@Order(1)
class ClockLeapTest extends LeapingClock {

    @Test
    void nothing_is_missed_or_started_while_it_is_in_doubt_and_all_goes_on_when_it_is_back() {
        long before = ran();
        cluster.time.step(HOUR);
        node.schedule(); // before anybody has read the clock again
        node.schedule();
        cluster.work(MINUTE, STRETCH);

        assertThat(ran()).isEqualTo(before);
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED'")).isZero();
        assertThat(node.clock.doubt()).isPresent();

        cluster.time.step(HOUR.negated());
        cluster.work(MINUTE, STRETCH);

        assertThat(node.clock.doubt()).isEmpty();
        assertThat(cluster.rows.count("task_history where fire_time > '2026-03-20 10:05:00'"))
                .isZero();
        assertThat(ran()).isGreaterThanOrEqualTo(before + 6);
        cluster.addsUp();
    }

    @Test
    void a_leap_that_is_accepted_makes_a_misfire() {
        cluster.time.step(HOUR);
        cluster.round();
        ClockNotes notes = new ClockNotes(node.databases.get(0));
        ClockWatch watch = new ClockWatch(node.clock, node.nanos, notes);
        watch.runOnce();
        assertThat(notes.read().doubt()).isPresent();
        cluster.time.advance(Duration.ofSeconds(2));
        node.keeper.runOnce();

        assertThat(notes.accept(Audit.NONE)).isEqualTo(cluster.time.now());
        watch.runOnce();
        cluster.work(MINUTE, STRETCH);

        assertThat(notes.read().doubt()).isEmpty();
        assertThat(cluster.rows.one("select sum(occurrences) from task_history where outcome = 'MISSED'"))
                .isGreaterThanOrEqualTo("350");
        cluster.addsUp();
    }

    @Test
    void a_node_that_starts_while_another_doubts_does_so_too() {
        cluster.time.step(HOUR);
        cluster.round();
        ClockNotes notes = new ClockNotes(node.databases.get(0));
        new ClockWatch(node.clock, node.nanos, notes).runOnce();
        DatabaseClock fresh = new DatabaseClock(node.nanos, () -> 0);
        new ClockWatch(fresh, node.nanos, notes).recall();
        fresh.sample(cluster.time.now(), node.nanos.getAsLong(), node.nanos.getAsLong());

        assertThat(fresh.doubt()).isPresent();
        assertThat(Duration.between(START.plus(MINUTE), fresh.now())).isLessThan(MINUTE);

        cluster.time.step(HOUR.negated());
        DatabaseClock later = new DatabaseClock(node.nanos, () -> 0);
        new ClockWatch(later, node.nanos, notes).recall();
        assertThat(later.isKnown()).isFalse();
    }

    /** As after a restore onto a server whose clock is wrong. Nothing else would tell of it. */
    @ParameterizedTest
    @ValueSource(strings = {"session", "audit", "task_history", "task_history with a lower id"})
    void a_clock_that_is_behind_its_tables_is_told_of_until_it_gets_there(String table) {
        cluster.rows.run("delete from session where node <> 'nobody'");
        cluster.rows.run("delete from audit");
        switch (table) {
            case "session" ->
                cluster.rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version,"
                        + " labels, capacity, started_at, heartbeat_at, state) values ('s', 'a', 'h', 'b', 1, 1, 'old', '{}',"
                        + " 4, '2026-03-20 11:30:00', '2026-03-20 11:30:00', 'ALIVE')");
            case "audit" ->
                cluster.rows.run("insert into audit (at, who, role, address, request_id, action, kind, name)"
                        + " values ('2026-03-20 11:30:00', 'w', 'admin', '', '', 'CREATE', 'job', 'j')");
            case "task_history" ->
                cluster.rows.run("update task_history set ended_at = '2026-03-20 11:30:00' order by id desc limit 1");
            default -> {
                assertThat(cluster.rows.count("task_history")).isGreaterThan(1);
                cluster.rows.run("update task_history set ended_at = '2026-03-20 11:30:00' order by id limit 1");
            }
        }
        DatabaseClock fresh = new DatabaseClock(node.nanos, () -> 0);
        ClockWatch watch = new ClockWatch(fresh, node.nanos, new ClockNotes(node.databases.get(0)));
        assertThat(watch.behind()).isEmpty();

        watch.recall();
        fresh.sample(cluster.time.now(), node.nanos.getAsLong(), node.nanos.getAsLong());

        assertThat(watch.behind().orElseThrow())
                .startsWith("the database's clock shows 2026-03-20T10:01:")
                .contains("its tables know of 2026-03-20T11:30:00Z")
                .contains("POST /api/v1/jobs/{ns}/{name}/reschedule");
        node.nanos.advance(HOUR.multipliedBy(2));
        assertThat(watch.behind()).as("it has got there").isEmpty();
    }

    @Test
    void a_clock_that_is_not_behind_its_tables_is_not_told_of() {
        DatabaseClock fresh = new DatabaseClock(node.nanos, () -> 0);
        ClockWatch watch = new ClockWatch(fresh, node.nanos, new ClockNotes(node.databases.get(0)));

        assertThat(watch.said()).startsWith("not known yet");
        watch.recall();
        fresh.sample(cluster.time.now(), node.nanos.getAsLong(), node.nanos.getAsLong());

        assertThat(watch.behind()).isEmpty();
        assertThat(watch.said()).isEqualTo("not behind what the tables know of");
    }

    @Test
    void when_it_was_believed_the_job_goes_on_from_now_by_a_call() {
        leapAndBelieve();
        cluster.work(MINUTE, STRETCH);
        cluster.time.step(HOUR.negated());
        long before = ran();
        cluster.work(MINUTE, STRETCH);
        assertThat(ran()).isEqualTo(before);

        cluster.reschedule("j");
        cluster.work(Duration.ofMinutes(2), STRETCH);

        assertThat(ran()).isGreaterThanOrEqualTo(before + 11);
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofHours(2))).isZero();
        cluster.work(HOUR, Duration.ofSeconds(30)); // through what ran while the clock was ahead
        assertThat(
                        cluster.rows.count(
                                "(select fire_time from task_history where outcome = 'SUCCEEDED' group by fire_time having count(*) > 1) twice"))
                .isZero();
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofHours(3))).isZero();
    }

    @Test
    void a_pause_and_its_end_do_the_same() {
        leapAndBelieve();
        cluster.work(MINUTE, STRETCH);
        cluster.time.step(HOUR.negated());
        cluster.pause("j");
        cluster.work(MINUTE, STRETCH);
        long before = ran();

        cluster.resume("j");
        cluster.work(Duration.ofMinutes(2), STRETCH);

        assertThat(ran()).isGreaterThanOrEqualTo(before + 11);
        cluster.addsUp();
    }

    /** What was missed has one row or two, and a change asks for fire times within them. */
    @ParameterizedTest
    @CsvSource({
        "80, 0, '\"schedule\": \"*/5 * * * * *\"'",
        "80, 0, '\"schedule\": \"*/10 * * * * *\", \"jitter\": \"3s\"'",
        "80, 0, '\"schedule\": \"*/5 * * * * *\", \"misfire\": \"SKIP\"'",
        "3600, 0, '\"schedule\": \"*/5 * * * * *\"'",
        "3600, 0, '\"schedule\": \"*/10 * * * * *\", \"jitter\": \"3s\"'",
        "3600, 300, '\"schedule\": \"*/5 * * * * *\"'",
        "3600, 300, '\"schedule\": \"*/10 * * * * *\", \"jitter\": \"3s\"'"
    })
    void what_was_missed_before_it_came_is_asked_for_by_a_change(int ahead, int outage, String changed) {
        for (int leap : new int[] {ahead, outage}) {
            cluster.time.step(Duration.ofSeconds(leap));
            node.keeper.runOnce();
            node.clock.accept(cluster.time.now().plusSeconds(1));
            cluster.work(STRETCH, STRETCH);
        }
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED' and occurrences > 5"))
                .isEqualTo(outage > 0 ? 2 : 1);
        cluster.time.step(Duration.ofSeconds(-ahead - outage));
        node.keeper.runOnce();
        long before = ran();

        cluster.put("j", changed);
        cluster.work(Duration.ofMinutes(2), STRETCH);

        assertThat(ran()).isGreaterThanOrEqualTo(before + 8);
        assertThat(cluster.rows.count("task_history a join task_history b on b.fire_time > a.fire_time"
                        + " and b.fire_time < a.last_fire_time where a.origin = '' and b.origin = ''"))
                .isZero();
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofHours(2))).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_is_too_much_to_be_made_at_once_is_told_and_made_by_the_next_call(boolean again) {
        cluster.put("s", "\"schedule\": \"* * * * * *\"");
        leapAndBelieve();
        cluster.work(Duration.ofSeconds(10), STRETCH);
        cluster.time.step(HOUR.negated());

        cluster.reschedule("s");

        assertThat(cluster.rows.count(
                        "task where cause = 'SCHEDULE' and job_id = (select id from job where name = 's')"))
                .isBetween(2_000L, 2_100L);
        assertThat(cluster.rows.one("select occurrences from task_history where outcome = 'SKIPPED' and job = 's'"))
                .isGreaterThan("1500");
        cluster.addsUp();
        if (again) {
            cluster.reschedule("s");
            assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED' and job = 's'"))
                    .isZero();
            cluster.addsUp();
        }
    }

    @Test
    void a_job_that_is_right_stays_as_it_is() {
        String cursor = cluster.rows.one("select fire_time from live_task where cursor_of is not null");
        cluster.reschedule("j");

        assertThat(cluster.rows.one("select fire_time from live_task where cursor_of is not null"))
                .isEqualTo(cursor);
        cluster.work(MINUTE, STRETCH);
        cluster.addsUp();
    }

    @Test
    void what_was_asked_for_while_it_was_ahead_runs_now() {
        leapAndBelieve();
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "j"), null);
        cluster.time.step(HOUR.negated());

        cluster.reschedule("j");
        cluster.work(Duration.ofSeconds(10), STRETCH);

        assertThat(cluster.rows.count("task_history where cause = 'MANUAL' and outcome = 'SUCCEEDED'"))
                .isEqualTo(1);
    }

    @Test
    void what_was_given_back_while_it_was_in_doubt_is_due_when_it_is_back() {
        ClockWatch watch = watch();
        cluster.time.step(HOUR);
        cluster.round();
        watch.runOnce();
        assertThat(node().clock.doubt()).isPresent();
        node().sessions.leave(cluster.rows.one("select id from session"), Ending.NODE_STOPPED);
        cluster.time.step(HOUR.negated());
        cluster.round(); // finds out that its session is gone
        cluster.round();
        watch.runOnce();

        assertThat(node().clock.doubt()).isEmpty();
        assertThat(cluster.rows.count("live_task where due_at > fire_time + interval 2 minute"))
                .isZero();
    }

    @Test
    void a_retry_that_waits_keeps_its_time_when_the_clock_is_back_and_when_its_job_is_rescheduled() {
        cluster.put("r", "\"schedule\": \"@manual\", \"retry\": {\"max\": 3, \"backoff\": \"1h\"}");
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "r"), null);
        node.schedule();
        node.processes.end(1);
        node.recorder.runOnce();
        String due = retryDue();
        assertThat(due).isNotNull();

        cluster.reschedule("r");
        assertThat(retryDue()).isEqualTo(due);

        ClockWatch watch = watch();
        cluster.time.step(Duration.ofMinutes(10));
        cluster.round();
        watch.runOnce();
        assertThat(node.clock.doubt()).isPresent();
        cluster.time.step(Duration.ofMinutes(-10));
        cluster.round();
        watch.runOnce();
        assertThat(node.clock.doubt()).isEmpty();
        assertThat(retryDue()).isEqualTo(due);
    }

    @Test
    void a_retry_that_was_made_while_a_wrong_clock_was_believed_waits_from_now() {
        cluster.put("r", "\"schedule\": \"@manual\", \"retry\": {\"max\": 3, \"backoff\": \"10m\"}");
        leapAndBelieve();
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "r"), null);
        node.schedule();
        node.processes.end(1);
        node.recorder.runOnce();
        cluster.time.step(HOUR.negated());
        node.keeper.runOnce();

        for (int i = 0; i < 2; i++) {
            cluster.reschedule("r");
            assertThat(Duration.between(
                            cluster.time.now(), Instant.parse(retryDue().replace(' ', 'T') + "Z")))
                    .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
        }
    }

    private String retryDue() {
        return String.valueOf(cluster.rows.one("select due_at from live_task where cause = 'RETRY'"));
    }

    /** Whoever is asked to look at a silent cluster restarts its nodes first. */
    @Test
    void restarts_do_not_keep_a_doubt_alive() {
        cluster.time.step(HOUR);
        cluster.round();
        watch().runOnce();
        DatabaseClock restarted = node().clock;
        for (int minutes = 0; minutes < 8; minutes += 4) {
            cluster.time.advance(Duration.ofMinutes(4));
            restarted = new DatabaseClock(node().nanos, () -> 0);
            ClockWatch watch = new ClockWatch(
                    restarted, node().nanos, new ClockNotes(node().databases.get(0)));
            watch.recall();
            restarted.sample(
                    cluster.time.now(), node().nanos.getAsLong(), node().nanos.getAsLong());
            watch.runOnce();
        }

        assertThat(restarted.doubt()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void a_leap_that_no_heartbeat_has_shown_yet_makes_no_round_after_round(Duration leap) {
        cluster.time.step(leap);
        node.nanos.advance(Duration.ofSeconds(11)); // something is due by our estimate
        long ran = ran();
        int rounds = 0;
        for (Duration passed = Duration.ZERO; passed.toSeconds() < 2; rounds++) {
            Pass pass = node.scheduler.runOnce();
            node.nanos.advance(pass.rest());
            passed = passed.plus(pass.rest()).plusMillis(1);
        }

        assertThat(rounds)
                .isLessThan(100); // some 25, and a few more whenever another task is next; every 2 ms it would be 670
        assertThat(ran()).isEqualTo(ran);
        assertThat(node.processes.running()).isZero();
        node.keeper.runOnce();
        assertThat(node.clock.doubt().isPresent()).isEqualTo(!leap.isNegative());
    }
}
