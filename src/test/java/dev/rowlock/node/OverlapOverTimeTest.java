package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.exec.StopCause;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of every minute whose commands take longer than that, on two nodes. */
@Tag("database")
class OverlapOverTimeTest {

    private static final Duration STRETCH = Duration.ofSeconds(5);
    private static final String QUEUE = "\"schedule\": \"* * * * *\", \"overlap\": \"QUEUE\", \"misfire\": \"SKIP\"";
    private static final String REPLACE = "\"schedule\": \"* * * * *\", \"overlap\": \"REPLACE\"";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-02T10:00:30Z"));
        cluster.join("b");
    }

    @AfterEach
    void close() throws IOException {
        try {
            cluster.addsUp();
        } finally {
            cluster.close();
        }
    }

    @Test
    void what_waited_in_a_queue_for_minutes_is_no_misfire_for_the_node_that_is_handed_it() {
        cluster.put("j", QUEUE);
        pass(Duration.ofSeconds(275));
        assertThat(cluster.rows.count("live_task where hold = 'OVERLAP'")).isEqualTo(4);
        HandDrivenNode first = busy();

        for (int i = 0; i < 5; i++) {
            end(first);
            cluster.time.advance(Duration.ofMillis(500));
            step(first);
        }

        assertThat(ended())
                .containsExactly(
                        "10:01 SUCCEEDED", "10:02 SUCCEEDED", "10:03 SUCCEEDED", "10:04 SUCCEEDED", "10:05 SUCCEEDED");
        assertThat(cluster.rows.count("(select distinct node from task_history) x"))
                .isEqualTo(1);
    }

    @Test
    void what_waited_in_a_queue_for_minutes_is_no_misfire_for_another_node_that_finds_it() {
        cluster.put("j", QUEUE);
        pass(Duration.ofSeconds(215));
        assertThat(cluster.rows.count("live_task where hold = 'OVERLAP'")).isEqualTo(3);

        for (int i = 0; i < 4; i++) {
            HandDrivenNode node = busy();
            node.slots.lack(true); // so it is handed nothing
            end(node);
            cluster.time.advance(STRETCH);
            step(other(node));
        }

        assertThat(ended()).containsExactly("10:01 SUCCEEDED", "10:02 SUCCEEDED", "10:03 SUCCEEDED", "10:04 SUCCEEDED");
        assertThat(cluster.rows.count("(select distinct node from task_history) x"))
                .isEqualTo(2);
    }

    @Test
    void of_three_in_a_row_and_a_manual_run_the_newest_replaces_what_ignores_term() {
        cluster.put("j", REPLACE);
        cluster.nodes().forEach(node -> node.processes.ignoresTerm = true);
        pass(Duration.ofSeconds(155));
        String first = executing();
        run();
        pass(STRETCH);
        assertThat(executing()).as("while it is not dead").isEqualTo(first);

        HandDrivenNode node = busy();
        node.processes.stop(StopCause.REQUEST);
        record(node);
        pass(STRETCH);

        assertThat(ended()).containsExactly("10:02 SKIPPED", "10:03 SKIPPED", "10:01 KILLED");
        assertThat(replaced()).containsExactly("10:01 for 10:02", "10:02 for 10:03", "10:03 for run");
        assertThat(cluster.rows.one("select cause from live_task where state = 'EXECUTING'"))
                .isEqualTo("MANUAL");
    }

    @Test
    void the_schedule_replaces_a_manual_run() {
        cluster.put("j", REPLACE);
        run();
        pass(STRETCH);
        assertThat(cluster.rows.one("select cause from live_task where state = 'EXECUTING'"))
                .isEqualTo("MANUAL");

        pass(Duration.ofSeconds(30));

        assertThat(cluster.rows.one("select concat(cause, ' ', outcome) from task_history"))
                .isEqualTo("MANUAL KILLED");
        assertThat(cluster.rows.one(
                        "select concat(cause, ' ', date_format(fire_time, '%H:%i')) from live_task where state ="
                                + " 'EXECUTING'"))
                .isEqualTo("SCHEDULE 10:01");
    }

    @Test
    void the_newest_of_three_in_a_row_starts_when_the_dead_node_of_the_first_is_expired_and_not_before() {
        cluster.put("j", REPLACE);
        pass(Duration.ofSeconds(35));
        HandDrivenNode dead = busy();
        HandDrivenNode left = other(dead);
        String session = dead.session();
        cluster.crash(dead == cluster.node("a") ? "a" : "b");
        pass(Duration.ofMinutes(2));
        assertThat(left.processes.started).isEmpty();

        cluster.time.hold();
        long beat = Long.parseLong(
                String.valueOf(cluster.rows.one("select beat from session where id = '" + session + "'")));
        assertThat(left.sessions.expire(left.session(), session, beat, "gone")).isTrue();
        pass(STRETCH);

        assertThat(ended()).containsExactly("10:02 SKIPPED", "10:01 LOST");
        assertThat(cluster.rows.one("select date_format(fire_time, '%H:%i') from live_task where state = 'EXECUTING'"))
                .isEqualTo("10:03");
        assertThat(cluster.rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    private void run() {
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "j"), null);
    }

    /** Time goes by with the nodes at work, and commands that go on. */
    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STRETCH)) {
            cluster.time.advance(STRETCH);
            cluster.nodes().forEach(this::step);
        }
    }

    private void step(HandDrivenNode node) {
        cluster.time.hold();
        node.keeper.runOnce();
        record(node);
        cluster.time.hold();
        node.schedule();
    }

    private void end(HandDrivenNode node) {
        node.processes.end(0);
        record(node);
    }

    private void record(HandDrivenNode node) {
        cluster.time.hold();
        node.recorder.runOnce();
    }

    private HandDrivenNode busy() {
        return cluster.nodes().stream()
                .filter(node -> node.processes.running() > 0)
                .findFirst()
                .orElseThrow();
    }

    private HandDrivenNode other(HandDrivenNode one) {
        return cluster.nodes().stream().filter(node -> node != one).findFirst().orElseThrow();
    }

    private String executing() {
        return String.valueOf(cluster.rows.one("select group_concat(id) from live_task where state = 'EXECUTING'"));
    }

    /** What the schedule asked for, in the order of its ends. */
    private List<String> ended() {
        return cluster
                .rows
                .all("select concat(date_format(fire_time, '%H:%i'), ' ', outcome) as what from task_history"
                        + " where origin = '' order by ended_at, fire_time")
                .stream()
                .map(row -> String.valueOf(row.get("what")))
                .toList();
    }

    /** Which task had to go for which. */
    private List<String> replaced() {
        return cluster
                .rows
                .all(
                        "select concat(date_format(h.fire_time, '%H:%i'), ' for ', case when coalesce(n.origin, t.origin) = ''"
                                + " then date_format(coalesce(n.fire_time, t.fire_time), '%H:%i') else 'run' end) as what from"
                                + " task_history h left join task_history n on n.id = coalesce(h.replaced_by, h.superseded_by)"
                                + " left join live_task t on t.id = coalesce(h.replaced_by, h.superseded_by) order by h.fire_time")
                .stream()
                .map(row -> String.valueOf(row.get("what")))
                .toList();
    }
}
