package dev.rowlock.exec.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessSignalsTest {

    private final ProcFs procFs = new ProcFs();
    private final ProcessSignals signals = new ProcessSignals(procFs);
    private Process process;

    @BeforeEach
    void somebody_runs() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void nobody_stays() {
        process.destroyForcibly();
    }

    static Stream<BiPredicate<ProcessSignals, Proc>> both() {
        return Stream.of(ProcessSignals::term, ProcessSignals::kill);
    }

    @ParameterizedTest
    @MethodSource("both")
    void whoever_has_got_the_pid_of_one_that_ended_is_sent_nothing(BiPredicate<ProcessSignals, Proc> signal) {
        Proc now = Objects.requireNonNull(procFs.process((int) process.pid()));
        Proc before = new Proc(
                now.pid(), now.name(), now.state(), now.parent(), now.session(), now.threads(), now.startTicks() - 1);

        assertThat(signal.test(signals, before)).isFalse();
        assertThat(process.isAlive()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("both")
    void the_one_that_was_seen_ends(BiPredicate<ProcessSignals, Proc> signal) throws InterruptedException {
        Proc now = Objects.requireNonNull(procFs.process((int) process.pid()));

        assertThat(signal.test(signals, now)).isTrue();
        assertThat(process.waitFor()).isGreaterThan(128);
    }
}
