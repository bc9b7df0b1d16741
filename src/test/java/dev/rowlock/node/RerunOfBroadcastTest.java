package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.request.Reruns.RerunResult;
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

/** A broadcast that was missed as a whole, and runs again. */
@Tag("database")
class RerunOfBroadcastTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-02T10:00:01Z"));
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private void missedAndAskedForAgain(String fields) {
        cluster.put("j", "\"broadcast\": true, \"misfire\": \"SKIP\", " + fields);
        cluster.crash("a");
        cluster.sleep(Duration.ofMinutes(5));
        cluster.join("a2");
        cluster.work(SECOND, SECOND);
        cluster.time.hold();
        RerunResult asked = cluster.reruns.rerun(
                RerunRequest.parse(
                        PlayedCluster.json("{\"since\": \"2026-03-02T00:00:00Z\", \"outcome\": [\"MISSED\"]}")),
                null);
        assertThat(asked.created()).hasSize(1);
    }

    @Test
    void no_deadline_holds_for_its_parts() {
        missedAndAskedForAgain("\"schedule\": \"*/2 * * * *\", \"startDeadline\": \"10s\"");
        cluster.work(Duration.ofSeconds(4), SECOND);
        assertThat(cluster.rows.one("select group_concat(concat(outcome, ' ', coalesce(reason, ''))) from task_history"
                        + " where origin like 'node:%#%'"))
                .startsWith("SUCCEEDED");
    }

    @Test
    void its_parts_are_not_replaced_by_those_of_the_next_occurrence() {
        missedAndAskedForAgain("\"schedule\": \"* * * * *\", \"overlap\": \"REPLACE\"");
        for (int i = 0; i < 130; i++) {
            cluster.time.advance(SECOND);
            cluster.time.hold();
            cluster.nodes().forEach(node -> {
                node.keeper.runOnce();
                node.schedule();
            });
        }
        assertThat(cluster.rows.one("select group_concat(concat(origin, ' ', state, ' ', coalesce(replaced_by, '-'))"
                        + " order by id) from live_task where origin like 'node:%#%'"))
                .endsWith("EXECUTING -");
    }
}
