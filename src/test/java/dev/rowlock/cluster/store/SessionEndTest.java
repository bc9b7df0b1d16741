package dev.rowlock.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.store.SessionEnd.HeldPosition;
import dev.rowlock.cluster.store.Sessions.Previous;
import dev.rowlock.task.Ending;
import dev.rowlock.task.store.SessionGone;
import dev.rowlock.task.transition.Transitions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How sessions end that hold much, and what is remembered of them. */
class SessionEndTest extends Transitions {

    private static final int MANY = 1_300;

    @Test
    void what_it_executed_is_lost_with_the_session_and_what_it_had_prepared_goes_back_batch_by_batch() {
        holds("one", MANY, 40);

        assertThat(sessions.expire("two", "one", 1, "not heard of")).isTrue();

        assertThat(rows.count("session where id = 'one'")).isZero();
        assertThat(rows.one("select group_concat(distinct concat(outcome, ' ', node, ' ', reason)) from task_history"))
                .isEqualTo("LOST a not heard of");
        assertThat(rows.count("task_history")).isEqualTo(40);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(MANY - 500);

        assertThat(sessions.orphaned()).containsExactly("one");
        Optional<HeldPosition> last = sessions.settle("two", "one", HeldPosition.FIRST);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(MANY - 1000);
        last = sessions.settle("two", "one", last.orElseThrow());
        last = sessions.settle("two", "one", last.orElseThrow());

        assertThat(last).isEmpty();
        assertThat(
                        rows.count(
                                "task where state = 'IDLE' and session_id is null and launch_id is null and cause = 'SCHEDULE'"))
                .isEqualTo(MANY);
        assertThat(sessions.orphaned()).isEmpty();
    }

    @Test
    void nothing_is_settled_of_a_session_that_is_there_or_by_one_that_is_not() {
        holds("one", 3, 0);

        sessions.settle("two", "one", HeldPosition.FIRST);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(3);

        rows.run("delete from session");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> sessions.settle("two", "one", HeldPosition.FIRST)))
                .isInstanceOf(SessionGone.class);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(3);
    }

    @Test
    void what_another_took_over_between_two_batches_stays_his() {
        holds("one", 501, 0);
        sessions.expire("two", "one", 1, "gone");
        rows.run(
                "update live_task set session_id = 'two', launch_id = concat('two-', id), state = 'EXECUTING' where state = 'PREPARED'");

        assertThat(sessions.settle("two", "one", HeldPosition.FIRST)).isEmpty();
        assertThat(rows.count("live_task where session_id = 'two' and state = 'EXECUTING'"))
                .isEqualTo(1);
    }

    @Test
    void what_is_settled_late_is_recorded_under_the_name_of_its_node() {
        holds("one", 0, 1);
        rows.run("insert into session_past select node, id, host, pid, version, capacity, started_at, heartbeat_at,"
                + " utc_timestamp(3), 'not heard of' from session where id = 'one'");
        rows.run("delete from session where id = 'one'");

        sessions.settle("two", "one", HeldPosition.FIRST);

        assertThat(rows.one("select concat(outcome, ' ', node, ' ', reason) from task_history"))
                .isEqualTo("LOST a its session one ended before it did (not heard of)");
    }

    @Test
    void of_a_session_that_nobody_remembers_no_node_is_made_up() {
        holds("one", 0, 1);
        rows.run("delete from session where id = 'one'");

        sessions.settle("two", "one", HeldPosition.FIRST);

        assertThat(rows.one("select concat(outcome, ' ', node is null) from task_history"))
                .isEqualTo("LOST 1");
    }

    @Test
    void the_last_session_of_each_node_is_remembered_for_a_day_with_its_reason() {
        sessions.leave("one", Ending.NODE_STOPPED);
        sessions.expire("two", "two", 1, "expired");
        assertThat(past("a")).isEqualTo("one stopped in order");

        sessions.join(member("three", "a"), List.of());
        sessions.join(member("four", "a"), List.of(Previous.own("three", Set.of())));
        assertThat(past("a"))
                .isEqualTo("three it could not renew its session in time; the node joined again as session four");
        sessions.join(member("five", "a"), List.of(Previous.ofAnother("four", 1)));
        assertThat(past("a"))
                .isEqualTo("four its process ended without leaving; the node joined again as session five");

        rows.run("update session_past set gone_at = gone_at - interval 25 hour");
        sessions.leave("five", Ending.NODE_STOPPED);
        assertThat(rows.count("session_past")).isEqualTo(1);
    }

    @Test
    void a_session_says_how_long_to_wait_for_it_and_one_of_an_earlier_version_does_not() {
        rows.run("update session set timeout_ms = null, settings = null where id = 'two'");
        sessions.beat("one", 2, new Sessions.Vitals(0, 0, 0, SessionState.STOPPING));

        List<ClusterSession> members = sessions.all().orElseThrow().members();

        assertThat(members)
                .filteredOn(m -> m.id().equals("one"))
                .singleElement()
                .satisfies(m -> {
                    assertThat(m.timeout()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(m.settings()).isEqualTo(Map.of("session.timeout", "7s"));
                    assertThat(m.state()).isEqualTo(SessionState.STOPPING);
                });
        assertThat(members)
                .filteredOn(m -> m.id().equals("two"))
                .singleElement()
                .satisfies(m -> {
                    assertThat(m.timeout()).isNull();
                    assertThat(m.settings()).isEmpty();
                });
        assertThat(rows.one("select state from session where id = 'one'"))
                .as("what nodes of the version before can read")
                .isEqualTo("DRAINING");
    }

    private @org.jspecify.annotations.Nullable String past(String node) {
        return rows.one("select concat(id, ' ', reason) from session_past where node = '" + node + "'");
    }

    /** Tasks of one job, given to the session past the product. */
    private void holds(String session, int prepared, int executing) {
        long job = rows.job("j", "{\"schedule\": \"* * * * * *\", \"onLost\": \"FAIL\"}");
        String numbers = "with recursive n as (select 1 as i union all select i + 1 from n where i < 40),"
                + " m as (select (x.i - 1) * 40 + y.i as i from n x join n y) ";
        rows.run(
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, launch_id, session_id)"
                        + " " + numbers + "select " + job + ", 1, " + job % 64
                        + ", utc_timestamp(3) + interval i second, 1, 'SCHEDULE', utc_timestamp(3) + interval if(i <= "
                        + prepared + ", i, -i) second, if(i <= " + prepared + ", 'PREPARED', 'EXECUTING'), concat('"
                        + session + "-', i), '"
                        + session
                        + "' from m where i <= " + (prepared + executing));
    }
}
