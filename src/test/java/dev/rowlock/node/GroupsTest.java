package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Refused;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import dev.rowlock.task.transition.StaleWaits;
import dev.rowlock.task.transition.StaleWaits.WaitBatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The limit of a group, whatever dies, and who comes next. */
class GroupsTest extends NodeByHand {

    private Groups groups;
    private GroupWaits waits;

    @BeforeEach
    void open() {
        groups = new Groups(new GroupStore(database), new TaskQueries(database), () -> {});
        waits = new GroupWaits(database);
        limit("g", 2);
    }

    @Test
    void no_more_than_the_limit_execute_and_the_others_follow_in_their_order() {
        List<Long> runs = List.of(run("a", "g", 0), run("b", "g", 0), run("c", "g", 0), run("d", "g", 5));
        a.schedule();
        assertThat(executing()).hasSize(2).contains(runs.get(3)); // which has priority
        assertThat(rows.one("select group_concat(distinct hold_reason) from live_task where hold = 'GROUP'"))
                .isEqualTo("no free slot in group g");
        assertThat(groups.get("g").executing()).isEqualTo(2);
        assertThat(groups.get("g").waiting()).isEqualTo(2);

        finish();
        assertThat(rows.count("group_slot")).isZero();
        assertThat(a.prepared()).hasSize(2);
        assertThat(waits.wake()).isZero();
        a.schedule();

        assertThat(executing()).hasSize(2);
        finish();
        assertThat(rows.count("task_wait")).isZero();
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED' and group_name = 'g'"))
                .isEqualTo(4);
    }

    @Test
    void what_has_just_come_does_not_go_before_what_waits() {
        limit("g", 1);
        run("a", "g", 0);
        a.schedule();
        long second = run("b", "g", 0);
        a.schedule();
        a.slots.lack(true); // so it leaves what comes next to whoever wakes it
        finish();
        long third = run("c", "g", 0);

        a.schedule(); // the second is not woken yet

        assertThat(executing()).isEmpty();
        assertThat(rows.one("select hold_reason from live_task where id = " + third))
                .isEqualTo("the free slots in group g are for tasks that go first");
        assertThat(waits.wake()).isEqualTo(1);
        a.schedule();
        assertThat(executing()).containsExactly(second);
    }

    @Test
    void a_node_that_dies_frees_what_it_held_when_it_is_expired_and_not_before() {
        limit("g", 1);
        HandDrivenNode b = playground.joined("b", playground.address());
        run("a", "g", 0);
        b.schedule();
        long second = run("b", "g", 0);
        a.schedule();
        assertThat(waits.wake()).isZero();

        expire(b);
        assertThat(rows.count("group_slot")).isZero();
        assertThat(waits.wake()).isEqualTo(1);
        a.schedule();

        assertThat(executing()).hasSize(1); // the recovery, or the other, but not both
        finish();
        waits.wake();
        a.schedule();
        assertThat(executing()).hasSize(1);
        finish();
        assertThat(rows.one("select outcome from task_history where id = " + second))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void a_start_whose_commit_nobody_saw_frees_its_slot_when_it_is_given_back() {
        run("a", "g", 0);
        a.schedule();
        a.localTasks.dropExecuting(a.processes.started.get(0).launchId());

        a.compensator.runOnce();

        assertThat(rows.count("group_slot")).isZero();
        assertThat(rows.one("select state from live_task where cause = 'MANUAL'"))
                .isEqualTo("IDLE");
    }

    @Test
    void a_lowered_limit_ends_nothing_and_a_raised_one_starts_more() {
        run("a", "g", 0);
        run("b", "g", 0);
        run("c", "g", 0);
        a.schedule();

        limit("g", 0);
        assertThat(executing()).hasSize(2);
        finish();
        assertThat(waits.wake()).isZero();
        long late = run("d", "g", 0);
        a.schedule();
        assertThat(rows.one("select hold_reason from live_task where id = " + late))
                .isEqualTo("no free slot in group g");

        limit("g", 5);
        waits.wake();
        a.schedule();
        assertThat(executing()).hasSize(2);
    }

    @Test
    void five_hundred_that_wait_are_read_a_few_at_a_time() {
        run("a", "g", 0);
        run("b", "g", 0);
        a.schedule();
        for (int i = 0; i < 5; i++) {
            rows.run(
                    "insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, hold, hold_reason,"
                            + " queued_at, state, group_name) select t.job_id, t.job_version, t.stripe, t.fire_time,"
                            + " concat('more:', uuid_short()), 1, 'MANUAL', null, 'GROUP', 'x', utc_timestamp(3), 'IDLE', 'g'"
                            + " from task_history h right join live_task t on true where t.state = 'EXECUTING' limit 100");
        }
        rows.run(
                "insert into task_wait (task_id, stripe, awaited, rank_at) select id, stripe, 'group:g', queued_at from"
                        + " task where hold = 'GROUP'");

        finish();

        assertThat(a.prepared()).hasSize(2);
        assertThat(waits.wake()).isZero(); // those take the slots
        rows.run("update task_wait set woken_at = woken_at - interval 3 second where woken_at is not null");
        rows.run(
                "update live_task set state = 'IDLE', hold = 'GROUP', hold_reason = 'x', launch_id = null, session_id = null, due_at = null"
                        + " where state = 'PREPARED'");
        assertThat(waits.wake()).isEqualTo(2);
        assertThat(waits.wake()).isZero();
    }

    @Test
    void two_groups_do_not_stop_each_other() {
        limit("h", 1);
        run("a", "g", 0);
        run("b", "h", 0);
        run("c", "h", 0);
        run("d", "g", 0);

        a.schedule();

        assertThat(rows.one("select group_concat(g order by g) from (select concat(group_name, count(*)) g from"
                        + " group_slot group by group_name) x"))
                .isEqualTo("g2,h1");
    }

    @Test
    void a_start_whose_answer_was_lost_never_lets_more_start_than_the_limit() throws Exception {
        limit("g", 1);
        TcpRelay relay = playground.relay();
        HandDrivenNode b = playground.joined("b", playground.address(relay));
        run("a", "g", 0);
        TcpRelay.Trap trap = relay.cutAfter(
                new Predicate<>() { // the first prepares it, the second starts it
                    private int commits;

                    @Override
                    public boolean test(String sql) {
                        return TcpRelay.statement("commit").test(sql) && ++commits == 2;
                    }
                });
        assertThat(catchThrowable(b::schedule)).isInstanceOf(DatabaseUnavailable.class);
        assertThat(trap.awaitSprung(Duration.ofSeconds(10))).isTrue();
        assertThat(b.processes.started).isEmpty();
        assertThat(rows.count("group_slot")).as("it is committed").isEqualTo(1);

        long second = run("b", "g", 5);
        a.schedule();
        assertThat(a.processes.started).isEmpty();
        b.compensator.runOnce();
        assertThat(rows.count("group_slot")).isZero();
        waits.wake();
        a.schedule();
        b.schedule();

        assertThat(executing()).containsExactly(second);
        assertThat(rows.count("group_slot")).isEqualTo(1);
        assertThat(b.processes.started).isEmpty();
    }

    @Test
    void a_slot_belongs_to_the_group_in_which_it_was_taken_though_the_job_moves_to_another() {
        limit("g", 1);
        limit("h", 1);
        long first = run("a", "g", 0);
        long other = run("c", "h", 0);
        a.schedule();
        long waiting = run("b", "g", 0);
        a.schedule();
        assertThat(executing()).containsExactly(first, other);

        move("a", "h"); // while it executes
        move("b", "h"); // while it waits
        a.schedule();
        assertThat(rows.one(
                        "select concat(hold, ' ', group_name, ' ', hold_reason) from live_task where id = " + waiting))
                .isEqualTo("GROUP h no free slot in group h");
        assertThat(slots()).isEqualTo("g1,h1");
        a.processes.end(a.processes.started.get(0).launchId(), 0);
        a.recorder.runOnce();
        waits.wake();
        a.schedule();
        assertThat(executing())
                .as("the slot that was freed is of the other group")
                .containsExactly(other);
        assertThat(slots()).isEqualTo("h1");

        finish();
        waits.wake();
        a.schedule();
        assertThat(executing()).containsExactly(waiting);
        assertThat(slots()).isEqualTo("h1");
    }

    /** Each node starts tasks of both groups in one transaction, and ends them in another. */
    @Test
    void two_nodes_that_start_and_end_tasks_of_two_groups_at_once_do_not_stop_each_other() throws Exception {
        limit("h", 2);
        HandDrivenNode b = playground.joined("b", playground.address());
        for (int i = 0; i < 20; i++) {
            create("j" + i, i % 2 == 0 ? "g" : "h", 0);
            Overrides there = new Overrides(null, Map.of(), i % 4 < 2 ? "a" : "b", null);
            jobs.run(new JobKey("default", "j" + i), there, null);
        }
        AtomicBoolean done = new AtomicBoolean();

        List<CompletableFuture<Void>> both = Stream.of(a, b)
                .map(node -> CompletableFuture.runAsync(() -> untilDone(node, done)))
                .toList();
        int looks = 0;
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (rows.count("task_history") < 20 && System.nanoTime() < deadline) {
            waits.wake();
            assertThat(rows.all("select group_name from live_task where state = 'EXECUTING' group by group_name having"
                            + " count(*) > 2"))
                    .isEmpty();
            looks++;
        }
        done.set(true);
        both.forEach(CompletableFuture::join);

        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(20);
        assertThat(rows.count("(select distinct node from task_history) x")).isEqualTo(2);
        assertThat(looks).isGreaterThan(5);
        assertThat(rows.count("group_slot") + rows.count("task_wait")).isZero();
    }

    private static void untilDone(HandDrivenNode node, AtomicBoolean done) {
        while (!done.get()) {
            node.keeper.runOnce();
            node.schedule();
            node.processes.end(0);
            node.recorder.runOnce();
        }
    }

    private void move(String job, String group) {
        jobs.patch(
                new JobKey("default", job),
                JsonNodeFactory.instance.objectNode().put("group", group),
                ANY);
    }

    private @Nullable String slots() {
        return rows.one("select group_concat(g order by g) from (select concat(group_name, count(*)) g from"
                + " group_slot group by group_name) x");
    }

    @Test
    void what_waits_when_its_job_is_paused_or_deleted_is_forgotten() {
        limit("g", 0);
        run("a", "g", 0);
        run("b", "g", 0);
        a.schedule();
        assertThat(rows.count("task_wait")).isEqualTo(2);

        jobs.delete(new JobKey("default", "a"), ANY);
        limit("g", 2);
        waits.wake();
        a.schedule();
        finish();

        assertThat(rows.count("task_wait")).isZero();
    }

    @Test
    void what_was_cancelled_while_it_waited_keeps_no_slot_empty() {
        limit("g", 1);
        run("a", "g", 0);
        a.schedule();
        jobs.create(PlayedCluster.json("{\"name\": \"m\", \"schedule\": \"@manual\", \"command\": \"true\","
                + " \"group\": \"g\", \"overlap\": \"ALLOW\"}"));
        for (int i = 0; i < 30; i++) {
            jobs.run(new JobKey("default", "m"), null);
        }
        a.schedule();
        assertThat(groups.get("g").waiting()).isEqualTo(30);

        jobs.delete(new JobKey("default", "m"), ANY);
        long next = run("n", "g", 0);
        a.schedule();
        assertThat(groups.get("g").waiting()).isEqualTo(1);
        finish();
        a.schedule();

        assertThat(executing()).containsExactly(next);
    }

    /** Of a node of the version before, or of a task that was woken and then held by something else. */
    @Test
    void rows_of_what_waits_no_more_are_in_nobodys_way_and_do_not_stay() {
        limit("g", 1);
        long first = run("a", "g", 0);
        a.schedule();
        long paused = run("p", "g", 0);
        a.schedule();
        rows.run("insert into task_wait (task_id, stripe, awaited, rank_at) values"
                + " (4711, 1, 'group:g', '2020-01-01'), (4712, 1, 'group:g', '2020-01-01'), (" + first
                + ", mod((select job_id from live_task where id = " + first + "), 64), 'group:g', '2020-01-01')");
        rows.run("update live_task set hold = 'PAUSE', hold_reason = 'the job is paused' where id = " + paused);
        a.slots.lack(true); // so it leaves what comes next to whoever wakes it
        finish();

        long fresh = run("b", "g", 0);
        a.schedule();
        assertThat(executing()).as("nobody goes first").containsExactly(fresh);
        long next = run("c", "g", 0);
        a.schedule();
        finish();
        waits.wake();
        a.schedule();
        assertThat(executing()).containsExactly(next);

        limit("g", 0);
        assertThat(rows.count("task_wait")).isEqualTo(4);
        assertThat(new StaleWaits(database).sweep(0)).isEqualTo(new WaitBatch(0, 4));
        assertThat(rows.count("task_wait")).isZero();
    }

    @Test
    void one_that_is_woken_and_does_not_come_lets_those_behind_it_by_and_keeps_its_place() {
        limit("g", 1);
        HandDrivenNode b = playground.joined("b", Map.of("a", "1"), NodeSecrets.NONE);
        run("z", "g", 0);
        a.schedule();
        long head = create("x", ", \"group\": \"g\", \"nodes\": \"a=1\"");
        b.schedule();
        long second = run("y", "g", 0);
        long third = run("w", "g", 0);
        a.schedule();
        b.slots.resize(1);
        long other = create("l", ", \"nodes\": \"a=1\"");
        b.schedule();
        assertThat(executing()).contains(other);

        finish();
        waits.wake();
        a.schedule();
        assertThat(executing()).as("its node is full").containsExactly(other);
        haveTheirChance();
        assertThat(waits.wake()).isEqualTo(1);
        a.schedule();
        assertThat(executing()).containsExactly(second, other);

        b.processes.end(0);
        b.recorder.runOnce();
        b.schedule();
        assertThat(rows.one("select hold from live_task where id = " + head)).isEqualTo("GROUP");
        finish();
        waits.wake();
        b.schedule();
        a.schedule();
        assertThat(executing()).containsExactly(head);
        b.processes.end(0);
        b.recorder.runOnce();
        waits.wake();
        a.schedule();
        assertThat(executing()).containsExactly(third);
    }

    /** Two seconds have passed. */
    private void haveTheirChance() {
        rows.run("update task_wait set woken_at = woken_at - interval 3 second where woken_at is not null");
    }

    private long create(String name, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"" + name + "\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\"" + more + "}"));
        return jobs.run(new JobKey("default", name), null).task();
    }

    @Test
    void a_group_is_there_as_long_as_a_job_needs_it() {
        assertThatThrownBy(() -> create("a", "nowhere", 0))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessage("group: there is no group 'nowhere'; create it with PUT /api/v1/groups/nowhere and a limit,"
                        + " or name another");
        create("a", "g", 0);
        assertThatThrownBy(() -> groups.delete("g"))
                .isInstanceOf(Refused.class)
                .hasMessage("group g is used by default/a; give these jobs another group, or none, first");

        jobs.delete(new JobKey("default", "a"), ANY);
        groups.delete("g");

        assertThat(groups.list(null, 10)).isEmpty();
    }

    @Test
    void slots_that_an_older_node_left_are_freed() {
        rows.run("insert into group_slot (task_id, launch_id, group_name) values (4711, 'gone-1', 'g')");

        assertThat(waits.sweep()).isEqualTo(1);
        assertThat(rows.count("group_slot")).isZero();
    }

    private void limit(String group, int limit) {
        groups.put(group, new GroupDefinition(limit, ""));
    }

    private void create(String name, String group, int priority) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"%s\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"group\": \"%s\", \"priority\": %d}"
                        .formatted(name, group, priority)));
    }

    private long run(String name, String group, int priority) {
        create(name, group, priority);
        return jobs.run(new JobKey("default", name), null).task();
    }

    private List<Long> executing() {
        return rows.all("select id from live_task where state = 'EXECUTING' order by id").stream()
                .map(row -> Long.valueOf(Objects.requireNonNull(row.get("id"))))
                .toList();
    }

    private void finish() {
        a.processes.end(0);
        a.recorder.runOnce();
    }

    private void expire(HandDrivenNode dead) {
        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + dead.session() + "'")));
        assertThat(a.sessions.expire(a.session(), dead.session(), beat, "gone")).isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }
}
