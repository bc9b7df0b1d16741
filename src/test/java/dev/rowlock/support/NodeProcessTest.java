package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    @Test
    void it_is_ready_when_readyz_says_so_and_ends_on_a_signal() throws Exception {
        try (NodeProcess node = start().awaitReady(LIMIT)) {
            node.awaitLog("pretending n1", LIMIT);
            node.terminate();
            assertThat(node.awaitExit(LIMIT)).isEqualTo(128 + 15);
        }
    }

    @Test
    void a_frozen_one_does_not_answer_until_it_is_thawed() throws Exception {
        try (NodeProcess node = start().awaitReady(LIMIT)) {
            node.freeze();
            // A signal is asynchronous: what matters is that TERM is not acted on while it is frozen.
            node.terminate();
            assertThatThrownBy(() -> node.awaitExit(Duration.ofMillis(200))).isInstanceOf(AssertionError.class);
            node.thaw();
            assertThat(node.awaitExit(LIMIT)).isEqualTo(128 + 15);
        }
    }

    @Test
    void a_killed_one_is_dead_at_once() throws Exception {
        try (NodeProcess node = start().awaitReady(LIMIT)) {
            node.kill();
            assertThat(node.isAlive()).isFalse();
            assertThat(node.status("/readyz")).isZero();
        }
    }

    @Test
    void one_that_ends_before_it_is_ready_fails_with_its_code_and_log() throws Exception {
        try (NodeProcess node = start("78")) {
            assertThatThrownBy(() -> node.awaitReady(LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("78")
                    .hasMessageContaining("pretending n1");
        }
    }

    private NodeProcess start(String... arguments) throws Exception {
        return NodeProcess.start(
                PretendedNode.class.getName(), dir, Map.of("ROWLOCK_NODE_NAME", "n1"), List.of(arguments));
    }
}
