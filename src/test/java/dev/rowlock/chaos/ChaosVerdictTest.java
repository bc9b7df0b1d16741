package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosVerdictTest {

    @TempDir
    Path dir;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Findings findings = new Findings();
    private Options options;

    @BeforeEach
    void parse() {
        options = Options.parse(List.of("--seed", "7", "--dir", dir.toString()));
    }

    @Test
    void a_run_that_finds_nothing_is_clean_and_one_that_finds_something_is_not() {
        assertThat(verdict(this::report, null)).isZero();
        findings.add(Findings.Kind.LOST, "an occurrence");
        assertThat(verdict(this::report, null)).isEqualTo(1);
    }

    @Test
    void a_run_that_runs_out_of_memory_has_no_verdict_and_says_so() {
        int code = verdict(
                () -> {
                    throw new OutOfMemoryError("Java heap space");
                },
                null);

        assertThat(code).isEqualTo(Chaos.NO_VERDICT);
        assertThat(text())
                .contains("The run has no verdict, as it failed itself: java.lang.OutOfMemoryError: Java heap space."
                        + " Again: scripts/chaos --seed 7");
    }

    @Test
    void so_has_one_of_which_a_thread_has_died_though_it_found_nothing() {
        assertThat(verdict(this::report, new StackOverflowError("of a thread"))).isEqualTo(Chaos.NO_VERDICT);
        assertThat(text()).contains("No violation.").contains("no verdict").contains("of a thread");
    }

    private Report report() {
        return new Report(options, findings, List.of());
    }

    private int verdict(Callable<Report> run, @Nullable Throwable unheard) {
        return Chaos.verdict(
                options, run, new AtomicReference<>(unheard), new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
