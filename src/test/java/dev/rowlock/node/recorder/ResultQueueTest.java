package dev.rowlock.node.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Outcome;
import dev.rowlock.support.SmallDisk;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultQueueTest {

    @TempDir
    Path dir;

    private Path path;
    private ResultQueue queue;

    @BeforeEach
    void open() {
        path = dir.resolve("results.journal");
        queue = new ResultQueue(path);
    }

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void what_was_not_recorded_is_there_in_the_next_life() {
        queue.add(ending(1, "ended – badly"));
        queue.add(ending(2, null));
        queue.add(ending(3, null));
        queue.remove(List.of(ending(1, "ended – badly")));

        assertThat(queue.first(1)).containsExactly(ending(2, null));
        assertThat(queue.all()).containsExactly(ending(2, null), ending(3, null));
        assertThat(inTheNextLife()).contains(ending(2, null), ending(3, null));
    }

    /** A node that was upgraded delivers what the version before could not: these lines are as it wrote them. */
    @Test
    void lines_of_the_version_before_are_read() throws IOException {
        Files.writeString(
                path,
                "{\"task\":1,\"launch\":\"abc-1\",\"job\":67,\"version\":2,\"stripe\":3,"
                        + "\"outcome\":\"FAILED\",\"reason\":\"exit code 1\","
                        + "\"endedAt\":\"2026-01-02T03:04:05.678Z\",\"durationMillis\":12,\"exitCode\":1,"
                        + "\"exitSignal\":null,\"outputBytes\":7}\n");

        assertThat(inTheNextLife()).containsExactly(ending(1, "exit code 1"));
    }

    @Test
    void lines_are_written_as_the_version_before_reads_them() throws IOException {
        queue.add(ending(1, null));

        assertThat(Files.readString(path))
                .isEqualTo("{\"task\":1,\"launch\":\"abc-1\",\"job\":67,\"version\":2,\"stripe\":3,"
                        + "\"outcome\":\"FAILED\",\"reason\":null,"
                        + "\"endedAt\":\"2026-01-02T03:04:05.678Z\",\"durationMillis\":12,\"exitCode\":1,"
                        + "\"exitSignal\":null,\"outputBytes\":7}\n");
    }

    @Test
    void a_line_cut_in_the_middle_of_a_character_costs_no_other_line() throws IOException {
        queue.add(ending(1, null));
        queue.add(ending(2, "–"));
        byte[] all = Files.readAllBytes(path);
        int dash = new String(all, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf('\u00e2');
        Files.write(path, Arrays.copyOf(all, dash + 1));

        assertThat(inTheNextLife()).containsExactly(ending(1, null));
    }

    @Test
    void the_file_is_emptied_only_when_everything_is_recorded() throws IOException {
        queue.add(ending(1, null));
        queue.add(ending(2, null));

        queue.remove(List.of(ending(1, null)));
        assertThat(inTheNextLife()).contains(ending(2, null));
        queue.remove(List.of(ending(2, null)));
        assertThat(Files.size(path)).isZero();
    }

    @Test
    void a_result_that_cannot_be_recorded_does_not_make_it_grow_for_ever() throws IOException {
        try (ResultQueue small = new ResultQueue(new ResultJournal(path, 1000))) {
            small.add(ending(1, "refused"));
            for (int i = 2; i < 500; i++) {
                small.add(ending(i, null));
                small.remove(List.of(ending(i, null)));
                assertThat(Files.size(path)).isLessThan(1500);
            }
            small.add(ending(500, null));

            assertThat(inTheNextLife()).contains(ending(1, "refused"), ending(500, null));
            assertThat(dir.toFile().list()).containsExactly("results.journal");
        }
    }

    @Test
    void lines_that_make_no_sense_cost_no_other_line() throws IOException {
        queue.add(ending(1, null));
        String ofNobody = "{\"task\":7,\"launch\":null,\"stripe\":3,"
                + "\"outcome\":\"FAILED\",\"reason\":null,\"endedAt\":null}";
        Files.writeString(
                path, "\0\0\0\n{\"task\": 7}\n[]\n\n" + ofNobody + "\n", java.nio.file.StandardOpenOption.APPEND);
        queue.add(ending(2, null));

        assertThat(inTheNextLife()).containsExactly(ending(1, null), ending(2, null));
    }

    @Test
    void half_a_line_of_a_disk_that_was_full_does_not_spoil_the_next() throws Exception {
        SmallDisk.onOne(disk -> {
            path = disk.directory().resolve("results.journal");
            try (ResultQueue full = new ResultQueue(path)) {
                full.add(ending(1, null));
                disk.fill();
                for (int i = 2; i < 100; i++) {
                    full.add(ending(i, "a reason that takes room"));
                }
                assertThat(full.all()).as("kept in memory").hasSize(99);
                disk.free();
                full.add(ending(100, null));

                assertThat(inTheNextLife()).startsWith(ending(1, null)).endsWith(ending(100, null));
                assertThat(Files.readString(path).lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
            }
        });
    }

    private List<Ending> inTheNextLife() {
        try (ResultQueue next = new ResultQueue(path)) {
            return next.all();
        }
    }

    private static Ending ending(long task, @org.jspecify.annotations.Nullable String reason) {
        Instant at = Instant.parse("2026-01-02T03:04:05.678Z");
        return new Ending(
                new TaskRef(task, 67, 2, 3, new LaunchId("abc-" + task)),
                Outcome.FAILED,
                reason,
                at,
                12L,
                1,
                null,
                7L,
                null,
                null,
                null);
    }
}
