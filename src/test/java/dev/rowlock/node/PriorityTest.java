package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who goes first on a node that has a slot for only one. */
class PriorityTest extends NodeByHand {

    @Test
    void what_has_priority_goes_first_and_what_waits_gains_on_it() {
        List<Long> runs = List.of(run("plain", 0), run("high", 7), run("low", -3), run("old", 0));
        rows.run(
                "update live_task set due_at = due_at - interval 9 minute, fire_time = fire_time - interval 9 minute where id"
                        + " = " + runs.get(3));
        HandDrivenNode small = small();

        assertThat(List.of(next(small), next(small), next(small), next(small)))
                .containsExactly(runs.get(3), runs.get(1), runs.get(0), runs.get(2));
    }

    @Test
    void it_is_found_behind_a_backlog_that_is_longer_than_a_scan() {
        backlog(run("plain", 0));
        HandDrivenNode small = small();
        next(small);
        long high = run("high", 7);

        small.nanos.advance(Duration.ofSeconds(10)); // a search rests for twenty times as long as it took
        small.pollSoon();
        small.schedule(); // full, and looks for what has priority
        assertThat(rows.one("select state from live_task where id = " + high)).isEqualTo("PREPARED");

        assertThat(next(small)).isEqualTo(high);
    }

    @Test
    void what_has_none_is_found_behind_a_long_backlog_of_what_has_less() {
        backlog(run("low", -100));
        HandDrivenNode small = small();
        next(small);
        long plain = run("plain", 0);

        small.nanos.advance(Duration.ofSeconds(10));

        assertThat(next(small)).isEqualTo(plain);
    }

    /** 990 more of a task, a little older. */
    private void backlog(long like) {
        String columns = "job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state, priority";
        rows.run("insert into task (" + columns + ") select t.job_id, t.job_version, t.stripe, t.fire_time,"
                + " concat('more:', seq.n), 1, 'MANUAL', t.due_at - interval 30 second, 'IDLE', t.priority from live_task t join ("
                + "with recursive s (n) as (select 1 union all select n + 1 from s where n < 990) select n from s) seq"
                + " where t.id = " + like);
    }

    private HandDrivenNode small() {
        a.close();
        playground.nodes.remove(a);
        rows.run("delete from session");
        HandDrivenNode small = new HandDrivenNode("small", playground.address(), dir, 1);
        playground.nodes.add(small);
        small.keeper.runOnce();
        return small;
    }

    /** The task that it starts next. */
    private long next(HandDrivenNode node) {
        node.processes.end(0);
        node.recorder.runOnce();
        node.pollSoon();
        node.schedule();
        return Long.parseLong(Objects.requireNonNull(rows.one("select id from live_task where state = 'EXECUTING'")));
    }

    private long run(String name, int priority) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"%s\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"overlap\": \"ALLOW\", \"priority\": %d}"
                        .formatted(name, priority)));
        return jobs.run(new JobKey("default", name), null).task();
    }
}
