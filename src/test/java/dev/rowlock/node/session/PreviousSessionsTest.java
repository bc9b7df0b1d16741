package dev.rowlock.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession.Host;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node that starts ends of the process that its directory names. Both that and its command are real. */
class PreviousSessionsTest {

    @TempDir
    Path dir;

    private final HostIdentity here = HostIdentity.current();
    private final String session = "swept" + ProcessHandle.current().pid() + "." + System.nanoTime();
    private Process daemon;
    private Process command;

    @BeforeEach
    void start() throws IOException {
        daemon = new ProcessBuilder("sleep", "600").start();
        ProcessBuilder marked = new ProcessBuilder("setsid", "sleep", "600");
        marked.environment().put("ROWLOCK_SESSION", session);
        command = marked.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        daemon.destroyForcibly().waitFor();
        command.destroyForcibly().waitFor();
    }

    private Path noted(String bootId) throws IOException {
        Path file = dir.resolve("sessions");
        new PreviousSessions(file, new Host("h", bootId, daemon.pid(), startOf(daemon))).begin(session);
        return file;
    }

    private int sweep(Path file) {
        return new PreviousSessions(file, new Host("h", here.bootId(), here.pid(), here.startTime())).sweep();
    }

    private static long startOf(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19]);
    }

    @Test
    void what_a_process_that_is_gone_left_running_is_ended() throws Exception {
        Path file = noted(here.bootId());
        daemon.destroyForcibly().waitFor();

        assertThat(sweep(file)).isEqualTo(1);

        Until.holds(Duration.ofSeconds(20), "the end of the command", () -> !command.isAlive());
    }

    /** As by whoever copies the directory of a node that runs, and starts another one on the copy. */
    @Test
    void what_a_process_that_lives_is_running_is_left_alone() throws Exception {
        assertThat(sweep(noted(here.bootId()))).isZero();
        assertThat(command.isAlive()).isTrue();
    }

    @Test
    void so_is_what_nobody_knows_the_process_of() throws Exception {
        Path otherHost = noted("another-boot");
        daemon.destroyForcibly().waitFor();
        assertThat(sweep(otherHost)).isZero();
        assertThat(sweep(Files.writeString(dir.resolve("of-0.1"), session + "\n")))
                .isZero();
        assertThat(command.isAlive()).isTrue();
    }
}
