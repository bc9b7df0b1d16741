package dev.rowlock.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.store.SessionEnd.HeldPosition;
import dev.rowlock.cluster.store.Sessions.Previous;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.SessionGone;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.Start.NoSlot;
import dev.rowlock.task.transition.Transitions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of tasks when sessions beat, leave, expire and join again. */
class SessionTransitionsTest extends Transitions {

    @Test
    void leaving_loses_what_has_no_result_and_may_be_repeated() {
        Task done = started("one", rows.job("done", DEFINITION), 1);
        Task running = started("one", rows.job("running", DEFINITION), 2);

        finish.finish(List.of(ending(done, Outcome.SUCCEEDED)));

        for (int time = 0; time < 2; time++) {
            sessions.leave("one", "node a was stopped");
        }

        assertThat(rows.one("select outcome from task_history where id = " + done.id()))
                .isEqualTo("SUCCEEDED");
        assertThat(rows.one("select outcome from task_history where id = " + running.id()))
                .isEqualTo("LOST");
        assertThat(rows.count("task_history")).isEqualTo(2);
        assertThat(rows.count("session where id = 'one'")).isZero();
    }

    @Test
    void a_late_result_changes_nothing() {
        Task task = started("one", rows.job("j", DEFINITION), 1);
        assertThat(sessions.expire("two", "one", 1, "gone")).isTrue();

        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED))))
                .containsExactly(new Finish.TooLate(task.launch(), "LOST"));

        assertThat(rows.all("select outcome from task_history"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("outcome", "LOST"));
        assertThat(rows.one("select concat(state, ' ', cause, ' ', attempt) from live_task where cause = 'RECOVERY'"))
                .isEqualTo("IDLE RECOVERY 2");
    }

    /** A server that was replaced cannot commit a change, but says from old data that there is nothing to change. */
    @Test
    void that_a_result_is_late_takes_a_commit_that_changes_something() {
        Task task = started("one", rows.job("j", DEFINITION), 1);
        assertThat(sessions.expire("two", "one", 1, "gone")).isTrue();
        String changes = "select sum(counter) from cluster_lock where name like 'task-%'";
        long before = Long.parseLong(String.valueOf(rows.one(changes)));

        assertThat(finish.finish(List.of(ending(task, Outcome.SUCCEEDED)))).hasSize(1);

        assertThat(Long.parseLong(String.valueOf(rows.one(changes)))).isGreaterThan(before);
    }

    @Test
    void an_expired_session_gives_back_what_it_had_prepared() {
        Task prepared = prepared("one", 20_000);

        assertThat(sessions.expire("two", "one", 1, "gone")).isTrue();

        assertThat(rows.one("select state from live_task where id = " + prepared.id()))
                .isEqualTo("IDLE");
        assertThat(rows.count("session where id = 'one'")).isZero();
    }

    @Test
    void a_session_that_beats_again_is_not_expired() {
        sessions.beat("one", 2, new Sessions.Vitals(0, 0, 0, SessionState.ALIVE));

        assertThat(sessions.expire("two", "one", 1, "gone")).isFalse();
        assertThat(rows.count("session")).isEqualTo(2);
    }

    /** Two machines that were one go by the same id and count alike. */
    @Test
    void a_session_that_somebody_else_renews_too_is_not_renewed() {
        Sessions.Vitals vitals = new Sessions.Vitals(0, 0, 0, SessionState.ALIVE);

        assertThat(sessions.beat("one", 2, vitals)).isTrue();
        assertThat(sessions.beat("one", 2, vitals)).isFalse();
        assertThat(sessions.beat("one", 4, vitals))
                .as("after an answer that was lost")
                .isTrue();
    }

    @Test
    void an_expired_session_can_do_nothing_any_more() {
        Task prepared = prepared("one", -100);
        sessions.expire("two", "one", 1, "gone");

        assertThat(sessions.beat("one", 2, new Sessions.Vitals(0, 0, 0, SessionState.ALIVE)))
                .isFalse();
        assertThatThrownBy(() -> start.start("one", "a", List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK))
                .isInstanceOf(SessionGone.class);
        assertThatThrownBy(() -> acquired("one", scan().get(0), 9)).isInstanceOf(SessionGone.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_occurrence_that_is_lost_again_and_again_is_given_up(boolean purged) {
        long job = rows.job("j", DEFINITION);
        started("one", job, 1);
        int sessionNumber = 1;
        String owner = "one";
        for (int lost = 1; lost <= 4; lost++) {
            sessions.expire("two", owner, 1, "gone");
            if (purged) {
                rows.run("delete from task_history");
            }
            var recovery =
                    rows.all("select id, due_at > utc_timestamp(3) as later from live_task where cause = 'RECOVERY'");
            if (lost == 4) {
                assertThat(recovery).isEmpty();
                break;
            }
            assertThat(recovery).hasSize(1);
            assertThat(recovery.get(0)).containsEntry("later", lost == 1 ? "0" : "1");
            rows.run(
                    "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RECOVERY'");
            owner = "s" + ++sessionNumber;
            sessions.join(member(owner, owner), List.of());
            Task task = scan().stream()
                    .filter(c -> c.jobId() == job && !c.cursor())
                    .findFirst()
                    .orElseThrow();
            Task prepared = acquired(owner, task, 1).get(0);
            start.start(owner, owner, List.of(Claim.fire(prepared)), 10, NOW, NoSlot.GIVE_BACK);
        }
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(purged ? 0 : 4);
    }

    @Test
    void a_lost_occurrence_of_a_job_that_wants_no_rerun_stays_lost() {
        started("one", rows.job("j", DEFINITION.replace("RERUN", "FAIL")), 1);

        sessions.expire("two", "one", 1, "gone");

        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isZero();
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(1);
    }

    @Test
    void joining_again_ends_the_previous_session_and_keeps_what_was_recorded_of_it() {
        Task done = started("one", rows.job("done", DEFINITION), 1);
        Task never = started("one", rows.job("never", DEFINITION), 2);
        Task prepared = prepared("one", 20_000);

        finish.finish(List.of(ending(done, Outcome.SUCCEEDED)));

        sessions.join(member("three", "a"), List.of(Previous.own("one", Set.of(done.launch()))));

        assertThat(rows.one("select concat(outcome, ' ', session_id, ' ', node) from task_history"))
                .isEqualTo("SUCCEEDED one a");
        assertThat(rows.one("select state from live_task where id = " + never.id()))
                .isEqualTo("IDLE");
        assertThat(rows.one("select state from live_task where id = " + prepared.id()))
                .isEqualTo("IDLE");
        assertThat(rows.all("select id from session"))
                .extracting(row -> row.get("id"))
                .containsExactlyInAnyOrder("two", "three");
    }

    @Test
    void a_node_name_has_one_session() {
        assertThatThrownBy(() -> sessions.join(member("four", "a"), List.of())).isInstanceOf(StatementProblem.class);
    }

    @Test
    void tasks_without_a_session_are_found_and_settled() {
        started("one", rows.job("j", DEFINITION), 1);
        rows.run("delete from session where id = 'one'");

        assertThat(sessions.orphaned()).containsExactly("one");
        assertThat(sessions.settle("two", "one", HeldPosition.FIRST)).isPresent();

        assertThat(sessions.orphaned()).isEmpty();
        assertThat(sessions.settle("two", "one", HeldPosition.FIRST)).isEmpty();
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(1);
    }
}
