package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.SqlTime;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody was there, and the job says what becomes of what it missed. */
@Tag("database")
class MisfirePoliciesTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
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

    @Test
    void what_is_made_for_it_has_the_priority_of_its_job_before_anybody_prepares_it() {
        put("j", "'schedule': '* * * * *', 'priority': 7");
        cluster.time.advance(Duration.ofMinutes(5));
        cluster.nodes().get(0).keeper.runOnce();

        cluster.nodes().get(0).scheduler.runOnce();

        assertThat(cluster.rows.count("live_task where state = 'IDLE' and priority = 7"))
                .isEqualTo(cluster.rows.count("live_task where state = 'IDLE'"))
                .isPositive();
        cluster.work(Duration.ofMinutes(2), SECOND);
    }

    @Test
    void all_is_missed_and_the_next_is_in_time() {
        put("j", "'schedule': '* * * * *', 'misfire': 'SKIP'");
        outage(Duration.ofMinutes(5));

        cluster.work(MINUTE, SECOND);

        assertThat(history("j"))
                .containsExactly("MISSED SCHEDULE 10:01:00 10:05:00 5", "SUCCEEDED SCHEDULE 10:06:00 10:06:00 1");
        assertThat(cluster.rows.one("select reason from task_history where outcome = 'MISSED'"))
                .isEqualTo("no node was there to run these occurrences in time (misfire SKIP)");
    }

    /** Over a slow network it knows the database's time to within as much as the answer took. */
    @Test
    void nothing_is_given_up_before_its_time_whatever_a_node_believes_the_time_to_be() {
        put("j", "'schedule': '*/10 * * * * *', 'misfire': 'SKIP', 'misfireThreshold': '3s'");
        HandDrivenNode a = cluster.nodes().get(0);
        cluster.time.advance(Duration.ofMillis(11_500));
        cluster.time.step(Duration.ofMillis(5));
        long answered = a.nanos.getAsLong();
        a.context().clock().sample(cluster.time.now(), answered - 1_200_000_000, answered);
        assertThat(a.context().clock().now()).isAfter(Instant.parse("2026-03-02T10:00:13.050Z"));

        a.schedule();

        assertThat(cluster.rows.count("task_history")).isZero();
        cluster.work(Duration.ofSeconds(1), SECOND);
        assertThat(starts("j")).containsExactly("2026-03-02T10:00:10.000Z");
    }

    @Test
    void nothing_is_given_up_by_a_clock_that_has_just_been_set_back() {
        put("j", "'schedule': '*/10 * * * * *', 'misfire': 'SKIP', 'misfireThreshold': '3s'");
        HandDrivenNode a = cluster.nodes().get(0);
        cluster.time.advance(Duration.ofSeconds(17));
        a.nanos.advance(Duration.ofSeconds(17));
        cluster.time.step(Duration.ofSeconds(-6));
        assertThat(a.context().clock().now()).isAfter(Instant.parse("2026-03-02T10:00:17.990Z"));

        a.schedule();

        assertThat(cluster.rows.count("task_history")).isZero();
        a.keeper.runOnce();
        a.schedule();
        a.schedule();
        assertThat(starts("j")).containsExactly("2026-03-02T10:00:10.000Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"QUEUE", "ALLOW"})
    void the_latest_run_in_their_order(String overlap) {
        put("j", "'schedule': '* * * * *', 'misfire': 'RUN_ALL', 'catchUpLimit': 3, 'overlap': '" + overlap + "'");
        outage(Duration.ofMinutes(10));

        cluster.work(Duration.ofSeconds(20), SECOND);

        assertThat(history("j"))
                .containsExactly(
                        "MISSED SCHEDULE 10:01:00 10:07:00 7",
                        "SUCCEEDED CATCH_UP 10:08:00 10:08:00 1",
                        "SUCCEEDED CATCH_UP 10:09:00 10:09:00 1",
                        "SUCCEEDED CATCH_UP 10:10:00 10:10:00 1");
        assertThat(starts("j"))
                .containsExactly("2026-03-02T10:08:00.000Z", "2026-03-02T10:09:00.000Z", "2026-03-02T10:10:00.000Z");
    }

    @Test
    void what_is_caught_up_with_waits_in_the_queue_whatever_its_limit() {
        put("j", "'schedule': '* * * * *', 'misfire': 'RUN_ALL', 'overlap': 'QUEUE', 'overlapLimit': 2");
        outage(Duration.ofMinutes(10));

        cluster.work(Duration.ofSeconds(40), SECOND);

        assertThat(history("j")).hasSize(10).allMatch(row -> row.startsWith("SUCCEEDED CATCH_UP"));
    }

    @Test
    void what_cannot_start_within_its_deadline_any_more_is_missed() {
        put("j", "'schedule': '* * * * *', 'misfire': 'RUN_ALL', 'overlap': 'QUEUE', 'startDeadline': '150s'");
        put("once", "'schedule': '*/5 * * * *', 'startDeadline': '90s'");
        outage(Duration.ofMinutes(7));

        cluster.work(Duration.ofSeconds(10), SECOND);

        assertThat(history("j"))
                .containsExactly(
                        "MISSED SCHEDULE 10:01:00 10:04:00 4",
                        "SUCCEEDED CATCH_UP 10:05:00 10:05:00 1",
                        "SUCCEEDED CATCH_UP 10:06:00 10:06:00 1",
                        "SUCCEEDED CATCH_UP 10:07:00 10:07:00 1");
        assertThat(history("once")).containsExactly("MISSED SCHEDULE 10:05:00 10:05:00 1");
        assertThat(cluster.rows.one("select reason from task_history where job = 'once'"))
                .isEqualTo("no node was there to run it in time, and none may start later than 1m30s after its fire"
                        + " time (startDeadline)");
    }

    @Test
    void a_job_has_a_threshold_of_its_own() {
        put("patient", "'schedule': '*/2 * * * *', 'misfireThreshold': '10m'");
        put("strict", "'schedule': '*/2 * * * *', 'misfireThreshold': '5s'");
        put("usual", "'schedule': '*/2 * * * *'");
        cluster.sleep(Duration.ofSeconds(100));
        cluster.round(); // what is due at 10:02:00 is prepared
        outage(Duration.ofSeconds(27));

        cluster.work(Duration.ofSeconds(5), SECOND);

        assertThat(history("patient")).containsExactly("SUCCEEDED SCHEDULE 10:02:00 10:02:00 1");
        assertThat(history("strict")).containsExactly("SUCCEEDED CATCH_UP 10:02:00 10:02:00 1");
        assertThat(history("usual")).containsExactly("SUCCEEDED SCHEDULE 10:02:00 10:02:00 1");

        outage(Duration.ofMinutes(5));
        cluster.work(Duration.ofSeconds(5), SECOND);

        assertThat(history("patient").get(1)).isEqualTo("SUCCEEDED SCHEDULE 10:04:00 10:04:00 1");
        assertThat(history("usual").get(1)).isEqualTo("MISSED SCHEDULE 10:04:00 10:04:00 1");
    }

    @Test
    void a_catch_up_after_three_days_is_short_and_others_are_fired_meanwhile() {
        for (int i = 0; i < 30; i++) {
            put("j" + i, "'schedule': '* * * * * *', 'misfire': 'RUN_ALL', 'overlap': 'QUEUE'");
        }
        cluster.sleep(Duration.ofDays(3).minusSeconds(2));
        put("punctual", "'schedule': '* * * * * *', 'overlap': 'ALLOW'");
        cluster.time.advance(SECOND);
        HandDrivenNode node = cluster.nodes().get(0);
        cluster.time.hold();
        node.keeper.runOnce();
        node.pollSoon();
        node.scheduler.runOnce();

        assertThat(cluster.rows.count("live_task where cause = 'CATCH_UP'")).isBetween(900L, 1_500L);
        int passes = 1;
        while (cluster.rows.count("task_history where outcome = 'MISSED'") < 30 && passes < 20) {
            cluster.time.advance(SECOND);
            cluster.time.hold();
            node.keeper.runOnce(); // without it the node does not see that a second went by
            node.pollSoon();
            node.scheduler.runOnce();
            passes++;
        }

        assertThat(passes).isBetween(3, 6);
        assertThat(starts("punctual")).hasSizeGreaterThanOrEqualTo(passes - 1);
        assertThat(cluster.rows.one("select min(occurrences) from task_history where outcome = 'MISSED'"))
                .isEqualTo(Integer.toString(3 * 86_400 - 1 - 100));
        assertThat(cluster.rows.count("live_task where cause = 'CATCH_UP'")).isEqualTo(3_000);
    }

    private void put(String name, String fields) {
        cluster.put(name, fields.replace('\'', '"'));
    }

    /** With a node before and after. */
    private void outage(Duration time) {
        String name = cluster.name();
        cluster.crash(name);
        cluster.sleep(time);
        cluster.join(name + "a");
    }

    private List<String> history(String job) {
        return cluster
                .rows
                .all("select outcome, cause, date_format(fire_time, '%T') as first, date_format(last_fire_time, '%T')"
                        + " as last, occurrences from task_history where job = '" + job + "' and fire_time > '"
                        + SqlTime.text(START) + "' order by fire_time")
                .stream()
                .map(row -> String.join(" ", row.values()))
                .toList();
    }

    /** The fire times of what was started, in order. */
    private List<String> starts(String job) {
        return cluster.nodes().stream()
                .flatMap(node -> node.processes.started.stream())
                .filter(spec -> ("default/" + job).equals(spec.environment().get("ROWLOCK_JOB")))
                .map(spec -> String.valueOf(spec.environment().get("ROWLOCK_FIRE_TIME")))
                .toList();
    }
}
