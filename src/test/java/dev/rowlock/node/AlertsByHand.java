package dev.rowlock.node;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A cluster driven by hand, and the alerts that it raises and sends. */
@Tag("database")
abstract class AlertsByHand {

    static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    PlayedCluster cluster;
    PlayedAlerts alerts;

    @BeforeEach
    void open() throws IOException {
        cluster = new PlayedCluster(server, dir, Instant.parse("2026-10-24T20:00:30.250Z"));
        alerts = new PlayedAlerts(cluster, dir);
    }

    @AfterEach
    void close() throws IOException {
        alerts.close();
        cluster.close();
    }

    void job(String name) {
        job(name, "");
    }

    /** @param fields further ones, each after a comma */
    void job(String name, String fields) {
        cluster.put(name, "\"schedule\": \"* * * * *\"" + fields);
    }
}
