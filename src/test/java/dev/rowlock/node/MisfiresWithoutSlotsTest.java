package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is prepared on a node that is alone becomes a misfire there while it waits for a slot. */
@Tag("database")
class MisfiresWithoutSlotsTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private HandDrivenNode a;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START, 1);
        cluster.join("a");
        a = cluster.nodes().get(0);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void what_was_prepared_with_it_and_is_no_misfire_yet_is_decided_with_it() {
        cluster.put("long", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        cluster.put("twice", "\"schedule\": \"5,25 0 10 * * *\"");
        a.schedule();
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'")).isEqualTo(3);
        fullFor(66);

        a.processes.end(0);
        a.processes.started.clear();
        a.scheduler.runOnce(); // without looking for more
        a.recorder.runOnce();
        pass(1);
        a.schedule();

        assertThat(runs()).containsExactly("default/twice 2026-03-02T10:00:25.000Z");
        endFirst();
        pass(1);
        a.schedule();
        assertThat(runs()).isEmpty();
        assertThat(cluster.rows.all(
                        "select concat(outcome, ' ', cause, ' ', time(fire_time)) as entry from task_history"
                                + " where job = 'twice' order by fire_time"))
                .extracting(row -> row.get("entry"))
                .containsExactly("MISSED SCHEDULE 10:00:05.000", "SUCCEEDED CATCH_UP 10:00:25.000");
        cluster.addsUp();
    }

    @Test
    void what_was_prepared_ahead_is_decided_with_it_too() {
        cluster.put("long", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        cluster.put("often", "\"schedule\": \"4-58/2 * * * * *\", \"misfireThreshold\": \"5s\"");
        cluster.put("between", "\"schedule\": \"@at 2026-03-02T10:00:08Z\"");
        a.schedule();
        fullFor(9);

        for (int turn = 0; turn < 4; turn++) {
            a.processes.end(0);
            a.processes.started.clear();
            a.scheduler.runOnce(); // without looking for more
            assertThat(a.prepared()).hasSize((int) cluster.rows.count("live_task where state = 'PREPARED'"));
            a.recorder.runOnce();
            pass(3);
            a.keeper.runOnce();
            a.scheduler.runOnce();
        }

        isMadeUpForInOrder();
    }

    @Test
    void nothing_passes_a_misfire_for_which_there_is_no_slot_yet() {
        cluster.put("long", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        cluster.put("one", "\"schedule\": \"4-58/2 * * * * *\", \"misfireThreshold\": \"5s\"");
        cluster.put("two", "\"schedule\": \"4-58/2 * * * * *\", \"misfireThreshold\": \"5s\"");
        a.schedule();
        fullFor(8);

        for (int turn = 0; turn < 4; turn++) {
            endFirst();
            pass(1);
            a.keeper.runOnce();
            a.scheduler.runOnce();
            a.schedule();
            pass(1);
            a.schedule();
        }

        isMadeUpForInOrder();
    }

    @Test
    void misfires_of_many_jobs_are_given_back_a_part_at_a_time() {
        for (int job = 0; job < 60; job++) {
            cluster.put("job" + job, "\"schedule\": \"20-59 * * * * *\", \"misfireThreshold\": \"5s\"");
        }
        pass(10);
        a.keeper.runOnce();
        a.schedule();
        assertThat(a.prepared()).hasSizeGreaterThan(1_000);
        pass(16);
        a.keeper.runOnce();

        a.scheduler.runOnce();

        assertThat(runs()).isEmpty();
        assertThat(a.prepared()).hasSize((int) cluster.rows.count("live_task where state = 'PREPARED'"));
        assertThat(a.prepared()).isNotEmpty();
        for (int turn = 0; turn < 4; turn++) {
            a.schedule();
            endFirst();
            pass(1);
        }
        isMadeUpForInOrder();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_may_not_start_any_more_is_missed_then_though_no_slot_is_free(boolean alone) {
        cluster.put("long", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        if (!alone) {
            cluster.join("b");
            cluster.put("other", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        }
        cluster.put("ahead", "\"schedule\": \"@at 2026-03-02T10:00:04Z\", \"startDeadline\": \"3s\"");
        pass(1);
        cluster.nodes().forEach(HandDrivenNode::schedule);
        assertThat(cluster.rows.count("live_task where state = 'EXECUTING'")).isEqualTo(alone ? 1 : 2);
        cluster.put("later", "\"schedule\": \"@at 2026-03-02T10:00:05Z\", \"startDeadline\": \"3s\"");
        cluster.put("plain", "\"schedule\": \"@at 2026-03-02T10:00:05Z\"");

        for (int second = 0; second < 8; second++) {
            pass(1);
            cluster.nodes().forEach(node -> node.keeper.runOnce());
            cluster.nodes().forEach(HandDrivenNode::schedule);
        }

        assertThat(cluster.rows.all(
                        "select concat(job, ' ', outcome, ' ', timestampdiff(second, fire_time, ended_at) <= 5,"
                                + " ' ', reason) as entry from task_history order by job"))
                .extracting(row -> row.get("entry"))
                .containsExactly(
                        "ahead MISSED 1 its startDeadline of 3s was over: no node that was to run it had a free slot",
                        "later MISSED 1 its startDeadline of 3s was over: no node that was to run it had a free slot");
        assertThat(cluster.rows.count("live_task where state <> 'EXECUTING'")).isEqualTo(1);
        cluster.addsUp();
    }

    /** Nothing has started as scheduled while something older of its job was still to be decided. */
    private void isMadeUpForInOrder() {
        assertThat(cluster.rows.count("task_history where cause = 'CATCH_UP'")).isPositive();
        assertThat(cluster.rows.all("select h.job, h.fire_time, m.fire_time as older from task_history h"
                        + " join task_history m on m.job = h.job and m.fire_time < h.fire_time"
                        + " and (m.outcome = 'MISSED' and m.ended_at > h.started_at"
                        + " or m.cause = 'CATCH_UP' and m.started_at > h.started_at)"
                        + " where h.cause = 'SCHEDULE' and h.started_at is not null"))
                .isEmpty();
        cluster.addsUp();
    }

    /** From second 2 on, the only slot is taken. */
    private void fullFor(int seconds) {
        for (int second = 0; second < seconds; second++) {
            pass(1);
            a.keeper.runOnce();
            a.schedule();
        }
        assertThat(runs()).containsExactly("default/long 2026-03-02T10:00:02.000Z");
    }

    private void pass(int seconds) {
        cluster.time.advance(Duration.ofSeconds(seconds));
        cluster.nodes().forEach(node -> node.nanos.advance(Duration.ofSeconds(seconds)));
        cluster.time.hold();
    }

    private void endFirst() {
        a.processes.end(0);
        a.processes.started.clear();
        a.recorder.runOnce();
    }

    private List<String> runs() {
        return a.processes.started.stream()
                .map(LaunchSpec::environment)
                .map((Map<String, String> environment) ->
                        environment.get("ROWLOCK_JOB") + " " + environment.get("ROWLOCK_FIRE_TIME"))
                .toList();
    }
}
