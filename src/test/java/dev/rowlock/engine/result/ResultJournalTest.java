package dev.rowlock.engine.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.Ending;
import dev.rowlock.support.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
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

        journal.keepOnly(most -> recorded.get() ? List.of() : List.of(ending(1, null)));
        assertThat(journal.read()).hasSize(1);
        recorded.set(true);
        journal.keepOnly(most -> List.of());
        assertThat(journal.read()).isEmpty();
    }

    @Test
    void a_result_that_cannot_be_recorded_does_not_make_it_grow_for_ever() throws IOException {
        try (ResultJournal small = new ResultJournal(path, 1000)) {
            small.append(ending(1, "refused"), () -> {});
            for (int i = 2; i < 500; i++) {
                small.append(ending(i, null), () -> {});
                small.keepOnly(most -> List.of(ending(1, "refused")));
                assertThat(Files.size(path)).isLessThan(1500);
            }
            small.append(ending(500, null), () -> {});

            assertThat(small.read()).contains(ending(1, "refused"), ending(500, null));
            assertThat(dir.toFile().list()).containsExactly("results.journal");
        }
    }

    @Test
    void lines_that_make_no_sense_cost_no_other_line() throws IOException {
        journal.append(ending(1, null), () -> {});
        String ofNobody =
                "{\"task\":7,\"launch\":null,\"shard\":3,\"outcome\":\"FAILED\",\"reason\":null,\"endedAt\":null}";
        Files.writeString(
                path, "\0\0\0\n{\"task\": 7}\n[]\n\n" + ofNobody + "\n", java.nio.file.StandardOpenOption.APPEND);
        journal.append(ending(2, null), () -> {});

        assertThat(journal.read()).containsExactly(ending(1, null), ending(2, null));
    }

    @Test
    void half_a_line_of_a_disk_that_was_full_does_not_spoil_the_next() throws Exception {
        SmallDisk.onOne(disk -> {
            try (ResultJournal full = new ResultJournal(disk.directory().resolve("results.journal"))) {
                full.append(ending(1, null), () -> {});
                disk.fill();
                AtomicBoolean noted = new AtomicBoolean();
                for (int i = 2; i < 100; i++) {
                    full.append(ending(i, "a reason that takes room"), () -> noted.set(true));
                }
                assertThat(noted).as("kept in memory").isTrue();
                disk.free();
                full.append(ending(100, null), () -> {});

                assertThat(full.read()).startsWith(ending(1, null)).endsWith(ending(100, null));
                assertThat(Files.readString(disk.directory().resolve("results.journal"))
                                .lines())
                        .allMatch(line -> line.startsWith("{") && line.endsWith("}"));
            }
        });
    }

    private static Ending ending(long task, @org.jspecify.annotations.Nullable String reason) {
        Instant at = Instant.parse("2026-01-02T03:04:05.678Z");
        return new Ending(task, new LaunchId("abc-" + task), 3, Outcome.FAILED, reason, at, 12L, 1, null, 7L);
    }
}
