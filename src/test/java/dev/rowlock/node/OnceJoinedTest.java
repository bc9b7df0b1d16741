package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.cluster.Lease;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.history.SoleClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is done once, when a node has joined. */
@Tag("database")
class OnceJoinedTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private final AtomicInteger done = new AtomicInteger();
    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-20T10:00:00Z"));
        cluster.join("b");
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private OnceJoined step(String node, OnceJoined.Work work) {
        return step(cluster.node(node), cluster.node(node).lease, work);
    }

    private OnceJoined step(HandDrivenNode node, Lease lease, OnceJoined.Work work) {
        return new OnceJoined(
                lease, new HeldClaim(node.nanos, new SoleClaim(node.databases.get(0), "joined-claim")), work);
    }

    /** Answers that there is more until it was called so often. */
    private OnceJoined.Work times(int times) {
        return () -> done.incrementAndGet() < times;
    }

    @Test
    void it_waits_for_the_session_and_is_done_once() {
        HandDrivenNode node = cluster.node("a");
        Lease none = new Lease(node.nanos, Duration.ofSeconds(20));

        assertThat(step(node, none, times(1)).runOnce().rest()).isEqualTo(Duration.ofSeconds(1));
        assertThat(done).hasValue(0);
        OnceJoined step = step("a", times(2));
        step.runOnce();
        step.runOnce();
        assertThat(step.runOnce().rest()).isEqualTo(Duration.ofMinutes(1));

        assertThat(done).hasValue(2);
    }

    @Test
    void it_is_done_again_when_it_says_so() {
        AtomicBoolean again = new AtomicBoolean();
        OnceJoined step = step("a", new OnceJoined.Work() {
            @Override
            public boolean step() {
                again.set(false);
                done.incrementAndGet();
                return false;
            }

            @Override
            public boolean again() {
                return again.get();
            }
        });
        step.runOnce();
        step.runOnce();
        assertThat(done).hasValue(1);

        again.set(true);
        step.runOnce();
        step.runOnce();

        assertThat(done).hasValue(2);
    }

    @Test
    void what_fails_is_tried_again_and_another_node_has_its_turn_meanwhile() {
        OnceJoined other = step("b", times(2));
        OnceJoined step = step("a", () -> {
            if (done.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            return false;
        });

        assertThatThrownBy(step::runOnce).hasMessage("not yet");
        other.runOnce();
        assertThat(done).hasValue(2);
        step.runOnce();
        step.runOnce();

        assertThat(done).hasValue(3);
    }

    @Test
    void another_node_waits_until_it_is_done() {
        OnceJoined step = step("a", times(2));
        OnceJoined other = step("b", times(3));

        step.runOnce();
        assertThat(other.runOnce().rest()).isEqualTo(Duration.ofSeconds(10));
        assertThat(done).hasValue(1);
        step.runOnce();
        other.runOnce();

        assertThat(done).hasValue(3);
    }
}
