package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A job of every ten seconds that is paused until five past ten, and all that may come between. */
@Tag("database")
class PauseUntilTest {

    private static final Instant START = Instant.parse("2026-03-20T10:00:00.500Z");
    private static final Instant UNTIL = Instant.parse("2026-03-20T10:05:00Z");
    private static final Duration STRETCH = Duration.ofSeconds(10);
    private static final String BECAUSE_OF_THE_PAUSE = "task_history where reason = 'the job was paused'";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void pause() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.join("b");
        cluster.rows.run("delete from setting where name like 'clock-%'");
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        work(Duration.ofMinutes(1));
        cluster.pauseUntil("j", UNTIL);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void it_resumes_by_itself_and_a_fire_time_at_the_very_end_runs() {
        work(until(UNTIL.minusMillis(1)));
        assertThat(isPaused()).isTrue();
        assertThat(ranFrom("10:01:10")).isZero();

        pass(Duration.ofMillis(1));
        assertThat(cluster.endPauses("a")).isZero();
        assertThat(isPaused()).isFalse();
        assertThat(cluster.job("j").job().pause().until()).isNull();
        work(Duration.ofMinutes(1));

        assertThat(cluster.rows.one("select min(fire_time) from task_history where outcome = 'SUCCEEDED'"
                        + " and fire_time > '2026-03-20 10:02:00'"))
                .startsWith("2026-03-20 10:05:00");
        assertThat(cluster.rows.one("select max(last_fire_time) from " + BECAUSE_OF_THE_PAUSE))
                .startsWith("2026-03-20 10:04:50");
        cluster.addsUp();
    }

    @Test
    void whoever_looks_knows_when_to_look_again() {
        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(5));
        pass(until(UNTIL.minusMillis(1_200)));
        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofMillis(1_200));
        assertThat(isPaused()).isTrue();
    }

    @Test
    void it_resumes_once_however_many_nodes_look_and_whichever_is_alive() {
        cluster.crash("a");
        pass(until(UNTIL.plusMillis(100)));
        int version = cluster.job("j").job().version();

        cluster.endPauses("b");
        cluster.join("a");
        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(5));

        assertThat(cluster.job("j").job().version()).isEqualTo(version + 1);
        work(Duration.ofMinutes(1));
        cluster.addsUp();
    }

    @Test
    void what_was_due_after_the_end_while_nobody_was_there_is_missed_and_not_paused() {
        pass(until(UNTIL).plus(Duration.ofHours(1)));
        cluster.endPauses("a");
        work(Duration.ofMinutes(1));

        assertThat(cluster.rows.one("select max(last_fire_time) from " + BECAUSE_OF_THE_PAUSE))
                .startsWith("2026-03-20 10:04:50");
        assertThat(cluster.rows.one("select sum(occurrences) from task_history where outcome = 'MISSED'"))
                .isGreaterThanOrEqualTo("355");
        assertThat(cluster.rows.count("task_history where cause = 'CATCH_UP' and outcome = 'SUCCEEDED'"))
                .isEqualTo(1);
        cluster.addsUp();
    }

    @Test
    void an_edit_keeps_its_end_and_the_new_schedule_goes_on_then() {
        work(Duration.ofMinutes(1));
        cluster.put("j", "\"schedule\": \"*/20 * * * * *\"");
        assertThat(cluster.job("j").job().pause().until()).isEqualTo(UNTIL);

        pass(until(UNTIL));
        cluster.endPauses("b");
        work(Duration.ofMinutes(1));

        assertThat(cluster.rows.one("select group_concat(date_format(fire_time, '%i:%s') order by fire_time)"
                        + " from task_history where outcome = 'SUCCEEDED' and fire_time >= '2026-03-20 10:02:00'"))
                .isEqualTo("05:00,05:20,05:40,06:00");
        cluster.addsUp();
    }

    @Test
    void an_edit_after_its_end_and_before_anybody_looked_decides_of_what_came_before_it() {
        pass(until(UNTIL).plusMillis(30_100));
        cluster.command("j", "false");
        assertThat(isPaused()).isTrue();
        cluster.put("j", "\"schedule\": \"*/20 * * * * *\"");

        cluster.endPauses("a");
        work(Duration.ofMinutes(1));

        assertThat(cluster.rows.one("select max(last_fire_time) from " + BECAUSE_OF_THE_PAUSE))
                .startsWith("2026-03-20 10:05:30");
        cluster.addsUp();
    }

    @Test
    void a_task_that_somebody_killed_stays_cancelled() {
        pass(until(UNTIL).plusMillis(5_000));
        cluster.tasks.kill(Long.parseLong(
                String.valueOf(cluster.rows.one("select id from live_task where cursor_of is not null"))));
        cluster.endPauses("a");
        work(Duration.ofMinutes(1));
        cluster.addsUp();
    }

    @Test
    void a_resume_or_another_pause_takes_the_place_of_its_end() {
        cluster.resume("j");
        assertThat(cluster.job("j").job().pause().until()).isNull();
        cluster.pause("j");
        pass(until(UNTIL).plusSeconds(1));
        cluster.endPauses("a");
        assertThat(isPaused()).isTrue();
        cluster.addsUp();
    }

    @Test
    void nothing_is_left_of_it_when_the_job_is_deleted() {
        cluster.delete("j");
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\", \"paused\": true");
        pass(until(UNTIL).plusSeconds(1));

        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(5));
        assertThat(isPaused()).isTrue();
        cluster.addsUp();
    }

    @Test
    void it_ends_by_the_clock_of_the_database_also_when_that_is_set_back() {
        pass(until(UNTIL.minusSeconds(1)));
        cluster.time.step(Duration.ofMinutes(-2));
        cluster.round();
        pass(Duration.ofSeconds(10));
        cluster.endPauses("a");
        assertThat(isPaused()).isTrue();

        work(until(UNTIL));
        cluster.endPauses("a");
        assertThat(isPaused()).isFalse();
        cluster.time.step(Duration.ofMinutes(-2));
        work(Duration.ofMinutes(4));
        assertThat(isPaused()).isFalse();
        cluster.addsUp();
    }

    @Test
    void a_clock_in_doubt_ends_no_pause() {
        cluster.time.step(Duration.ofHours(1));
        cluster.round();
        assertThat(cluster.nodes().get(0).clock.doubt()).isPresent();

        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(1));
        assertThat(isPaused()).isTrue();

        cluster.time.step(Duration.ofHours(-1));
        cluster.round();
        work(until(UNTIL));
        cluster.endPauses("a");
        assertThat(isPaused()).isFalse();
        work(Duration.ofMinutes(1));
        cluster.addsUp();
    }

    @Test
    void a_job_that_is_not_understood_is_left_to_others() {
        cluster.rows.run("update job set definition = json_set(definition, '$.calendar', 'holidays')");
        pass(until(UNTIL).plusSeconds(1));

        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(1));
        assertThat(isPaused()).isTrue();
    }

    @Test
    void many_whose_pauses_end_together_are_resumed_together() {
        for (int i = 0; i < 60; i++) {
            cluster.put("more" + i, "\"schedule\": \"*/10 * * * * *\"");
            cluster.pauseUntil("more" + i, UNTIL);
        }
        pass(until(UNTIL));
        long before = cluster.statements();

        cluster.endPauses("a");

        assertThat(cluster.statements() - before).isLessThan(61 * 2);
        assertThat(cluster.rows.count("job where paused")).isZero();
        assertThat(cluster.rows.count("live_task where cursor_of is not null and fire_time = '2026-03-20 10:05:00'"))
                .isEqualTo(61);
        assertThat(cluster.rows.count("job_version where not paused and valid_until is null"))
                .isEqualTo(61);
        cluster.addsUp();
    }

    @Test
    void jobs_that_nobody_here_understands_hide_no_others() {
        String numbers = "(with recursive s (n) as (select 1 union all select n + 1 from s where n < 100)"
                + " select 100 * a.n + b.n as n from s a join s b where a.n <= 20) numbers";
        cluster.rows.run("insert into job (namespace, name, version, definition, paused, paused_until, created_at,"
                + " updated_at) select namespace, concat('new', n), version, json_set(definition, '$.calendar', 'x'),"
                + " true, paused_until - interval 1 second, created_at, updated_at from job join " + numbers);
        cluster.rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, paused_until,"
                + " valid_from) select id, version, namespace, name, definition, paused, paused_until, updated_at"
                + " from job where name like 'new%'");
        pass(until(UNTIL));

        assertThat(cluster.endPauses("a")).isZero();
        cluster.endPauses("a");
        assertThat(isPaused()).isFalse();
        assertThat(cluster.endPauses("a")).isZero();
        assertThat(cluster.endPauses("a")).isEqualTo(Duration.ofSeconds(1));
    }

    /** Time goes by at once, as if all machines had been suspended. */
    private void pass(Duration by) {
        cluster.time.advance(by);
        cluster.round();
    }

    private void work(Duration by) {
        for (Duration left = by; !left.isNegative() && !left.isZero(); left = left.minus(STRETCH)) {
            cluster.work(left.compareTo(STRETCH) < 0 ? left : STRETCH, STRETCH.compareTo(left) < 0 ? STRETCH : left);
        }
    }

    private Duration until(Instant t) {
        return Duration.between(cluster.time.now(), t);
    }

    private boolean isPaused() {
        return cluster.job("j").job().definition().paused();
    }

    private long ranFrom(String time) {
        return cluster.rows.count(
                "task_history where outcome = 'SUCCEEDED' and fire_time >= '2026-03-20 " + time + "'");
    }
}
