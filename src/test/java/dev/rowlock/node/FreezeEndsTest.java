package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How what a freeze held is let go: at its end, before that, or later. */
class FreezeEndsTest extends FreezesByHand {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    FreezeEndsTest() {
        super(SERVER);
    }

    @Test
    void one_that_was_ended_early_lets_go_at_once() {
        cluster.put("j", MINUTELY);
        cluster.put("daily", "\"schedule\": \"0 10 2 3 *\"");
        long freeze = cluster.freeze("\"all\": true, \"for\": \"2h\"");
        work(Duration.ofSeconds(150));

        cluster.endFreeze(freeze);
        work(SECOND);

        assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED'"))
                .isEqualTo(1);
        assertThat(cluster.rows.count("freeze where held_until is not null")).isZero();
        assertThat(cluster.rows.count("live_task where hold is not null")).isZero();
    }

    @Test
    void one_that_was_extended_or_shortened_holds_until_its_new_end() {
        cluster.put("j", MINUTELY);
        long freeze = cluster.freeze("\"all\": true, \"for\": \"2m\"");
        cluster.changeFreeze(freeze, "\"for\": \"10m\"");
        work(Duration.ofSeconds(200));
        assertThat(started()).isZero();

        cluster.changeFreeze(freeze, "\"until\": \"2026-03-02T10:04:30Z\"");
        work(Duration.ofSeconds(60));
        assertThat(started()).isZero();
        work(Duration.ofSeconds(12));

        assertThat(ended()).containsExactly("SKIPPED 10:01 3 10:03", "SUCCEEDED 10:04 1 10:04");
    }

    @Test
    void what_was_held_is_let_go_within_slots() {
        cluster.crash("a");
        cluster.join(new SmallNode(4).settings());
        for (int i = 0; i < 20; i++) {
            cluster.put("j" + i, "\"schedule\": \"1 10 2 3 *\"");
        }
        long freeze = cluster.freeze("\"all\": true, \"for\": \"1h\"");
        work(Duration.ofSeconds(70));
        assertThat(cluster.rows.count("live_task where hold = 'FREEZE'")).isEqualTo(20);

        cluster.endFreeze(freeze);
        HandDrivenNode node = cluster.nodes().get(0);
        cluster.time.advance(Duration.ofMillis(1_100)); // the other, which is dead, would have been first
        node.keeper.runOnce();
        node.waits.runOnce();
        node.schedule();
        assertThat(node.processes.started).hasSizeBetween(1, 4);

        work(Duration.ofSeconds(40));
        assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED'"))
                .isEqualTo(20);
    }

    @Test
    void a_manual_run_does_not_wait_until_what_a_freeze_held_of_its_job_is_let_go() {
        cluster.crash("a");
        cluster.join(new SmallNode(4).settings());
        for (int i = 0; i < 20; i++) {
            cluster.put("j" + i, MINUTELY);
        }
        long freeze = cluster.freeze("\"all\": true, \"for\": \"1h\"");
        work(Duration.ofSeconds(70));
        cluster.endFreeze(freeze);
        cluster.time.hold();
        List<Long> runs = IntStream.range(0, 20)
                .mapToObj(i -> cluster.jobs
                        .run(new JobKey("default", "j" + i), Overrides.NONE, null)
                        .task())
                .toList();
        HandDrivenNode node = cluster.node("small");
        node.waits.runOnce();
        node.schedule();

        assertThat(cluster.rows.count("job_next where hold = 'FREEZE'")).isGreaterThan(10);
        assertThat(cluster.rows.count("task where state <> 'IDLE' and cause = 'MANUAL'"))
                .isGreaterThan(3);
        work(Duration.ofSeconds(60));
        assertThat(cluster.rows.count("task_history where cause = 'MANUAL' and outcome in ('SUCCEEDED', 'SKIPPED')"))
                .isEqualTo(runs.size());
    }

    private long started() {
        return cluster.rows.count("task_history where started_at is not null")
                + cluster.rows.count("task where state = 'EXECUTING'");
    }

    /** Settings of a node with few slots. */
    private record SmallNode(int capacity) {

        EngineSettings settings() {
            Duration second = Duration.ofSeconds(1);
            return new EngineSettings(
                    "small",
                    capacity,
                    second.multipliedBy(2),
                    second.multipliedBy(20),
                    second.multipliedBy(5),
                    second.multipliedBy(30),
                    second.multipliedBy(30),
                    second,
                    second.multipliedBy(60),
                    1000,
                    10,
                    Duration.ZERO,
                    1,
                    Duration.ZERO,
                    Map.of());
        }
    }
}
