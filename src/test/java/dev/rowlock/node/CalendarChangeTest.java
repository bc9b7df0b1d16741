package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.audit.Audit;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of jobs when a calendar is changed; every history must add up by the versions that are kept. */
@Tag("database")
class CalendarChangeTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01.500Z"); // a Monday
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String OPEN = "{}";
    private static final String CLOSED_TODAY = "{\"closed\": [{\"date\": \"2026-03-02\", \"name\": \"a fair\"}]}";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.rows.run("delete from calendar");
        cluster.rows.run("delete from calendar_version");
    }

    @AfterEach
    void close() throws IOException {
        try {
            cluster.addsUp();
            assertThat(cluster.brokenLinks(Duration.ofDays(10))).isZero();
        } finally {
            cluster.close();
        }
    }

    private static CalendarDefinition definition(String json) {
        return CalendarDefinition.parse(PlayedCluster.json(json));
    }

    private void calendar(String json) {
        cluster.calendars.put("cal", definition(json), false);
    }

    private void job(String name, String schedule, String onClosed) {
        cluster.put(
                name, "\"schedule\": \"" + schedule + "\", \"calendar\": \"cal\", \"onClosed\": \"" + onClosed + "\"");
    }

    /** Time goes by; what is due starts, and ends well. */
    private void work(Duration by) {
        Instant end = cluster.time.now().plus(by);
        while (cluster.time.now().isBefore(end)) {
            cluster.time.advance(SECOND);
            cluster.nodes().forEach(node -> {
                cluster.time.hold();
                node.keeper.runOnce();
                node.schedule();
                node.processes.end(0);
                node.recorder.runOnce();
            });
        }
    }

    private List<String> ran() {
        return cluster.node("a").processes.started.stream()
                .map(spec -> String.valueOf(spec.environment().get("ROWLOCK_FIRE_TIME"))
                        .substring(0, 16))
                .toList();
    }

    private Instant next(String job) {
        return cluster.jobs.get(new JobKey("default", job)).facts().nextFireTime();
    }

    @Test
    void nothing_starts_at_a_time_that_the_changed_calendar_does_not_ask_for() {
        calendar(OPEN);
        job("j", "*/2 * * * *", "SKIP");
        work(Duration.ofSeconds(3 * 60 + 40));
        assertThat(ran()).containsExactly("2026-03-02T10:02");
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'"))
                .as("10:04 is within the horizon")
                .isEqualTo(1);

        calendar(CLOSED_TODAY);
        work(Duration.ofMinutes(3));

        assertThat(ran()).containsExactly("2026-03-02T10:02");
        assertThat(next("j")).isEqualTo("2026-03-03T00:00:00Z");
    }

    @Test
    void nothing_is_late_that_the_changed_calendar_newly_asks_for_within_the_next_minute() {
        calendar(CLOSED_TODAY);
        job("j", "*/2 * * * *", "SKIP");
        work(Duration.ofSeconds(90));
        assertThat(ran()).isEmpty();

        calendar(OPEN);
        work(Duration.ofSeconds(30));

        assertThat(ran()).containsExactly("2026-03-02T10:02");
        assertThat(cluster.rows.one("select count(*) from task_history where lateness_ms > 1500"))
                .isEqualTo("0");
    }

    @Test
    void a_changed_calendar_never_fires_the_past_and_closed_days_make_no_rows() {
        calendar(CLOSED_TODAY);
        job("j", "*/2 * * * *", "SKIP");
        work(Duration.ofMinutes(5));
        calendar(OPEN);
        work(Duration.ofSeconds(90));

        assertThat(ran()).containsExactly("2026-03-02T10:06");
        assertThat(cluster.rows.count("task_history")).isEqualTo(1);
    }

    @Test
    void moved_times_follow_a_changed_calendar() {
        calendar("{\"closed\": [{\"date\": \"2026-03-03\"}]}");
        job("next", "5 10 3 3 *", "NEXT");
        job("previous", "5 10 3 3 *", "PREVIOUS");
        assertThat(next("next")).isEqualTo("2026-03-04T10:05:00Z");
        assertThat(next("previous")).isEqualTo("2026-03-02T10:05:00Z");

        calendar("{\"closed\": [{\"date\": {\"from\": \"2026-03-02\", \"to\": \"2026-03-04\"}}]}");

        assertThat(next("next")).isEqualTo("2026-03-05T10:05:00Z");
        assertThat(next("previous")).as("it would lie before now").isAfter(Instant.parse("2027-01-01T00:00:00Z"));
        work(Duration.ofMinutes(5));
        assertThat(ran()).isEmpty();
    }

    @Test
    void a_job_that_names_no_calendar_stays_as_it_is() {
        calendar(OPEN);
        cluster.put("plain", "\"schedule\": \"*/2 * * * *\"");
        job("j", "*/2 * * * *", "SKIP");
        calendar(CLOSED_TODAY);

        assertThat(cluster.jobs.get(new JobKey("default", "plain")).job().version())
                .isEqualTo(1);
        assertThat(cluster.jobs.get(new JobKey("default", "j")).job().version()).isEqualTo(2);
        assertThat(cluster.rows.one("select count(*) from job_version where name = 'j'"))
                .as("the move is kept with its validity")
                .isEqualTo("2");
    }

    @Test
    void a_change_whose_node_died_is_completed_by_another() {
        calendar(OPEN);
        for (int i = 0; i < 120; i++) {
            job("j" + i, "*/2 * * * *", "SKIP");
        }
        cluster.calendarRows.put("cal", definition(CLOSED_TODAY), seen -> {}, Audit.NONE);
        assertThat(cluster.following.areBehind()).isTrue();

        cluster.following.complete();

        assertThat(cluster.following.areBehind()).isFalse();
        assertThat(cluster.rows.one("select count(*) from job where version = 2 and name like 'j%'"))
                .isEqualTo("120");
        work(Duration.ofSeconds(150));
        assertThat(ran()).isEmpty();
    }

    @Test
    void a_paused_job_follows_and_stays_paused() {
        calendar(OPEN);
        job("j", "*/2 * * * *", "SKIP");
        cluster.pause("j");
        calendar(CLOSED_TODAY);
        work(Duration.ofMinutes(3));
        cluster.resume("j");
        work(Duration.ofMinutes(3));

        assertThat(ran()).isEmpty();
        assertThat(next("j")).isEqualTo("2026-03-03T00:00:00Z");
    }

    @Test
    void two_lines_and_two_calendars_follow_each_change() {
        calendar(OPEN);
        cluster.calendars.put("other", definition("{\"week\": [\"MON\", \"TUE\"]}"), false);
        cluster.put(
                "j",
                "\"schedule\": [\"5 10 * * *\", \"@every 3m\"], \"startAt\": \"2026-03-02T10:00:00Z\","
                        + " \"calendar\": [\"cal\", \"other\"]");
        work(Duration.ofSeconds(5 * 60 + 30));
        assertThat(ran()).containsExactly("2026-03-02T10:03", "2026-03-02T10:05");

        cluster.calendars.put("other", definition("{\"week\": [\"TUE\"]}"), false);
        work(Duration.ofMinutes(3));

        assertThat(ran()).hasSize(2);
        assertThat(next("j")).isEqualTo("2026-03-03T00:00:00Z");
    }
}
