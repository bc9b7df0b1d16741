package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultJournalTest {

    @TempDir
    Path dir;

    private Path path;
    private ResultJournal journal;

    @BeforeEach
    void open() {
        path = dir.resolve("results.journal");
        journal = new ResultJournal(path);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void what_was_written_is_read_again() {
        journal.append(ending(1, "ended – badly"), () -> {});
        journal.append(ending(2, null), () -> {});

        assertThat(journal.read()).containsExactly(ending(1, "ended – badly"), ending(2, null));
    }

    @Test
    void a_line_cut_in_the_middle_of_a_character_costs_no_other_line() throws IOException {
        journal.append(ending(1, null), () -> {});
        journal.append(ending(2, "–"), () -> {});
        byte[] all = Files.readAllBytes(path);
        int dash = new String(all, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf('\u00e2');
        Files.write(path, Arrays.copyOf(all, dash + 1));

        assertThat(journal.read()).containsExactly(ending(1, null));
    }

    @Test
    void it_is_emptied_only_when_everything_noted_is_recorded() {
        AtomicBoolean recorded = new AtomicBoolean();
        journal.append(ending(1, null), () -> recorded.set(false));

        journal.clearIf(recorded::get);
        assertThat(journal.read()).hasSize(1);
        recorded.set(true);
        journal.clearIf(recorded::get);
        assertThat(journal.read()).isEmpty();
    }

    private static Ending ending(long task, @org.jspecify.annotations.Nullable String reason) {
        Instant at = Instant.parse("2026-01-02T03:04:05.678Z");
        return new Ending(task, new LaunchId("abc-" + task), 3, Outcome.FAILED, reason, at, 12L, 1, null, 7L);
    }
}
