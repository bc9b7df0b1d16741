package dev.rowlock.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.exec.process.Uptime;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it kills a guard, and cannot tell those of other tests from its own that start at the same moment")
class SessionGuardTest {

    private final Lease lease = new Lease(System::nanoTime, Duration.ofSeconds(20));
    private final SessionGuard guard = new SessionGuard();
    private final String session = "fence" + ProcessHandle.current().pid();

    @AfterEach
    void close() {
        guard.close();
    }

    /** As when joining was answered so late that its trust had run out, and a heartbeat took the session up again. */
    @Test
    void a_session_that_is_resumed_is_named_to_the_guard_that_knows_another() throws Exception {
        guard.joined(trust(session + "a"));
        Process of = carrying(session + "a");
        Process ofTheNext = carrying(session + "b");
        try {
            guard.renewed(trust(session + "a"));
            guard.renewed(trust(session + "b"));

            assertThat(of.waitFor(30, TimeUnit.SECONDS)).as("killed").isTrue();
            assertThat(ofTheNext.isAlive()).isTrue();
            guard.close();
            assertThat(ofTheNext.waitFor(30, TimeUnit.SECONDS))
                    .as("killed with its daemon")
                    .isTrue();
        } finally {
            of.destroyForcibly();
            ofTheNext.destroyForcibly();
        }
    }

    /** Nothing feeds the guard while the database is away, so that only the fence can find that it is dead. */
    @Test
    void a_guard_that_was_killed_is_replaced_without_a_heartbeat_and_knows_the_deadline() throws Exception {
        Lease shortLease = new Lease(System::nanoTime, Duration.ofSeconds(4));
        try (SessionGuard lonely = new SessionGuard()) {
            Set<ProcessHandle> others = guards();
            lonely.joined(shortLease.offered(session + "c", System.nanoTime(), Uptime.millis()));
            Set<ProcessHandle> known = guards();
            Process command = carrying(session + "c");
            try {
                known.stream().filter(guard -> !others.contains(guard)).forEach(SessionGuardTest::kill);

                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                do {
                    lonely.keep();
                } while (known.containsAll(guards()) && System.nanoTime() < until);

                // From here on this process might be frozen: nobody looks after the command but the guard.
                assertThat(command.waitFor(30, TimeUnit.SECONDS))
                        .as("killed at the deadline")
                        .isTrue();
            } finally {
                command.destroyForcibly();
            }
        }
    }

    private static void kill(ProcessHandle guard) {
        guard.destroyForcibly();
        guard.onExit().join();
    }

    private static Set<ProcessHandle> guards() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.isAlive()
                        && child.info().arguments().stream().flatMap(Stream::of).anyMatch("rowlock-guard"::equals))
                .collect(Collectors.toSet());
    }

    private Trust trust(String id) {
        return lease.offered(id, System.nanoTime(), Uptime.millis());
    }

    private static Process carrying(String id) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "600");
        builder.environment().put("ROWLOCK_SESSION", id);
        return builder.start();
    }
}
