package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.engine.session.OlderNodes;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.session.ClockNotes;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database's clock leaps ahead by an hour, and comes back. */
class ClockLeapTest {

    private static final Instant START = Instant.parse("2026-03-20T10:00:00.500Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration STRETCH = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private HandDrivenNode node;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.rows.run("delete from setting where name like 'clock-%'");
        node = cluster.nodes().get(0);
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.work(MINUTE, STRETCH);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private long ran() {
        return cluster.rows.count("task_history where outcome = 'SUCCEEDED'");
    }

    /** The leap is believed, as it was too small, stood too long, or was accepted by mistake. */
    private void leapAndBelieve() {
        cluster.time.step(HOUR);
        node.keeper.runOnce();
        assertThat(node.clock.accept(cluster.time.now().plusSeconds(1))).isTrue();
    }

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

        assertThat(notes.accept()).isEqualTo(cluster.time.now());
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
        String cursor = cluster.rows.one("select fire_time from task where cursor_of is not null");
        cluster.reschedule("j");

        assertThat(cluster.rows.one("select fire_time from task where cursor_of is not null"))
                .isEqualTo(cursor);
        cluster.work(MINUTE, STRETCH);
        cluster.addsUp();
    }

    @Test
    void what_was_asked_for_while_it_was_ahead_runs_now() {
        leapAndBelieve();
        cluster.time.hold();
        cluster.jobs.run(new dev.rowlock.job.JobKey("default", "j"), null);
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
        node().sessions.leave(cluster.rows.one("select id from session"), List.of(), Ending.NODE_STOPPED);
        cluster.time.step(HOUR.negated());
        cluster.round(); // finds out that its session is gone
        cluster.round();
        watch.runOnce();

        assertThat(node().clock.doubt()).isEmpty();
        assertThat(cluster.rows.count("task where due_at > fire_time + interval 2 minute"))
                .isZero();
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

    @Test
    void what_an_older_node_has_set_aside_is_taken_up() {
        cluster.work(MINUTE, STRETCH);
        cluster.rows.run(
                "update task set due_at = null, waits_for = 'error: cannot be prepared: full', launch_id = null,"
                        + " session_id = null, prepared_at = null, state = 'IDLE' where cursor_of is not null");
        HandDrivenNode node = node();
        new OlderNodes(node.lease, node.knownSessions, "of today", node.databases.get(0)).runOnce();
        node.reconsidering.runOnce();

        assertThat(cluster.rows.count("task where waits_for like 'error: %'")).isZero();
    }

    /** As its hypervisor takes a snapshot of it, say; the other node goes on, and reads the clock every five seconds. */
    private void pause(HandDrivenNode paused, HandDrivenNode goesOn, Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(STRETCH)) {
            cluster.time.advanceWithout(paused, STRETCH);
            goesOn.keeper.runOnce();
        }
        cluster.time.hold();
        paused.keeper.runOnce();
        assertThat(paused.clock.doubt()).isPresent();
    }

    private HandDrivenNode another(String name) {
        cluster.join(name);
        return cluster.nodes().get(cluster.nodes().size() - 1);
    }

    @Test
    void a_node_that_was_paused_takes_the_word_of_one_that_was_not() {
        HandDrivenNode other = another("b");
        ClockWatch watch = watch();
        ClockWatch othersWatch = watch(other);
        pause(node, other, Duration.ofMinutes(10));
        long before = ran();
        watch.runOnce();
        assertThat(node.clock.doubt()).isPresent();

        other.keeper.runOnce();
        othersWatch.runOnce();
        watch.runOnce();

        assertThat(node.clock.doubt()).isEmpty();
        assertThat(Duration.between(node.clock.now(), cluster.time.now()).abs()).isLessThan(STRETCH);
        assertThat(cluster.rows.count("setting where name like 'clock-%'")).isZero();
        cluster.work(MINUTE, STRETCH);
        assertThat(ran()).isGreaterThan(before + 5);
        cluster.addsUp();
        other.keeper.runOnce();
        othersWatch.runOnce();
        assertThat(cluster.rows.count("setting where name like 'clock-%'")).isZero();
    }

    @Test
    void a_node_that_starts_meanwhile_holds_back_no_longer_than_the_one_that_was_paused() {
        HandDrivenNode other = another("b");
        pause(node, other, Duration.ofMinutes(10));
        watch().runOnce();
        DatabaseClock fresh = new DatabaseClock(node.nanos, () -> 0);
        ClockWatch freshWatch = new ClockWatch(fresh, node.nanos, new ClockNotes(node.databases.get(0)));
        freshWatch.recall();
        assertThat(fresh.doubt()).isPresent();
        fresh.sample(cluster.time.now(), node.nanos.getAsLong(), node.nanos.getAsLong());

        other.keeper.runOnce();
        watch(other).runOnce();
        freshWatch.runOnce();

        assertThat(fresh.doubt()).isEmpty();
        watch().runOnce(); // its doubt was cleared together with the word of the other
        other.keeper.runOnce();
        watch(other).runOnce();
        watch().runOnce();
        assertThat(node.clock.doubt()).isEmpty();
    }

    @Test
    void of_a_clock_that_leapt_nobody_says_that_it_went_by() {
        HandDrivenNode sawIt = another("b");
        HandDrivenNode hasNotSeenIt = another("c");
        cluster.time.step(HOUR);
        node.keeper.runOnce();
        watch().runOnce();
        HandDrivenNode joinedAfter = another("d");
        hasNotSeenIt.clock.doubtedByAny(true);
        watch(hasNotSeenIt).runOnce();
        assertThat(cluster.rows.count("setting where name = 'clock-witness'")).isZero();
        for (HandDrivenNode each : List.of(sawIt, hasNotSeenIt, joinedAfter)) {
            each.keeper.runOnce();
            watch(each).runOnce();
        }
        watch().runOnce();

        assertThat(joinedAfter.clock.doubt()).isEmpty(); // it recalled nothing, and cannot know
        for (HandDrivenNode each : List.of(node, sawIt, hasNotSeenIt)) {
            assertThat(each.clock.doubt()).isPresent();
        }
        assertThat(cluster.rows.count("setting where name = 'clock-doubt'")).isEqualTo(1);
    }

    @Test
    void two_that_were_paused_together_do_not_vouch_for_each_other() {
        HandDrivenNode neighbour = another("b");
        Duration before = neighbour.suspended;
        cluster.time.advanceWithout(node, Duration.ofMinutes(10));
        neighbour.suspended = before;
        for (int i = 0; i < 2; i++) {
            for (HandDrivenNode each : List.of(node, neighbour)) {
                each.keeper.runOnce();
                watch(each).runOnce();
            }
        }

        assertThat(node.clock.doubt()).isPresent();
        assertThat(neighbour.clock.doubt()).isPresent();
    }

    @Test
    void a_doubt_of_a_node_that_is_gone_is_forgotten_when_it_has_stood() {
        HandDrivenNode other = another("b");
        pause(node, other, Duration.ofMinutes(10));
        watch().runOnce();
        cluster.crash("a");
        cluster.time.advance(DatabaseClock.STANDS);
        other.keeper.runOnce();
        watch(other).runOnce();
        other.keeper.runOnce();

        assertThat(cluster.rows.count("setting where name = 'clock-doubt'")).isZero();
        assertThat(other.clock.isDoubtedByAny()).isFalse();
    }

    private ClockWatch watch(HandDrivenNode of) {
        return new ClockWatch(of.clock, of.nanos, new ClockNotes(of.databases.get(0)));
    }

    private HandDrivenNode node() {
        return cluster.nodes().get(0);
    }

    private ClockWatch watch() {
        return new ClockWatch(
                node().clock, node().nanos, new ClockNotes(node().databases.get(0)));
    }
}
