package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.schedule.Durations;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.rule.Jitter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What starts behind its fire time, by the job's jitter. Job m has two fifths of it. */
@Tag("database")
class JitteredJobsTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    private static final JobKey KEY = new JobKey("default", "m");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private @Nullable PlayedCluster played;

    @AfterEach
    void close() throws IOException {
        try {
            cluster(START).addsUp();
            assertThat(cluster(START).brokenLinks(Duration.ofDays(10))).isZero();
        } finally {
            cluster(START).close();
        }
    }

    @Test
    void a_job_starts_as_far_behind_each_of_its_fire_times() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '* * * * *', 'jitter': '2m'");
        Duration jitter = jitter("2m");

        cluster.work(Duration.ofSeconds(250), SECOND);

        List<Map<String, @Nullable String>> ended = cluster.rows.all("select date_format(fire_time, '%T') as fire_time,"
                + " timestampdiff(second, fire_time, started_at) as behind, due_at = fire_time + interval "
                + jitter.toMillis() * 1000 + " microsecond as exact, lateness_ms between 0 and 999 as punctual, cause"
                + " from task_history order by fire_time");
        assertThat(ended)
                .extracting(row -> String.join(" ", row.values()))
                .containsExactly(
                        "10:01:00 " + jitter.plusMillis(999).toSeconds() + " 1 1 SCHEDULE",
                        "10:02:00 " + jitter.plusMillis(999).toSeconds() + " 1 1 SCHEDULE",
                        "10:03:00 " + jitter.plusMillis(999).toSeconds() + " 1 1 SCHEDULE");
        assertThat(cluster.nodes().get(0).processes.started.get(0).environment())
                .containsEntry("ROWLOCK_FIRE_TIME", "2026-03-02T10:01:00.000Z");
    }

    @Test
    void the_job_shows_its_fire_time_and_the_view_when_it_is_due() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '0 11 * * *', 'jitter': '1h'");

        assertThat(cluster.jobs.get(KEY).facts().nextFireTime()).isEqualTo(Instant.parse("2026-03-02T11:00:00Z"));
        assertThat(cluster.rows.count("v_upcoming where due_at = fire_time + interval "
                        + jitter("1h").toMillis() * 1000 + " microsecond"))
                .isEqualTo(1);
    }

    @Test
    void it_is_late_from_when_it_is_due() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m'"); // due at 10:12
        cluster.crash("a");
        cluster.sleep(Duration.ofMinutes(12).plusSeconds(54));
        cluster.join("b");
        cluster.work(Duration.ofSeconds(3), SECOND);
        assertThat(history()).containsExactly("SUCCEEDED SCHEDULE 10:10:00 10:10:00");

        cluster.crash("b");
        cluster.sleep(Duration.ofMinutes(12));
        cluster.join("c");
        cluster.work(Duration.ofSeconds(3), SECOND);
        assertThat(history())
                .containsExactly("SUCCEEDED SCHEDULE 10:10:00 10:10:00", "SUCCEEDED CATCH_UP 10:20:00 10:20:00");

        cluster.crash("c");
        cluster.sleep(Duration.ofMinutes(46)); // until 11:11
        cluster.join("d");
        cluster.work(Duration.ofSeconds(3), SECOND);
        assertThat(history().subList(2, 4))
                .containsExactly("MISSED SCHEDULE 10:30:00 10:50:00", "SUCCEEDED CATCH_UP 11:00:00 11:00:00");
    }

    @Test
    void what_is_still_ahead_goes_by_the_new_jitter_and_what_waits_already_keeps_its_time() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m'");
        cluster.time.advance(Duration.ofMinutes(9).plusSeconds(50));
        cluster.round();
        cluster.time.advance(Duration.ofSeconds(30)); // the fire time is over, and it is not due

        put("'schedule': '*/10 * * * *', 'jitter': '8m'");

        assertThat(due()).containsExactly("10:10:00 " + behind("5m"), "10:20:00 " + behind("8m"));
        put("'schedule': '*/10 * * * *'");
        assertThat(due()).containsExactly("10:10:00 " + behind("5m"), "10:20:00 0");
        cluster.work(Duration.ofMinutes(15), Duration.ofSeconds(15));
        assertThat(history())
                .containsExactly("SUCCEEDED SCHEDULE 10:10:00 10:10:00", "SUCCEEDED SCHEDULE 10:20:00 10:20:00");
    }

    @Test
    void what_would_be_overdue_by_a_shorter_jitter_is_cancelled() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '* * * * *', 'jitter': '29m'");
        cluster.work(Duration.ofMinutes(10), Duration.ofSeconds(30));
        assertThat(history()).isEmpty();

        put("'schedule': '* * * * *'");

        cluster.work(Duration.ofMinutes(5), Duration.ofSeconds(10));
        assertThat(history())
                .containsExactly(
                        "SUCCEEDED SCHEDULE 10:01:00 10:01:00",
                        "CANCELLED SCHEDULE 10:02:00 10:10:00",
                        "SUCCEEDED SCHEDULE 10:11:00 10:11:00",
                        "SUCCEEDED SCHEDULE 10:12:00 10:12:00",
                        "SUCCEEDED SCHEDULE 10:13:00 10:13:00",
                        "SUCCEEDED SCHEDULE 10:14:00 10:14:00",
                        "SUCCEEDED SCHEDULE 10:15:00 10:15:00");
    }

    @Test
    void a_changed_schedule_and_a_resumed_job_never_fire_the_past_though_it_is_not_due_yet() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m'");
        cluster.time.advance(Duration.ofMinutes(10));

        put("'schedule': '5-59/10 * * * *', 'jitter': '5m'");
        assertThat(history()).containsExactly("CANCELLED SCHEDULE 10:10:00 10:10:00");
        assertThat(due()).containsExactly("10:15:00 " + behind("5m"));

        cluster.time.advance(Duration.ofMinutes(5));
        cluster.pause("m");
        cluster.time.advance(SECOND);
        cluster.resume("m");
        assertThat(history()).element(1).isEqualTo("SKIPPED SCHEDULE 10:15:00 10:15:00");
        assertThat(due()).containsExactly("10:25:00 " + behind("5m"));

        cluster.pause("m");
        cluster.resume("m");
        assertThat(due()).containsExactly("10:25:00 " + behind("5m"));
    }

    @Test
    void an_edit_of_something_else_leaves_it_as_it_is() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m'");
        cluster.time.advance(Duration.ofMinutes(10));

        cluster.command("m", "echo");

        assertThat(due()).containsExactly("10:10:00 " + behind("5m"));
    }

    @Test
    void a_fire_time_at_the_end_of_a_pause_does_not_start_with_those_of_all_other_jobs() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m', 'priority': 30");
        cluster.pauseUntil("m", Instant.parse("2026-03-02T10:30:00Z"));
        cluster.sleep(Duration.ofMinutes(30));
        cluster.round();

        cluster.endPauses("a");

        assertThat(due()).containsExactly("10:30:00 " + behind("5m"));
        assertThat(cluster.rows.count("live_task where priority = 30")).isEqualTo(1);
        cluster.work(Duration.ofMinutes(6), Duration.ofSeconds(10));
        assertThat(history()).last().isEqualTo("SUCCEEDED SCHEDULE 10:30:00 10:30:00");
    }

    @Test
    void what_follows_a_task_that_was_killed_before_its_time_has_all_of_its_job() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '5m', 'priority': 30");

        cluster.tasks.kill(Long.parseLong(String.valueOf(cluster.rows.one("select id from live_task"))));

        assertThat(due()).containsExactly("10:20:00 " + behind("5m"));
        assertThat(cluster.rows.count("live_task where priority = 30")).isEqualTo(1);
    }

    @Test
    void what_was_killed_before_its_time_does_not_come_back_with_another_jitter() {
        PlayedCluster cluster = cluster(START);
        put("'schedule': '*/10 * * * *', 'jitter': '2m'");
        cluster.tasks.kill(Long.parseLong(String.valueOf(cluster.rows.one("select id from live_task"))));

        put("'schedule': '*/10 * * * *', 'jitter': '3m'");
        put("'schedule': '*/10 * * * *'");

        assertThat(due()).containsExactly("10:20:00 0");
        cluster.work(Duration.ofMinutes(21), Duration.ofSeconds(15));
        assertThat(history())
                .containsExactly("CANCELLED SCHEDULE 10:10:00 10:10:00", "SUCCEEDED SCHEDULE 10:20:00 10:20:00");
    }

    @Test
    void it_starts_as_far_behind_where_the_clocks_change() {
        PlayedCluster cluster = cluster(Instant.parse("2026-03-28T23:00:00Z"));
        put("'schedule': '30 2 * * *', 'zone': 'Europe/Berlin', 'jitter': '1h'");

        assertThat(due()).containsExactly("01:00:00 " + behind("1h")); // when the clocks jump from 2:00 to 3:00
        cluster.sleep(Duration.ofMinutes(143));
        cluster.work(Duration.ofMinutes(2), Duration.ofSeconds(10));
        assertThat(history()).containsExactly("SUCCEEDED SCHEDULE 01:00:00 01:00:00");
        assertThat(due()).containsExactly("00:30:00 " + behind("1h"));
    }

    private PlayedCluster cluster(Instant start) {
        if (played == null) {
            played = new PlayedCluster(SERVER, dir, start);
        }
        return played;
    }

    private void put(String fields) {
        cluster(START).put("m", fields.replace('\'', '"'));
    }

    private static Duration jitter(String most) {
        return Jitter.offset(KEY, Durations.parse(most).orElseThrow());
    }

    private static long behind(String most) {
        return jitter(most).toSeconds();
    }

    private List<String> due() {
        return cluster(START)
                .rows
                .all("select concat(date_format(fire_time, '%T'), ' ', timestampdiff(second, fire_time, due_at)) as due"
                        + " from live_task where state = 'IDLE' order by fire_time")
                .stream()
                .map(row -> String.valueOf(row.get("due")))
                .toList();
    }

    private List<String> history() {
        return cluster(START)
                .rows
                .all("select outcome, cause, date_format(fire_time, '%T') as first,"
                        + " date_format(last_fire_time, '%T') as last from task_history where fire_time > '"
                        + SqlTime.text(START) + "' order by fire_time")
                .stream()
                .map(row -> String.join(" ", row.values()))
                .toList();
    }
}
