package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.HungDirectory;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node with jobs whose working directory does not answer. */
@Tag("database")
@Tag("slow")
class HungWorkdirTest {

    /** So long, and two seconds more, a command may hang: time enough to see it, and to kill one. */
    private static final String FENCE = "20s";

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void other_jobs_run_and_timeouts_kills_and_the_end_of_the_node_reach_those_that_hang() throws Exception {
        try (HungDirectory dead = HungDirectory.mount();
                Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start("a", Map.of("ROWLOCK_SESSION_FENCE", FENCE, "ROWLOCK_SESSION_TIMEOUT", "25s"))
                    .awaitReady(SOON);
            String silent = "its working directory " + dead.path() + " does not answer";
            for (String name : List.of("killed", "given-up", "stopped")) {
                cluster.job("hung", name, "@manual", ":", "workdir", dead.path().toString(), "onLost", "FAIL");
            }
            cluster.job("hung", "timed", "@manual", ":", "workdir", dead.path().toString(), "timeout", "2s");
            cluster.job("alive", "j", "* * * * * *", ":");
            long killed = cluster.run("hung", "killed");
            long givenUp = cluster.run("hung", "given-up");
            long timed = cluster.run("hung", "timed");

            a.awaitHealth(silent, SOON);
            a.awaitReady(SOON);
            cluster.awaitRunsAfter("alive", Uptime.millis());
            assertThat(a.send("POST", "/api/v1/tasks/" + killed + "/kill", "").statusCode())
                    .isEqualTo(202);
            awaitEnd(killed, "KILLED", silent);
            awaitEnd(timed, "TIMED_OUT", silent);
            awaitEnd(givenUp, "FAILED", silent);
            Until.holds(SOON, "nothing to hang", () -> !a.get("/readyz").body().contains(silent));

            long stopped = cluster.run("hung", "stopped");
            a.awaitHealth(silent, SOON);
            String session = cluster.sessionOf("a");
            a.terminate();
            assertThat(a.awaitExit(SOON)).as(a.log()).isZero();
            Cluster.awaitNoProcessOf(session);
            awaitEnd(stopped, "LOST", silent);
            assertThat(cluster.marks.starts("hung")).isEmpty();
            for (String failed : List.of("given-up", "timed")) {
                assertThat(a.log().lines().filter(line -> line.contains("hung/" + failed)))
                        .as(a.log())
                        .singleElement()
                        .asString()
                        .contains("WARN", silent);
            }
        }
    }

    private void awaitEnd(long task, String outcome, String reason) throws Exception {
        Until.holds(SOON, "the end of task " + task, () -> rows.count("task_history where id = " + task) == 1);
        assertThat(rows.one("select concat(outcome, ': ', reason) from task_history where id = " + task))
                .asString()
                .startsWith(outcome + ": ")
                .contains(reason);
    }
}
