package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.NotifySocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {

    private static final Duration LONG = Duration.ofMinutes(21);

    @TempDir
    Path dir;

    @Test
    void systemd_is_asked_for_the_time_that_a_stop_takes() {
        try (NotifySocket socket = NotifySocket.at(dir.resolve("notify"))) {
            of("NOTIFY_SOCKET", socket.name()).stopping(LONG);

            assertThat(socket.message()).contains("STOPPING=1\nEXTEND_TIMEOUT_USEC=1260000000");
        }
    }

    @Test
    void so_it_is_where_its_socket_lies_in_no_directory() {
        try (NotifySocket socket = NotifySocket.named("rowlock-" + UUID.randomUUID())) {
            of("NOTIFY_SOCKET", socket.name()).stopping(LONG);

            assertThat(socket.message()).isPresent();
        }
    }

    /** What is said while the log of the JVM begins is repeated by another thread. */
    @Test
    void where_nobody_listens_it_is_said_and_the_stop_goes_on() throws Exception {
        try (LogLines log = LogLines.ofAnyThread(Supervisor.class)) {
            of("NOTIFY_SOCKET", dir.resolve("gone").toString()).stopping(LONG);
            of("NOTIFY_SOCKET", "/" + "x".repeat(200)).stopping(LONG);
            Supervisor.none().stopping(LONG);

            Until.holds(
                    Duration.ofSeconds(30), "both warnings", () -> log.texts().size() >= 2);
            assertThat(log.texts()).hasSize(2).allMatch(text -> text.startsWith("systemd is not told of the stop"));
        }
    }

    @Test
    void a_unit_in_which_it_cannot_be_asked_is_warned_of_if_a_stop_may_take_longer_than_usual() {
        Supervisor unheard = of("SYSTEMD_EXEC_PID", "42");
        assertThat(unheard.problem(LONG))
                .contains(
                        "a stop may take 1260 s by shutdown.grace, and systemd cannot be asked for that time, as the unit"
                                + " has no NotifyAccess=main: set TimeoutStopSec of the unit to it, or systemd ends what still runs"
                                + " after the 90 s that are usual");
        assertThat(unheard.problem(Duration.ofSeconds(75))).isEmpty();
        assertThat(of("SYSTEMD_EXEC_PID", "41").problem(LONG))
                .as("it has started somebody else")
                .isEmpty();
        assertThat(of("NOTIFY_SOCKET", "/run/systemd/notify").problem(LONG)).isEmpty();
        assertThat(Supervisor.none().problem(LONG)).isEmpty();
    }

    private static Supervisor of(String name, String value) {
        return Supervisor.of(Map.of(name, value), 42);
    }
}
