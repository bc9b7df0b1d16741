package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.task.Task;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What waited is prepared for the node that ends what was in its way, in that transaction, and for nobody else. */
class HandingOnTest extends NodeByHand {

    private static final String QUEUE = "\"overlap\": \"QUEUE\"";
    private static final String IN_GROUP = "\"group\": \"g\"";

    private Groups groups;
    private GroupWaits waits;

    @BeforeEach
    void open() {
        groups = new Groups(new GroupStore(database), new TaskQueries(database), () -> {});
        groups.put("g", new GroupDefinition(1, ""));
        waits = new GroupWaits(database);
    }

    @Test
    void the_next_of_a_queue_is_fired_without_being_looked_for() {
        create("j", QUEUE);
        run("j");
        long second = run("j");
        long third = run("j");
        a.schedule();

        end();
        assertThat(prepared()).containsExactly(second);
        assertThat(rows.one("select concat(state, ' ', session_id) from live_task where id = " + second))
                .isEqualTo("PREPARED " + a.session());
        a.scheduler.runOnce(); // the second is not over: it does not scan

        assertThat(executing()).containsExactly(second);
        assertThat(rows.one("select hold from live_task where id = " + third)).isEqualTo("OVERLAP");
    }

    @Test
    void as_many_as_have_ended_follow_in_a_group_in_their_order() {
        groups.put("g", new GroupDefinition(2, ""));
        for (String job : List.of("a", "b", "c", "d", "e")) {
            create(job, IN_GROUP);
        }
        run("a");
        run("b");
        a.schedule();
        List<Long> waiting = List.of(run("c"), run("d"), run("e"));
        a.schedule();

        end();
        assertThat(prepared()).containsExactlyInAnyOrder(waiting.get(0), waiting.get(1));
        assertThat(waits.wake()).as("those take the slots").isZero();
        a.scheduler.runOnce();

        assertThat(executing()).containsExactly(waiting.get(0), waiting.get(1));
        assertThat(rows.count("group_slot")).isEqualTo(2);
        assertThat(rows.one("select group_concat(task_id) from task_wait")).isEqualTo(String.valueOf(waiting.get(2)));
    }

    @Test
    void a_limit_that_was_lowered_is_kept() {
        groups.put("g", new GroupDefinition(2, ""));
        create("a", IN_GROUP);
        create("b", IN_GROUP);
        create("c", IN_GROUP);
        run("a");
        run("b");
        a.schedule();
        run("c");
        a.schedule();
        groups.put("g", new GroupDefinition(0, ""));

        end();
        a.schedule();

        assertThat(prepared()).isEmpty();
        assertThat(executing()).isEmpty();
        assertThat(rows.count("live_task where hold = 'GROUP'")).isEqualTo(1);
    }

    @Test
    void what_was_handed_on_in_a_commit_that_nobody_saw_is_given_back() {
        create("j", QUEUE);
        run("j");
        long second = run("j");
        long third = run("j");
        a.schedule();
        end();
        a.forgetPrepared();

        a.compensator.runOnce();
        assertThat(rows.one("select concat(state, ' ', hold is null, ' ', due_at <= utc_timestamp(3)) from live_task"
                        + " where id = " + second))
                .isEqualTo("IDLE 1 1");
        a.schedule();

        assertThat(executing()).containsExactly(second);
        end();
        a.schedule();
        assertThat(executing()).containsExactly(third);
    }

    @Test
    void what_was_handed_to_a_node_that_died_is_taken_over_and_none_before_it() {
        create("j", QUEUE);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.keeper.runOnce();
        a.keeper.runOnce();
        run("j");
        long second = run("j");
        long third = run("j");
        a.schedule();
        end();
        assertThat(prepared()).containsExactly(second);

        b.schedule();
        assertThat(executing()).isEmpty();
        rows.run("update live_task set due_at = due_at - interval 2 second where id = " + second);
        b.schedule();

        assertThat(executing()).containsExactly(second);
        assertThat(rows.one("select session_id from live_task where id = " + second))
                .isEqualTo(b.session());
        a.schedule();
        assertThat(executing()).containsExactly(second);
        assertThat(rows.one("select hold from live_task where id = " + third)).isEqualTo("OVERLAP");
    }

    @Test
    void a_session_that_ends_gives_back_what_it_was_handed() {
        create("j", QUEUE);
        HandDrivenNode b = playground.joined("b", playground.address());
        run("j");
        long second = run("j");
        a.schedule();
        end();

        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + a.session() + "'")));
        assertThat(b.sessions.expire(b.session(), a.session(), beat, "gone")).isTrue();
        b.schedule();

        assertThat(executing()).containsExactly(second);
        assertThat(rows.one("select session_id from live_task where id = " + second))
                .isEqualTo(b.session());
    }

    @Test
    void nothing_is_handed_to_a_node_that_is_drained() {
        create("j", QUEUE);
        run("j");
        long second = run("j");
        a.schedule();
        rows.run("update session set drained = true");

        end();

        assertThat(prepared()).isEmpty();
        assertThat(rows.one("select concat(state, ' ', due_at is not null) from live_task where id = " + second))
                .isEqualTo("IDLE 1");
    }

    @Test
    void nothing_is_handed_to_a_session_that_is_not_there() {
        create("j", QUEUE);
        run("j");
        long second = run("j");
        a.schedule();
        rows.run("delete from session");

        end();

        assertThat(prepared()).isEmpty();
        assertThat(rows.one("select concat(state, ' ', due_at is not null) from live_task where id = " + second))
                .isEqualTo("IDLE 1");
    }

    @Test
    void what_other_nodes_run_is_left_to_them() {
        create("a", IN_GROUP);
        create("b", IN_GROUP + ", \"nodes\": \"role=db\"");
        HandDrivenNode b = playground.joined("b", playground.address());
        rows.run("update session set labels = '{\"role\": \"db\"}' where id = '" + b.session() + "'");
        a.keeper.runOnce();
        b.keeper.runOnce();
        run("a");
        a.schedule();
        long second = run("b");
        b.schedule();
        assertThat(rows.one("select hold from live_task where id = " + second)).isEqualTo("GROUP");

        end();
        assertThat(prepared()).isEmpty();
        waits.wake();
        a.schedule();
        assertThat(executing()).isEmpty();
        b.schedule();

        assertThat(executing()).containsExactly(second);
    }

    @Test
    void what_this_node_has_never_read_is_left_to_whoever_finds_it() {
        create("a", IN_GROUP);
        create("b", IN_GROUP);
        HandDrivenNode b = playground.joined("b", playground.address());
        run("a");
        a.schedule();
        long second = run("b");
        b.schedule();

        end();

        assertThat(prepared()).isEmpty();
        assertThat(waits.wake()).isEqualTo(1);
        b.schedule();
        assertThat(executing()).containsExactly(second);
    }

    @Test
    void a_pause_and_an_edit_are_respected() {
        create("j", QUEUE);
        run("j");
        long second = run("j");
        a.schedule();
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where id = " + second);
        jobs.setPaused(KEY, true, ANY);

        end();
        assertThat(prepared()).isEmpty();
        assertThat(rows.one("select hold from live_task where id = " + second)).isEqualTo("PAUSE");

        create("k", QUEUE);
        run("k");
        long other = run("k");
        a.schedule();
        jobs.patch(
                new JobKey("default", "k"),
                JsonNodeFactory.instance.objectNode().put("command", "false"),
                ANY);
        end();
        a.schedule();

        assertThat(executing()).containsExactly(other);
        assertThat(rows.one("select job_version from live_task where id = " + other))
                .isEqualTo("2");
    }

    @Test
    void a_node_that_stops_is_handed_nothing() {
        create("j", QUEUE);
        run("j");
        run("j");
        a.schedule();
        a.localTasks.drain();

        end();

        assertThat(prepared()).isEmpty();
    }

    private void create(String name, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"%s\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", %s}".formatted(name, more)));
    }

    private long run(String name) {
        return jobs.run(new JobKey("default", name), null).task();
    }

    private void end() {
        a.processes.end(0);
        a.recorder.runOnce();
    }

    private List<Long> prepared() {
        return a.prepared().stream().map(Task::id).toList();
    }

    private List<Long> executing() {
        return rows.all("select id from live_task where state = 'EXECUTING' order by id").stream()
                .map(row -> Long.valueOf(Objects.requireNonNull(row.get("id"))))
                .toList();
    }
}
