package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.output.OutputFile;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that no KILL ends: it hangs in the kernel, or belongs to another user. */
class UnkillableTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Signals that are sent and do nothing. */
    private static final ProcessSignals DEAF = new ProcessSignals(new ProcFs()) {
        @Override
        public boolean term(Proc proc) {
            return true;
        }

        @Override
        public boolean kill(Proc proc) {
            return true;
        }
    };

    /** Signals that are refused. */
    private static final ProcessSignals FORBIDDEN = new ProcessSignals(new ProcFs()) {
        @Override
        public boolean term(Proc proc) {
            return false;
        }

        @Override
        public boolean kill(Proc proc) {
            return false;
        }
    };

    @TempDir
    Path dir;

    private Process process;
    private Running command;
    private List<Proc> members;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
        LaunchSpec spec = new LaunchSpec(
                LaunchId.of("s", 1), "s", "sleep 600", null, Map.of(), null, Duration.ofSeconds(2), Long.MAX_VALUE);
        command = new Running(spec, new OutputFile(dir.resolve("out"), OutputLimits.DEFAULT), Gate.WITHIN);
        command.started(new Child((int) process.pid(), new CompletableFuture<>(), Outflow.NONE), 0, 0, 0);
        members = List.of(java.util.Objects.requireNonNull(new ProcFs().process((int) process.pid())));
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @Test
    void five_seconds_after_kill_it_is_told_as_such_and_not_as_killed() {
        command.stop(StopCause.REQUEST, Duration.ofSeconds(2), 0);
        assertThat(command.seen(members, DEAF, 0)).isFalse();
        assertThat(command.seen(members, DEAF, 3 * SECOND)).isFalse();
        assertThat(command.seen(members, DEAF, 7 * SECOND))
                .as("not given up yet")
                .isFalse();

        assertThat(command.seen(members, DEAF, 8 * SECOND)).isTrue();

        Ended ended = command.ended();
        assertThat(ended.survived()).isTrue();
        assertThat(ended.stopped()).isEqualTo(StopCause.REQUEST);
        assertThat(ended.exitCode()).isEqualTo(-1);
        assertThat(ended.endedNanos()).isEqualTo(8 * SECOND);
        assertThat(ended.note()).startsWith("could not be killed: sleep (pid " + process.pid());
    }

    @Test
    void one_that_may_not_be_signalled_is_told_likewise() {
        command.stop(StopCause.SHUTDOWN, Duration.ZERO, 0);
        assertThat(command.seen(members, FORBIDDEN, 0)).isFalse();
        assertThat(command.seen(members, FORBIDDEN, 5 * SECOND)).isTrue();

        assertThat(command.ended().survived()).isTrue();
        assertThat(command.ended().stopped()).isEqualTo(StopCause.SHUTDOWN);
    }

    @Test
    void what_is_left_of_a_command_that_ended_by_itself_leaves_it_its_outcome() {
        command.exited(4, SECOND, SECOND);
        assertThat(command.seen(members, DEAF, SECOND)).isFalse();
        assertThat(command.seen(members, DEAF, 8 * SECOND))
                .as("KILL is sent only now")
                .isFalse();
        assertThat(command.seen(members, DEAF, 13 * SECOND)).isTrue();

        Ended ended = command.ended();
        assertThat(ended.exitCode()).isEqualTo(4);
        assertThat(ended.stopped()).isNull();
        assertThat(ended.survived()).isTrue();
        assertThat(ended.note()).startsWith("could not be killed: ");
    }

    @Test
    void the_same_request_again_is_no_news_and_an_earlier_kill_is() {
        assertThat(command.requests.add(StopCause.FENCE, 5 * SECOND)).isTrue();
        assertThat(command.requests.add(StopCause.FENCE, 5 * SECOND + 1000)).isFalse();
        assertThat(command.requests.add(StopCause.FENCE, 9 * SECOND)).isFalse();
        assertThat(command.requests.add(StopCause.FENCE, 2 * SECOND)).isTrue();
    }
}
