package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.backfill.BackfillRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job of several schedules fires by all of them, and its command is told by which. */
@Tag("database")
class SeveralSchedulesTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01.500Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String LINES =
            "'schedule': ['*/2 * * * *', {'schedule': '*/3  * * * *', 'env': {'A': 'line', 'B': 'line'}}],"
                    + " 'env': {'A': 'job'}";

    private static final String EVEN = "*/2 * * * * A=job";
    private static final String THIRD = "*/3  * * * * A=line B=line";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.rows.run("delete from idempotency_key");
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

    private void put(String fields) {
        cluster.put("j", fields.replace('\'', '"'));
    }

    /** What ran on a node, in its order: the minute of the fire time, the cause, the line and the variables. */
    private List<String> ran(String node) {
        return cluster.node(node).processes.started.stream()
                .map(spec -> {
                    Map<String, String> env = spec.environment();
                    return String.valueOf(env.get("ROWLOCK_FIRE_TIME")).substring(14, 16) + " "
                            + env.get("ROWLOCK_CAUSE") + " " + env.get("ROWLOCK_SCHEDULE") + " A=" + env.get("A")
                            + (env.containsKey("B") ? " B=" + env.get("B") : "");
                })
                .toList();
    }

    /** Time goes by until after this minute; what is due starts, and ends with this code. */
    private void workUntil(String minute, int exitCode) {
        Instant end = Instant.parse("2026-03-02T10:" + minute + ":01.500Z");
        while (cluster.time.now().isBefore(end)) {
            cluster.time.advance(cluster.time.stretch());
            cluster.nodes().forEach(node -> {
                cluster.time.hold();
                node.keeper.runOnce();
                node.schedule();
                node.processes.end(exitCode);
                node.recorder.runOnce();
            });
        }
    }

    @Test
    void the_command_gets_the_line_that_fired_and_its_variables_which_win_over_those_of_the_job() {
        put(LINES);
        workUntil("08", 0);

        assertThat(ran("a"))
                .as("06 is one occurrence, and the first line's")
                .containsExactly(
                        "02 SCHEDULE " + EVEN,
                        "03 SCHEDULE " + THIRD,
                        "04 SCHEDULE " + EVEN,
                        "06 SCHEDULE " + EVEN,
                        "08 SCHEDULE " + EVEN);
    }

    @Test
    void a_retry_carries_the_line_of_its_fire_time() {
        put(LINES + ", 'retry': {'max': 1, 'backoff': '1s'}");
        workUntil("02", 0);
        workUntil("03", 1);
        workUntil("04", 0);

        assertThat(ran("a").subList(1, 3)).containsExactly("03 SCHEDULE " + THIRD, "03 RETRY " + THIRD);
    }

    @Test
    void a_recovery_carries_the_line_of_its_fire_time() {
        put(LINES);
        workUntil("02", 0);
        cluster.time.advance(Duration.ofSeconds(58));
        cluster.round();
        cluster.time.hold();
        cluster.time.advance(SECOND);
        cluster.node("a").keeper.runOnce();
        cluster.time.hold();
        cluster.node("a").schedule();
        assertThat(cluster.rows.count("live_task where state = 'EXECUTING'")).isEqualTo(1);
        cluster.crash("a");
        cluster.join("a");
        cluster.work(Duration.ofSeconds(20), SECOND);

        assertThat(ran("a")).containsExactly("03 RECOVERY " + THIRD);
    }

    @Test
    void the_one_that_catches_up_carries_the_line_of_its_fire_time() {
        put(LINES);
        cluster.crash("a");
        cluster.sleep(Duration.ofSeconds(9 * 60 + 30));
        cluster.join("b");
        cluster.work(SECOND, SECOND);

        assertThat(ran("b")).containsExactly("09 CATCH_UP " + THIRD);
        assertThat(cluster.rows.one(
                        "select concat(outcome, ' ', occurrences) from task_history where outcome = 'MISSED'"))
                .as("02, 03, 04, 06, 08")
                .isEqualTo("MISSED 5");
    }

    @Test
    void a_rerun_carries_the_line_of_the_fire_time_that_it_repeats() {
        put(LINES);
        workUntil("04", 1);
        cluster.time.hold();
        cluster.reruns.rerun(RerunRequest.parse(PlayedCluster.json("{\"since\": \"2026-03-02T00:00:00Z\"}")), null);
        cluster.work(Duration.ofSeconds(20), SECOND);

        assertThat(ran("a").subList(3, 6))
                .containsExactly("02 MANUAL " + EVEN, "03 MANUAL " + THIRD, "04 MANUAL " + EVEN);
    }

    @Test
    void a_backfill_has_the_lines_of_the_fire_times_that_it_runs() {
        put(LINES);
        cluster.time.hold();
        cluster.backfills.request(
                new JobKey("default", "j"),
                BackfillRequest.parse(PlayedCluster.json(
                        "{\"from\": \"2026-03-02T09:02:00Z\", \"until\": \"2026-03-02T09:04:00Z\"}")),
                null);
        for (int i = 0; i < 5; i++) {
            cluster.takeTurns();
            cluster.work(SECOND, SECOND);
        }

        assertThat(ran("a")).containsExactly("02 BACKFILL " + EVEN, "03 BACKFILL " + THIRD);
    }

    @Test
    void a_manual_run_has_no_line_and_its_variables_are_those_of_the_job() {
        put(LINES + ", 'retry': {'max': 1, 'backoff': '1s'}");
        workUntil("01", 0);
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "j"), null);
        cluster.jobs.run(
                new JobKey("default", "j"),
                Overrides.parse(PlayedCluster.json("{\"env\": {\"B\": \"run\"}, \"overlap\": \"ALLOW\"}")),
                null);
        workUntil("02", 1);

        assertThat(ran("a").subList(0, 4))
                .contains("01 MANUAL  A=job", "01 MANUAL  A=job B=run", "01 RETRY  A=job", "01 RETRY  A=job B=run");
    }

    @Test
    void a_part_of_a_broadcast_has_the_line_of_its_occurrence() {
        put(LINES + ", 'broadcast': true");
        cluster.join("b");
        cluster.work(Duration.ofSeconds(190), SECOND);

        assertThat(ran("a")).containsExactly("02 SCHEDULE " + EVEN, "03 SCHEDULE " + THIRD);
        assertThat(ran("b")).isEqualTo(ran("a"));
    }

    @Test
    void an_attempt_whose_line_an_edit_has_dropped_has_that_of_the_version_in_force_at_its_fire_time() {
        put(LINES + ", 'retry': {'max': 1, 'backoff': '50s'}");
        workUntil("02", 0);
        workUntil("03", 1);
        put("'schedule': '*/2 * * * *', 'env': {'A': 'edited', 'C': 'new'},"
                + " 'retry': {'max': 1, 'backoff': '50s'}");
        cluster.work(Duration.ofSeconds(57), SECOND);

        assertThat(ran("a").get(2)).isEqualTo("03 RETRY " + THIRD);
        assertThat(cluster.node("a").processes.started.get(2).environment())
                .as("all else is as the definition that runs says")
                .containsEntry("C", "new");
    }

    @Test
    void an_attempt_whose_line_stays_has_it_as_the_edit_has_left_it() {
        put(LINES + ", 'retry': {'max': 1, 'backoff': '50s'}");
        workUntil("02", 0);
        workUntil("03", 1);
        put("'schedule': [{'schedule': '*/3  * * * *', 'env': {'A': 'edited'}}],"
                + " 'retry': {'max': 1, 'backoff': '50s'}");
        cluster.work(Duration.ofSeconds(57), SECOND);

        assertThat(ran("a").get(2)).isEqualTo("03 RETRY */3  * * * * A=edited");
    }

    @Test
    void an_attempt_whose_line_no_kept_version_knows_has_none() {
        put(LINES + ", 'retry': {'max': 1, 'backoff': '50s'}");
        workUntil("02", 0);
        workUntil("03", 1);
        put("'schedule': '*/2 * * * *', 'env': {'A': 'job'}, 'retry': {'max': 1, 'backoff': '50s'}");
        cluster.rows.run("update job_version set job_id = -job_id where version = 1");
        cluster.work(Duration.ofSeconds(57), SECOND);
        cluster.rows.run("update job_version set job_id = -job_id where version = 1"); // its history is checked

        assertThat(ran("a").get(2)).isEqualTo("03 RETRY  A=job");
    }

    @Test
    void a_single_text_is_a_line_too() {
        put("'schedule': ' */2 * * * *', 'env': {'A': 'job'}");
        workUntil("02", 0);

        assertThat(ran("a")).containsExactly("02 SCHEDULE " + EVEN);
    }

    /** Lines that share fire times, that end, and that lie in other zones; the first of a list are drawn. */
    private String anyList(Random random) {
        List<String> lines = new ArrayList<>(List.of(
                "'*/7 * * * * *'",
                "'*/20 * * * * *'",
                "'* * * * *'",
                "{'schedule': '*/30 */2 * * * *', 'zone': 'Asia/Kathmandu'}",
                "'@every 13s'",
                "{'schedule': '@every 90s', 'env': {'A': '" + random.nextInt(3) + "'}}",
                "'TZ=Europe/Berlin 30 2 * * *'",
                "'@at " + cluster.time.now().plusMillis(random.nextInt(300_000)) + "'"));
        Collections.shuffle(lines, random);
        String policy = List.of("", "", ", 'misfire': 'SKIP'", ", 'misfire': 'RUN_ALL', 'overlap': 'QUEUE'")
                .get(random.nextInt(4));
        return "'schedule': [" + String.join(", ", lines.subList(0, 1 + random.nextInt(lines.size()))) + "]" + policy;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_is_edited_between_lists_every_fire_time_is_accounted_for(long seed) {
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        for (int step = 0; step < 40; step++) {
            switch (random.nextInt(6)) {
                case 0 -> cluster.sleep(Duration.ofMillis(random.nextInt(900_000)));
                case 1, 2 -> cluster.work(Duration.ofSeconds(random.nextInt(20)), SECOND);
                default -> {
                    String fields = anyList(random);
                    done.add(cluster.time.now() + " " + fields);
                    put(fields);
                }
            }
            assertThat(cluster.verify())
                    .as("seed " + seed + ", after\n" + String.join("\n", done))
                    .allMatch(AccountingResult::addsUp);
        }
    }

    @Test
    void the_view_shows_a_line_below_the_other_and_a_zone_for_each() {
        put("'schedule': ['*/2 * * * *', {'schedule': '0 3 * * *', 'zone': 'Asia/Tokyo'}, 'TZ=Europe/Oslo 0 4 * * *'],"
                + " 'zone': 'Europe/Berlin'");
        assertThat(cluster.rows.one("select schedule from v_job"))
                .isEqualTo("*/2 * * * *\n0 3 * * *\nTZ=Europe/Oslo 0 4 * * *");
        assertThat(cluster.rows.one("select zone from v_job")).isEqualTo("Europe/Berlin\nAsia/Tokyo\nEurope/Oslo");

        put("'schedule': ['*/2 * * * *', '0 3 * * *'], 'zone': 'Europe/Berlin'");
        assertThat(cluster.rows.one("select concat(schedule, ' ', zone, ' ', state) from v_job"))
                .isEqualTo("*/2 * * * *\n0 3 * * * Europe/Berlin IDLE");
        put("'schedule': '0 3 * * *', 'zone': 'Europe/Berlin'");
        assertThat(cluster.rows.one("select concat(schedule, ' ', zone) from v_job"))
                .isEqualTo("0 3 * * * Europe/Berlin");
    }
}
