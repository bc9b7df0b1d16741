package dev.rowlock.node;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A cluster driven by hand that is frozen, of which every fire time is accounted for in the end. */
@Tag("database")
abstract class FreezesByHand {

    static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    static final Duration SECOND = Duration.ofSeconds(1);
    static final String MINUTELY = "\"schedule\": \"* * * * *\"";

    private final TestDatabase server;

    @TempDir
    Path dir;

    PlayedCluster cluster;

    /** @param server of all tests of the class */
    FreezesByHand(TestDatabase server) {
        this.server = server;
    }

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(server, dir, START);
    }

    @AfterEach
    void close() throws IOException {
        cluster.addsUp();
        cluster.close();
    }

    /** Time goes by with the nodes at work: second by second around full minutes, and at the end. */
    void work(Duration by) {
        Instant end = cluster.time.now().plus(by);
        while (cluster.time.now().isBefore(end)) {
            boolean isEnding = !cluster.time.now().plusSeconds(10).isBefore(end);
            cluster.time.advance(isEnding ? SECOND : cluster.time.stretch());
            cluster.waits();
            cluster.round();
        }
    }

    /** Rows of history: outcome, fire time, how many it stands for, and the last of them. */
    List<String> ended() {
        return ended("%");
    }

    /** The same of a job. */
    List<String> ended(String job) {
        return texts("select concat_ws(' ', outcome, date_format(fire_time, '%H:%i'), occurrences,"
                + " date_format(last_fire_time, '%H:%i')) as text from task_history where job like '" + job
                + "' order by fire_time, id");
    }

    List<String> texts(String sql) {
        return cluster.rows.all(sql).stream()
                .map(row -> Objects.requireNonNull(row.get("text")))
                .toList();
    }
}
