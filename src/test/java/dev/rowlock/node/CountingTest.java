package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.report.count.Counting;
import dev.rowlock.report.count.Counting.CountedBatch;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to nodes, connections and clocks, what is counted equals what a recount of all history says. */
@Tag("database")
class CountingTest {

    private static final List<String> SCHEDULES =
            List.of("* * * * * *", "*/7 * * * * *", "*/20 * * * * *", "* * * * *");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private final List<String> done = new ArrayList<>();

    static IntStream seeds() {
        int first = Integer.getInteger("rowlock.test.seed", 1);
        return IntStream.range(first, first + Integer.getInteger("rowlock.test.lives", 4));
    }

    @Test
    void every_row_of_history_is_counted_once() throws IOException {
        countsEachRowOnce(1, 30);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("seeds")
    void every_row_of_history_is_counted_once_in_further_lives(int seed) throws IOException {
        countsEachRowOnce(seed, 80);
    }

    private void countsEachRowOnce(int seed, int steps) throws IOException {
        Random random = new Random(seed);
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-28T23:58:00.250Z"), 10)) {
            cluster.join("x");
            cluster.join("y");
            TcpRelay relay = cluster.playground.relay();
            try (Database through = Database.single(cluster.playground.address(relay), Duration.ofSeconds(30))) {
                cluster.time.rules(through);
                for (int i = 0; i < 4; i++) {
                    cluster.put("j" + i, "\"schedule\": \"" + SCHEDULES.get(i) + "\"");
                }
                live(cluster, random, steps, through, relay);
                relay.passThrough();
                cluster.time.advance(Duration.ofHours(6));
                settle(cluster, through);

                Recount recount = new Recount(cluster.rows);
                assertThat(Recount.read(cluster.rows, Recount.STATS))
                        .as(() -> story(seed))
                        .isEqualTo(recount.stats())
                        .isNotEmpty();
                assertThat(Recount.read(cluster.rows, Recount.DAYS))
                        .as(() -> story(seed))
                        .isEqualTo(recount.days());
                assertThat(Recount.read(cluster.rows, Recount.MINUTES))
                        .as(() -> story(seed))
                        .isEqualTo(recount.minutes());
                assertThat(cluster.rows.count("task_uncounted")).isZero();
            }
        }
    }

    @Test
    void a_batch_may_hold_more_than_is_read_at_once() throws IOException {
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-28T12:00:00Z"), 10);
                Database database = Database.single(cluster.playground.address(), Duration.ofSeconds(30))) {
            cluster.time.rules(database);
            cluster.join("x");
            cluster.put("j", "\"schedule\": \"0 0 1 1 *\"");
            // Three thousand end at each instant, so what is read at once ends in the midst of one.
            cluster.rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin,"
                    + " attempt, cause, outcome, ended_at, last_fire_time, started_at)"
                    + " select 1000000 + n, j.id + n % 7, 'default', 'j', 1, at, '', 1, 'SCHEDULE', 'SUCCEEDED', at, at,"
                    + " at from (select n, timestamp('2026-03-28 10:00:00') + interval floor(n / 3000) second as at"
                    + " from (select a.n * 100 + b.n as n from " + numbers(120, "a") + " cross join "
                    + numbers(100, "b")
                    + ") n) h cross join job j");
            cluster.rows.run("insert into task_uncounted (task_id) select id from task_history where id % 11 = 0");
            Counting counting = new Counting(database);
            counting.begin();
            counting.reach(Instant.parse("2026-03-28T11:00:00Z"));

            assertThat(counting.count(10_000)).isEqualTo(new CountedBatch(10_000, true));
            assertThat(counting.count(10_000)).isEqualTo(new CountedBatch(2_000, false));
            assertThat(counting.countNoted(10_000).rows()).isEqualTo(12_000 / 11);

            assertThat(Recount.read(cluster.rows, Recount.STATS)).isEqualTo(new Recount(cluster.rows).stats());
            assertThat(Recount.read(cluster.rows, Recount.MINUTES)).isEqualTo(new Recount(cluster.rows).minutes());
        }
    }

    private static String numbers(int count, String name) {
        return "(select 0 as n"
                + IntStream.range(1, count)
                        .mapToObj(n -> " union all select " + n)
                        .collect(Collectors.joining()) + ") " + name;
    }

    private void live(PlayedCluster cluster, Random random, int steps, Database through, TcpRelay relay) {
        List<HistoryCounter> counters = counters(cluster, through);
        for (int step = 0; step < steps; step++) {
            switch (random.nextInt(10)) {
                case 0 -> {
                    String node = random.nextBoolean() ? "x" : "y";
                    cluster.crash(node);
                    cluster.join(node);
                    counters = counters(cluster, through);
                    done.add("crash of " + node);
                }
                case 1 -> {
                    Duration by = Duration.ofSeconds(random.nextInt(400));
                    cluster.sleep(by);
                    done.add("nobody for " + by);
                }
                case 2 -> {
                    Duration back = Duration.ofMillis(random.nextInt(20_000));
                    cluster.time.step(back.negated());
                    done.add("the clock is set back by " + back);
                }
                default -> done.add("work " + work(cluster, random));
            }
            for (int i = random.nextInt(12); i > 0; i--) {
                count(cluster, counters.get(random.nextInt(counters.size())), random, relay);
            }
        }
    }

    private static List<HistoryCounter> counters(PlayedCluster cluster, Database through) {
        return cluster.nodes().stream()
                .map(node -> new HistoryCounter(node.context(), through))
                .toList();
    }

    /** Commands end, and some nodes are slow to record it. */
    private static Duration work(PlayedCluster cluster, Random random) {
        Duration stretch = Duration.ofMillis(500 + random.nextInt(9_000));
        for (int i = 0; i < 3; i++) {
            cluster.time.advance(stretch);
            for (HandDrivenNode node : cluster.nodes()) {
                cluster.time.hold();
                node.keeper.runOnce();
                node.reaper.runOnce();
                node.schedule();
                if (random.nextInt(3) > 0) {
                    node.processes.end(random.nextInt(3) == 0 ? 1 : 0);
                }
                if (random.nextInt(3) == 0) {
                    node.recorder.runOnce();
                    node.compensator.runOnce();
                }
            }
        }
        return stretch;
    }

    private void count(PlayedCluster cluster, HistoryCounter counter, Random random, TcpRelay relay) {
        cluster.time.hold();
        int cut = random.nextInt(12);
        if (cut == 0) {
            relay.cutAfter(TcpRelay.statement("commit"));
        } else if (cut == 1) {
            relay.cutBefore(TcpRelay.statement("commit"));
        } else if (cut == 2) {
            relay.cutBefore(sql -> sql.contains("insert into job_stats"));
        }
        try {
            counter.runOnce();
        } catch (DatabaseUnavailable e) {
            done.add("a step of counting was cut: " + e.getMessage());
        } finally {
            relay.passThrough();
            renewed(cluster);
        }
    }

    /** A connection that was cut is made again with its next use, and has to learn of the time. */
    private static void renewed(PlayedCluster cluster) {
        try {
            cluster.time.hold();
        } catch (DatabaseUnavailable e) {
            cluster.time.hold();
        }
    }

    /** All results are recorded, and all that is recorded is counted. */
    private static void settle(PlayedCluster cluster, Database through) {
        List<HistoryCounter> counters = counters(cluster, through);
        for (int i = 0; i < 60; i++) {
            cluster.time.advance(Duration.ofSeconds(61));
            for (HandDrivenNode node : cluster.nodes()) {
                cluster.time.hold();
                node.keeper.runOnce();
                node.recorder.runOnce();
            }
            counters.forEach(counter -> {
                for (int step = 0; step < 5; step++) {
                    counter.runOnce();
                }
            });
        }
    }

    private String story(int seed) {
        return "seed " + seed + ", after\n" + String.join("\n", done) + "\n";
    }
}
