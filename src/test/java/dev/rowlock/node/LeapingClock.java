package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.store.ClockNotes;
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

/** A cluster whose database has a clock that a test can set, and a job of every ten seconds. */
@Tag("database")
abstract class LeapingClock {

    static final Instant START = Instant.parse("2026-03-20T10:00:00.500Z");

    static final Duration HOUR = Duration.ofHours(1);

    static final Duration MINUTE = Duration.ofMinutes(1);

    static final Duration STRETCH = Duration.ofSeconds(5);

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    PlayedCluster cluster;

    HandDrivenNode node;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(server, dir, START);
        cluster.rows.run("delete from setting where name like 'clock-%'");
        node = cluster.nodes().get(0);
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.work(MINUTE, STRETCH);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    long ran() {
        return cluster.rows.count("task_history where outcome = 'SUCCEEDED'");
    }

    /** The leap is believed, as it was too small, stood too long, or was accepted by mistake. */
    void leapAndBelieve() {
        cluster.time.step(HOUR);
        node.keeper.runOnce();
        assertThat(node.clock.accept(cluster.time.now().plusSeconds(1))).isTrue();
    }

    /** As its hypervisor takes a snapshot of it, say; the other node goes on, and reads the clock every five seconds. */
    void pause(HandDrivenNode paused, HandDrivenNode goesOn, Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(STRETCH)) {
            cluster.time.advanceWithout(paused, STRETCH);
            goesOn.keeper.runOnce();
        }
        cluster.time.hold();
        paused.keeper.runOnce();
        assertThat(paused.clock.doubt()).isPresent();
    }

    ClockWatch watch(HandDrivenNode of) {
        return new ClockWatch(of.clock, of.nanos, new ClockNotes(of.databases.get(0)));
    }

    ClockWatch watch() {
        return new ClockWatch(
                node().clock, node().nanos, new ClockNotes(node().databases.get(0)));
    }

    HandDrivenNode node() {
        return cluster.nodes().get(0);
    }
}
