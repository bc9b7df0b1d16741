package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Marks.Mark;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes are frozen while they fire, again and again, beyond their fence: between the commit of a fire and the start of its commands too. How
 * often that moment was met is reported; what must hold, holds always.
 */
@Tag("database")
@Tag("slow")
class FrozenAnyMomentTest {

    private static final int ROUNDS = 3;
    private static final int JOBS = 40;
    /** Firing forty jobs takes a busy machine about that long. */
    private static final int FIRING_MILLIS = 150;

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final Map<String, Long> fences = new HashMap<>();

    @Test
    void what_a_node_has_committed_but_not_started_is_not_started_by_it_when_it_wakes_too_late() throws Exception {
        Rows rows = new Rows(database);
        long seed = System.nanoTime();
        Cluster.report("seed " + seed);
        Random random = new Random(seed);
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            cluster.haveRunning("a", "b", "c");
            cluster.eachSecond("any", JOBS);
            cluster.awaitRuns("any", JOBS * 2);
            for (int round = 0; round < ROUNDS; round++) {
                awaitFiring(rows, random);
                String first = freeze(cluster, List.of("a", "b", "c").get(round % 3));
                String second = freeze(cluster, List.of("b", "c", "a").get(round % 3));
                boolean expire = round % 2 == 0;
                Until.holds(
                        SOON,
                        "the fence, or the expiry",
                        () -> expire
                                ? !cluster.isThere(first) && !cluster.isThere(second)
                                : Uptime.millis() > fences.get(second) + 100);
                for (String node : List.of("a", "b", "c")) {
                    cluster.node(node).thaw();
                }
                Until.holds(
                        SOON,
                        "new sessions of both",
                        () -> !cluster.isThere(first) && !cluster.isThere(second) && rows.count("session") == 3);
            }
            cluster.awaitRunsAfter("any", Uptime.millis());
            cluster.settle("any", JOBS);

            List<Mark> starts = cluster.marks.starts("any");
            for (Mark mark : starts) {
                // The guard looks five times a second; what is under way at the fence ends within its next look, half a
                // second later at most.
                assertThat(mark.uptimeMillis())
                        .as("%s", mark)
                        .isLessThan(fences.getOrDefault(mark.session(), Long.MAX_VALUE / 2) + 500);
            }
            assertInOrder(cluster.marks.all());
            Cluster.report("frozen between commit and start: "
                    + rows.all("select launch_id from task_history where outcome = 'LOST'").stream()
                            .filter(row ->
                                    starts.stream().noneMatch(m -> m.launch().equals(row.get("launch_id"))))
                            .count()
                    + " commands, in " + 2 * ROUNDS + " freezes");
        }
    }

    /** Just after a second begins by the database's clock: the nodes fire then. */
    private static void awaitFiring(Rows rows, Random random) {
        long micros = Long.parseLong(String.valueOf(rows.one("select microsecond(utc_timestamp(6))")));
        LockSupport.parkNanos((1_000_000 - micros) * 1000 + random.nextInt(FIRING_MILLIS) * 1_000_000L);
    }

    /** Returns the frozen session. */
    private String freeze(Cluster cluster, String node) throws Exception {
        cluster.node(node).freeze();
        String session = cluster.sessionOf(node);
        fences.put(session, Uptime.millis() + Cluster.FENCE.toMillis());
        return session;
    }

    /** No mark of an earlier attempt at an occurrence is later than the start of a later one. */
    private static void assertInOrder(List<Mark> marks) {
        Map<String, Mark> latest = new HashMap<>();
        for (Mark mark : marks) { // in the order of writing
            Mark before = latest.put(mark.job() + " " + mark.fireTime(), mark);
            if (before != null) {
                assertThat(before.attempt()).as("%s before %s", before, mark).isLessThanOrEqualTo(mark.attempt());
            }
        }
    }
}
