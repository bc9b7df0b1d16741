package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is prepared on a node that is alone becomes a misfire there while it waits for a slot. */
class MisfiresWithoutSlotsTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private HandDrivenNode a;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START, 1);
        cluster.join("a");
        a = cluster.nodes().get(0);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void what_was_prepared_with_it_and_is_no_misfire_yet_is_decided_with_it() {
        cluster.put("long", "\"schedule\": \"@at 2026-03-02T10:00:02Z\"");
        cluster.put("twice", "\"schedule\": \"5,25 0 10 * * *\"");
        a.schedule();
        assertThat(cluster.rows.count("task where state = 'PREPARED'")).isEqualTo(3);
        for (int second = 0; second < 66; second++) {
            pass(1);
            a.keeper.runOnce();
            a.schedule();
        }
        assertThat(runs()).containsExactly("default/long 2026-03-02T10:00:02.000Z");

        a.processes.end(0);
        a.processes.started.clear();
        a.scheduler.runOnce(); // without looking for more
        a.recorder.runOnce();
        pass(1);
        a.schedule();

        assertThat(runs()).containsExactly("default/twice 2026-03-02T10:00:25.000Z");
        endFirst();
        pass(1);
        a.schedule();
        assertThat(runs()).isEmpty();
        assertThat(cluster.rows.all(
                        "select concat(outcome, ' ', cause, ' ', time(fire_time)) as entry from task_history"
                                + " where job = 'twice' order by fire_time"))
                .extracting(row -> row.get("entry"))
                .containsExactly("MISSED SCHEDULE 10:00:05.000", "SUCCEEDED CATCH_UP 10:00:25.000");
        cluster.addsUp();
    }

    private void pass(int seconds) {
        cluster.time.advance(Duration.ofSeconds(seconds));
        a.nanos.advance(Duration.ofSeconds(seconds));
        cluster.time.hold();
    }

    private void endFirst() {
        a.processes.end(0);
        a.processes.started.clear();
        a.recorder.runOnce();
    }

    private List<String> runs() {
        return a.processes.started.stream()
                .map(LaunchSpec::environment)
                .map((Map<String, String> environment) ->
                        environment.get("ROWLOCK_JOB") + " " + environment.get("ROWLOCK_FIRE_TIME"))
                .toList();
    }
}
