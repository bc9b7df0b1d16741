package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Refused;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs of all kinds live through days in which people and nodes do as they please: edits, pauses, deletions, runs and
 * kills, nodes that are slow, full, dead or away for hours, clocks that change for the summer. After every step, every
 * fire time must be accounted for.
 */
@Tag("database")
class RandomLifeTest {

    /** Shortly before clocks change somewhere. */
    private static final List<Instant> STARTS = List.of(
            Instant.parse("2026-03-28T21:00:00.250Z"),
            Instant.parse("2026-10-24T22:00:00Z"),
            Instant.parse("2026-03-07T23:59:59.999Z"),
            Instant.parse("2026-10-03T12:00:00Z"));

    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    private static final List<String> SCHEDULES = List.of(
            "'* * * * * *'",
            "'*/7 * * * * *'",
            "'20-40/2 * * * * *'",
            "'* * * * *'",
            "'*/5 * * * *', 'zone': 'Europe/Berlin'",
            "'30 2 * * *', 'zone': 'Europe/Berlin'",
            "'0 30 1-3 * * *', 'zone': 'America/New_York', 'daylightSaving': 'PLAIN'",
            "'*/20 1-2 * * *', 'zone': 'Australia/Lord_Howe'",
            "'0 0 1 1 *'",
            "'@every 90s'",
            "'@every 1h'",
            "'@hourly'",
            "'@manual'",
            "'@at %s'",
            "'*/10 * * * * *', 'startAt': '%s'",
            "'*/10 * * * * *', 'endAt': '%s'",
            "['*/7 * * * * *', '* * * * *', '@at %s']",
            "[{'schedule': '30 2 * * *', 'zone': 'Europe/Berlin', 'env': {'A': '1'}}, '@every 90s']",
            "['@every 90s', {'schedule': '30 2 * * *', 'zone': 'Europe/Berlin'}]",
            "['* * * * * *', '0 0 3 * * *'], 'endAt': '%s'");

    private static final List<String> POLICIES = List.of(
            "",
            "",
            "",
            ", 'misfire': 'SKIP'",
            ", 'misfire': 'SKIP', 'misfireThreshold': '2s'",
            ", 'misfire': 'RUN_ALL', 'overlap': 'QUEUE'",
            ", 'misfire': 'RUN_ALL', 'overlap': 'ALLOW', 'catchUpLimit': 7",
            ", 'misfire': 'RUN_ALL', 'overlap': 'QUEUE', 'overlapLimit': 3, 'startDeadline': '5m'",
            ", 'startDeadline': '90s', 'misfireThreshold': '20s'",
            ", 'misfireThreshold': '1h'");

    /** Before it was due, or when its deadline was over. */
    private static final String STARTED_WRONGLY = """
            select h.*
              from task_history h join job_version v on v.job_id = h.job_id and v.version = h.job_version
             where h.lateness_ms < 0
                or h.attempt = 1
                  and (v.definition like '%"startDeadline":"5m"%' and h.started_at > h.fire_time + interval 5 minute
                   or v.definition like '%"startDeadline":"1m30s"%' and h.started_at > h.fire_time + interval 90 second)
            """;

    private static final List<String> JITTERS =
            List.of("", "", ", 'jitter': '1s'", ", 'jitter': '20s'", ", 'jitter': '85s'");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private final List<String> done = new ArrayList<>();

    /** {@code rowlock.test.lives} of them, from {@code rowlock.test.seed} on. */
    static IntStream seeds() {
        int first = Integer.getInteger("rowlock.test.seed", 2);
        return IntStream.range(first, first + Integer.getInteger("rowlock.test.lives", 3));
    }

    @Test
    void whatever_happens_every_fire_time_is_accounted_for() throws IOException {
        isAccountedFor(1);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_happens_in_further_lives_every_fire_time_is_accounted_for(int seed) throws IOException {
        isAccountedFor(seed);
    }

    private void isAccountedFor(int seed) throws IOException {
        Instant start = STARTS.get(seed % STARTS.size());
        Random random = new Random(seed);
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, start, 3)) {
            cluster.join("x");
            cluster.join("y");
            for (int step = 0; step < Integer.getInteger("rowlock.test.steps", 60); step++) {
                String what = act(cluster, random);
                done.add(cluster.time.now() + " " + what);
                List<AccountingResult> wrong = cluster.verify().stream()
                        .filter(account -> !account.addsUp())
                        .toList();
                assertThat(wrong)
                        .as(() -> "seed " + seed + ", after\n" + String.join("\n", done) + "\n")
                        .isEmpty();
                assertThat(cluster.brokenLinks(Duration.ofDays(10)))
                        .as(() -> "broken links; seed " + seed + ", after\n" + String.join("\n", done) + "\n")
                        .isZero();
                assertThat(cluster.rows.all(STARTED_WRONGLY))
                        .as(() -> "started; seed " + seed + ", after\n" + String.join("\n", done) + "\n")
                        .isEmpty();
            }
            assertThat(cluster.unexplained())
                    .as(() -> "explained; seed " + seed + ", after\n" + String.join("\n", done) + "\n")
                    .isEmpty();
        }
    }

    private String act(PlayedCluster cluster, Random random) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        try {
            return act(cluster, random, name);
        } catch (Refused e) {
            return "refused: " + e.getMessage();
        }
    }

    private static String act(PlayedCluster cluster, Random random, String name) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> work(cluster, random);
            case 4, 5 -> sleep(cluster, Duration.ofMillis(random.nextInt(200_000)));
            case 6 -> sleep(cluster, Duration.ofSeconds(random.nextInt(4 * 3600)));
            case 7 -> crash(cluster, random.nextBoolean() ? "x" : "y");
            case 8, 9, 10, 11 -> put(cluster, random, name);
            case 12 -> {
                cluster.command(name, "echo " + random.nextInt());
                yield "another command for " + name;
            }
            case 13, 14 -> {
                cluster.pause(name);
                yield "pause " + name;
            }
            case 15, 16 -> {
                cluster.resume(name);
                yield "resume " + name;
            }
            case 17 -> {
                cluster.delete(name);
                yield "delete " + name;
            }
            case 18 -> {
                cluster.jobs.run(new JobKey("default", name), null);
                yield "run " + name;
            }
            default -> kill(cluster, random);
        };
    }

    private static String sleep(PlayedCluster cluster, Duration by) {
        cluster.sleep(by);
        return "nobody for " + by;
    }

    private static String crash(PlayedCluster cluster, String node) {
        cluster.crash(node);
        cluster.join(node);
        return "crash of " + node;
    }

    private static String put(PlayedCluster cluster, Random random, String name) {
        String fields =
                schedule(cluster, random) + (random.nextInt(6) == 0 ? ", \"paused\": " + random.nextBoolean() : "");
        cluster.put(name, fields);
        return "put " + name + " " + fields;
    }

    /** Some nodes look, some do not; some commands end, well or badly, others go on. */
    private static String work(PlayedCluster cluster, Random random) {
        Duration stretch = Duration.ofMillis(200 + random.nextInt(15_000));
        for (int i = random.nextInt(4); i >= 0; i--) {
            cluster.time.advance(stretch);
            for (HandDrivenNode node : cluster.nodes()) {
                if (random.nextInt(4) > 0) {
                    node.keeper.runOnce();
                    node.schedule();
                    if (random.nextInt(3) > 0) {
                        node.processes.end(random.nextInt(2));
                    }
                    node.recorder.runOnce();
                    node.compensator.runOnce();
                    node.reaper.runOnce();
                }
            }
        }
        return "work in stretches of " + stretch;
    }

    private static String kill(PlayedCluster cluster, Random random) {
        List<Map<String, @Nullable String>> live = cluster.rows.all("select id from live_task order by id");
        if (live.isEmpty()) {
            return "nothing to kill";
        }
        long id = Long.parseLong(
                String.valueOf(live.get(random.nextInt(live.size())).get("id")));
        cluster.tasks.kill(id);
        return "kill task " + id;
    }

    private static String schedule(PlayedCluster cluster, Random random) {
        String text = SCHEDULES.get(random.nextInt(SCHEDULES.size()));
        Instant soon = cluster.time.now().plusMillis(random.nextInt(7_200_000) - 600_000);
        String policies = POLICIES.get(random.nextInt(POLICIES.size()));
        String jitter = text.startsWith("'@manual'") ? "" : JITTERS.get(random.nextInt(JITTERS.size()));
        boolean late = text.startsWith("'@manual'") && policies.contains("misfireThreshold");
        return ("'schedule': " + text.formatted(soon) + (late ? "" : policies) + jitter).replace('\'', '"');
    }
}
