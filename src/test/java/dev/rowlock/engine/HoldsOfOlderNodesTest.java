package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.job.JobFacts.SetAside;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.TaskView;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Release;
import dev.rowlock.store.task.TaskQueries;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** While nodes are replaced one by one: what a node of version 0.1 holds or lifts means the same to a node of this one, and the other way round. */
class HoldsOfOlderNodesTest extends NodeByHand {

    private static final String HELD =
            "select concat(state, ' ', due_at is null, ' ', coalesce(hold, 'free')) from task";

    private HandDrivenNode newer;

    private OlderNode older;

    @BeforeEach
    void open() {
        newer = a;
        createYearlyJob();
        older = new OlderNode(rows, Long.parseLong(String.valueOf(rows.one("select id from job"))));
        rows.run("update task set fire_time = utc_timestamp(3) - interval 50 second, due_at = fire_time,"
                + " cause = 'CATCH_UP'");
    }

    @Test
    void what_an_older_node_paused_a_newer_one_resumes_and_runs() {
        older.pause();
        newer.schedule();
        assertThat(newer.processes.started).isEmpty();
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        assertThat(task().holdReason()).isEqualTo("the job is paused");

        rows.run("update task set fire_time = utc_timestamp(3) + interval 1 second"); // else it fell into the pause
        jobs.setPaused(KEY, false, ANY);

        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_a_newer_node_paused_an_older_one_resumes() {
        jobs.setPaused(KEY, true, ANY);
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");

        older.resume();

        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_an_older_node_set_aside_a_newer_one_shows_and_releases() {
        older.setAside("cannot be prepared: full");

        SetAside shown = Objects.requireNonNull(jobs.get(KEY).facts().setAside());
        assertThat(shown.tasks()).isEqualTo(1);
        assertThat(shown.why()).isEqualTo("cannot be prepared: full");
        assertThat(task().hold()).isEqualTo("ERROR");
        assertThat(task().holdReason()).isEqualTo("cannot be prepared: full");
        assertThat(jobs.release(KEY, ANY).tasks()).isEqualTo(1);

        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_an_older_node_set_aside_a_newer_one_tries_again_by_itself() {
        older.setAside("cannot be prepared: full");
        rows.run("update task_aside set look_at = utc_timestamp(3)");

        newer.reconsidering.runOnce();

        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_a_newer_node_set_aside_an_edit_of_an_older_one_frees() {
        setAside();
        assertThat(older.aside()).isEqualTo(1);

        older.edit();

        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_a_newer_node_set_aside_and_an_older_one_paused_is_held_by_the_pause_alone() {
        setAside();

        older.pause();

        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        assertThat(jobs.release(KEY, ANY).tasks()).isZero();
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        older.resume();
        assertThat(held()).isEqualTo("IDLE 0 free");
    }

    @Test
    void what_either_gives_back_of_a_paused_job_the_other_resumes() {
        prepared();
        rows.run("update job set paused = true");
        older.giveBack();
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        rows.run("update task set fire_time = utc_timestamp(3) + interval 1 second");
        jobs.setPaused(KEY, false, ANY);
        assertThat(held()).isEqualTo("IDLE 0 free");

        prepared();
        rows.run("update job set paused = true");
        new Release(database).giveBack(new Release(database).held("s"));
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        older.resume();
        assertThat(held()).isEqualTo("IDLE 0 free");
        runsWhenDue();
    }

    @Test
    void what_either_frees_of_a_paused_job_the_other_resumes() {
        rows.run("update job set paused = true");
        setAside();
        older.release();
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        rows.run("update task set fire_time = utc_timestamp(3) + interval 1 second");
        jobs.setPaused(KEY, false, ANY);
        assertThat(held()).isEqualTo("IDLE 0 free");

        older.setAside("cannot be prepared: full");
        rows.run("update job set paused = true");
        jobs.release(KEY, ANY);
        assertThat(held()).isEqualTo("IDLE 1 PAUSE");
        older.resume();
        assertThat(held()).isEqualTo("IDLE 0 free");
    }

    @Test
    void a_result_that_was_refused_on_an_older_node_is_set_aside_when_a_newer_one_ends_its_session() {
        HandDrivenNode dead = playground.joined("dead", playground.address());
        dead.schedule();
        older.refused("full");
        assertThat(rows.one("select concat(hold, ' ', hold_reason) from v_running"))
                .isEqualTo("ERROR the result cannot be recorded: full");

        newer.beatFor(Duration.ofSeconds(40));
        newer.reaper.runOnce();

        assertThat(rows.one("select concat(state, ' ', hold_reason) from task where started_at is not null"))
                .isEqualTo("IDLE the result cannot be recorded: full");
        assertThat(older.aside()).isEqualTo(1);
    }

    @Test
    void a_result_that_was_refused_on_a_newer_node_an_older_one_sees_as_such() {
        newer.schedule();
        newer.processes.end(0);
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, ended_at, last_fire_time) select id, job_id, 'x', 'x', 1, fire_time, 'x', 1, 'MANUAL',"
                + " 'SUCCEEDED', utc_timestamp(3), fire_time from task where state = 'EXECUTING'");

        newer.recorder.runOnce();

        assertThat(older.refused()).isEqualTo(1);
    }

    /** Such as one that only a newer version knows. */
    @Test
    void another_kind_is_neither_lifted_nor_replaced_and_is_shown_as_it_is() {
        rows.run("insert into task (job_id, job_version, shard, fire_time, attempt, cause, waits_for, state)"
                + " select job_id, 1, shard, utc_timestamp(3) + interval 1 hour, 1, 'SCHEDULE',"
                + " 'weather: it rains in Berlin', 'IDLE' from task");
        TaskView task = task();
        Quarantine.Row row = row(task.id());

        new Quarantine(database).idle(List.of(row), "cannot be prepared: full");
        jobs.setPaused(KEY, true, ANY);
        jobs.release(KEY, ANY);
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("command", "false"), ANY);
        jobs.setPaused(KEY, false, ANY);

        TaskView after = new TaskQueries(database).find(task.id()).orElseThrow();
        assertThat(after.dueAt()).isNull();
        assertThat(after.hold()).isEqualTo("WEATHER");
        assertThat(after.holdReason()).isEqualTo("it rains in Berlin");
        assertThat(jobs.get(KEY).facts().setAside()).isNull();
        assertThat(rows.count("task_aside")).isZero();
    }

    private void setAside() {
        new Quarantine(database).idle(List.of(row(task().id())), "cannot be prepared: full");
        assertThat(held()).isEqualTo("IDLE 1 ERROR");
    }

    private Quarantine.Row row(long id) {
        String version = rows.one("select version from job");
        String shard = rows.one("select shard from task where id = " + id);
        return new Quarantine.Row(id, (int) number(version), (int) number(shard));
    }

    /** By a session that somebody will give back for. */
    private void prepared() {
        rows.run("update task set state = 'PREPARED', launch_id = '" + new LaunchId("s-1").text()
                + "', session_id = 's', prepared_at = utc_timestamp(3), due_at = utc_timestamp(3)");
    }

    private void runsWhenDue() {
        rows.run("update task set fire_time = utc_timestamp(3), due_at = fire_time");
        newer.schedule();
        assertThat(newer.processes.started).hasSize(1);
    }

    private @Nullable String held() {
        assertThat(rows.count("task")).isEqualTo(1);
        return rows.one(HELD);
    }

    private TaskView task() {
        return new TaskQueries(database)
                .find(number(rows.one("select max(id) from task")))
                .orElseThrow();
    }

    private static long number(@Nullable String text) {
        return Long.parseLong(String.valueOf(text));
    }
}
