package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.StopCause;
import dev.rowlock.http.Precondition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows the end of an attempt: whether there is another one, and when. */
class RetriesTest extends NodeByHand {

    private static final String WAITING = "select group_concat(concat(cause, ' ', attempt)) from live_task"
            + " where state = 'IDLE' and cursor_of is null";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "max": 1                                                   | TIMED_OUT | RETRY 2
            "max": 1, "onTimeout": false                               | TIMED_OUT |
            "max": 1, "onExitCodes": [75]                              | TIMED_OUT | RETRY 2
            "max": 1, "onExitCodes": [75], "onTimeout": false          | TIMED_OUT |
            "max": 1                                                   | KILLED    |
            """)
    void a_command_that_was_stopped_is_tried_again_after_a_timeout_only(
            String retry, String outcome, @Nullable String next) {
        start(retry, ", \"timeout\": \"1m\"");

        a.processes.stop(outcome.equals("KILLED") ? StopCause.REQUEST : StopCause.TIMEOUT);
        a.recorder.runOnce();

        assertThat(rows.one("select outcome from task_history")).isEqualTo(outcome);
        assertThat(rows.one(WAITING)).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "max": 1                             | 1   | FAILED    | RETRY 2
            "max": 1                             | 3   | SUCCEEDED |
            "max": 1, "onExitCodes": [75, 137]   | 1   | FAILED    |
            "max": 1, "onExitCodes": [75, 137]   | 75  | FAILED    | RETRY 2
            "max": 1, "onExitCodes": [75, 137]   | 137 | FAILED    | RETRY 2
            """)
    void a_failure_is_tried_again_if_its_exit_code_is_worth_it(
            String retry, int exitCode, String outcome, @Nullable String next) {
        start(retry, ", \"successExitCodes\": [0, 3]");

        finish(exitCode);

        assertThat(rows.one("select outcome from task_history")).isEqualTo(outcome);
        assertThat(rows.one(WAITING)).isEqualTo(next);
    }

    @Test
    void each_attempt_is_of_the_same_fire_time_and_waits_for_twice_as_long_and_there_are_no_more_than_may_be() {
        start("\"max\": 2, \"backoff\": \"100s\"", "");

        finish(1);
        assertThat(delay()).isBetween(85L, 111L);
        retryNow();
        finish(1);
        assertThat(delay()).isBetween(175L, 221L);
        retryNow();
        finish(1);

        assertThat(rows.one(WAITING)).isNull();
        assertThat(rows.one("select group_concat(concat(cause, ' ', attempt, ' ', outcome) order by id) from"
                        + " task_history"))
                .isEqualTo("MANUAL 1 FAILED,RETRY 2 FAILED,RETRY 3 FAILED");
        assertThat(rows.count("(select distinct fire_time, origin from task_history) x"))
                .isEqualTo(1);
    }

    @Test
    void what_is_lost_does_not_count_against_the_retries() {
        HandDrivenNode b = playground.joined("b", playground.address());
        create("\"max\": 1", "");
        jobs.run(KEY, null);
        b.schedule();
        expire(b);
        a.schedule();
        assertThat(rows.one("select cause from live_task where state = 'EXECUTING'"))
                .isEqualTo("RECOVERY");

        finish(1);

        assertThat(rows.one(WAITING)).isEqualTo("RETRY 3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_pause_takes_nothing_of_the_backoff_away_whether_it_begins_before_the_attempt_ends_or_after(boolean after) {
        create("\"max\": 1, \"backoff\": \"100s\"", "");
        jobs.run(KEY, null);
        ofSchedule();
        a.schedule();
        if (after) {
            finish(1);
        }
        jobs.setPaused(KEY, true, Precondition.NONE);
        if (!after) {
            finish(1);
        }
        assertThat(rows.one("select hold from live_task where cause = 'RETRY'")).isEqualTo("PAUSE");

        jobs.setPaused(KEY, false, Precondition.NONE);

        assertThat(delay()).isBetween(80L, 111L);
    }

    @Test
    void what_was_lost_again_and_again_waits_for_its_backoff_although_its_job_was_paused() {
        create("\"max\": 1", "");
        jobs.run(KEY, null);
        ofSchedule();
        rows.run("update live_task set losses = 1 where cause = 'SCHEDULE' and cursor_of is null");
        HandDrivenNode b = playground.joined("b", playground.address());
        b.schedule();
        expire(b);
        String waits = "select due_at from live_task where cause = 'RECOVERY'";
        String due = rows.one(waits);
        assertThat(due).isNotNull();
        jobs.setPaused(KEY, true, Precondition.NONE);
        assertThat(rows.one(waits)).isNull();

        jobs.setPaused(KEY, false, Precondition.NONE);

        // The row of the loss and that of the recovery are written by two statements, some time apart.
        assertThat(rows.count("live_task where cause = 'RECOVERY' and abs(timestampdiff(second, due_at, '" + due
                        + "')) <= 5"))
                .isEqualTo(1);
    }

    @Test
    void with_allow_the_next_occurrence_and_the_retry_both_run() {
        start("\"max\": 1, \"backoff\": \"5m\"", ", \"overlap\": \"ALLOW\"");
        finish(1);
        jobs.run(KEY, null);
        ofSchedule();
        a.schedule();

        retryNow();

        assertThat(
                        rows.one(
                                "select group_concat(cause order by cast(cause as char)) from live_task where state = 'EXECUTING'"))
                .isEqualTo("RETRY,SCHEDULE");
    }

    /** The journal has to know of the retry: the job is not read again. */
    @Test
    void a_failure_that_only_the_next_life_of_its_node_records_is_tried_again() {
        start("\"max\": 1, \"onExitCodes\": [75]", "");
        a.processes.end(75);
        playground.nodes.remove(a);
        a.close();

        a = playground.joined("a", playground.address());

        assertThat(rows.one("select outcome from task_history")).isEqualTo("FAILED");
        assertThat(rows.one(WAITING)).isEqualTo("RETRY 2");
    }

    private void create(String retry, String more) {
        jobs.create(
                PlayedCluster.json("{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"retry\": {"
                        + retry + "}" + more + "}"));
    }

    private void ofSchedule() {
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where cause = 'MANUAL'");
    }

    private void start(String retry, String more) {
        create(retry, more);
        jobs.run(KEY, null);
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
    }

    private void finish(int exitCode) {
        a.processes.end(exitCode);
        a.recorder.runOnce();
    }

    /** Until the retry is due, in seconds. */
    private long delay() {
        return Long.parseLong(String.valueOf(rows.one(
                "select timestampdiff(second, utc_timestamp(3), due_at) from live_task where cause = 'RETRY'")));
    }

    private void retryNow() {
        // Past what the node may be wrong about the database's time.
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        a.schedule();
    }

    private void expire(HandDrivenNode dead) {
        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + dead.session() + "'")));
        assertThat(a.sessions.expire(a.session(), dead.session(), beat, "gone")).isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }
}
