package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.engine.session.OlderNodes;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.TestDatabase;
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

/** A long history that nodes of an earlier version have left, before several nodes of this one. */
@Tag("database")
class OlderNodesTest {

    private static final int ROWS = 3_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void fill() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-20T10:00:00Z"));
        cluster.join("b");
        cluster.round();
        cluster.rows.run("delete from setting where name like '%span%'");
        cluster.rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                        + " cause, outcome, ended_at, occurrences, last_fire_time) select n, 1, 'n', 'j', 1,"
                        + " '2026-01-01', '', n, 'SCHEDULE', 'MISSED', '2026-01-02', 3, '2026-01-01 00:00:02' from "
                        + Numbers.upTo(ROWS));
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private OlderNodes olderNodes(int node) {
        HandDrivenNode of = cluster.nodes().get(node);
        return new OlderNodes(of.lease, of.knownSessions, "test", of.databases.get(0), of.nanos);
    }

    @Test
    void one_of_them_notes_its_spans_little_by_little_and_another_starts_over_when_that_has_gone() {
        cluster.rows.run("update session set version = 'test'");
        OlderNodes a = olderNodes(0);
        OlderNodes b = olderNodes(1);

        a.runOnce();
        assertThat(noted()).isBetween(1L, ROWS - 1L);
        long before = noted();
        assertThat(b.runOnce().rest()).isEqualTo(Duration.ofMinutes(1));
        assertThat(noted()).isEqualTo(before);

        cluster.rows.run("delete from session where node = 'a'");
        for (int i = 0; i < ROWS && cluster.rows.count("setting where name = 'task-spans'") == 0; i++) {
            b.runOnce();
        }
        assertThat(noted()).isEqualTo(ROWS);

        cluster.rows.run("delete from task_span");
        b.runOnce();
        olderNodes(1).runOnce();
        assertThat(noted()).as("once").isZero();
    }

    @Test
    void nothing_is_noted_while_a_node_of_another_version_is_there() {
        cluster.rows.run("update session set version = if(node = 'a', 'test', 'earlier')");

        assertThat(olderNodes(0).runOnce().rest()).isEqualTo(Duration.ofMinutes(1));

        assertThat(noted()).isZero();
    }

    private long noted() {
        return cluster.rows.count("task_span");
    }
}
