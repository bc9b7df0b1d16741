package dev.rowlock.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.FakeProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FenceTest {

    private final FakeProcesses processes = new FakeProcesses(System::nanoTime);
    private final Lease lease = new Lease(System::nanoTime, Duration.ofSeconds(20));
    private final Fence fence = new Fence(lease, processes, Duration.ofSeconds(5), true, System::nanoTime);
    private final String session = "fence" + ProcessHandle.current().pid();

    @AfterEach
    void close() {
        fence.close();
    }

    /** As when joining was answered so late that its trust had run out, and a heartbeat took the session up again. */
    @Test
    void a_session_that_is_resumed_is_named_to_the_guard_that_knows_another() throws Exception {
        fence.joined(trust(session + "a"));
        Process of = carrying(session + "a");
        Process ofTheNext = carrying(session + "b");
        try {
            fence.renewed(trust(session + "a"));
            fence.renewed(trust(session + "b"));

            assertThat(of.waitFor(30, TimeUnit.SECONDS)).as("killed").isTrue();
            assertThat(ofTheNext.isAlive()).isTrue();
            fence.close();
            assertThat(ofTheNext.waitFor(30, TimeUnit.SECONDS))
                    .as("killed with its daemon")
                    .isTrue();
        } finally {
            of.destroyForcibly();
            ofTheNext.destroyForcibly();
        }
    }

    private Trust trust(String id) {
        return lease.offered(id, System.nanoTime(), 0);
    }

    private static Process carrying(String id) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "600");
        builder.environment().put("ROWLOCK_SESSION", id);
        return builder.start();
    }
}
