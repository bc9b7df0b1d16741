package dev.rowlock.exec.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.secret.Masks;
import dev.rowlock.secret.SecretValue;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output with secrets in a file that grows and is cut, as those see it who follow it and those who read it later. */
class MaskedOutputTest {

    /** Nothing but secrets is written in letters. */
    private static final String SECRET = "correcthorsebatterystaple";

    private static final String CUT_MARK = "\n\\[\\.\\.\\. \\d+ bytes were cut here \\.\\.\\.]\n";

    @TempDir
    Path dir;

    @Test
    void whoever_follows_and_whoever_comes_later_see_the_same_and_no_secret() throws IOException {
        OutputLimits limits = new OutputLimits(1 << 16, 8_000, 8_000);
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            OutputFile output = file("a" + seed, limits);
            StringBuilder written = new StringBuilder();
            ByteArrayOutputStream followed = new ByteArrayOutputStream();
            long position = 0;
            for (int i = 0; i < 12; i++) {
                write(output, written, random);
                if (random.nextBoolean()) {
                    CommandOutput seen = output.read();
                    followed.writeBytes(seen.after(position));
                    position = seen.totalBytes();
                }
            }
            boolean wasFollowed = position > 0;
            long total = output.totalBytes();
            CommandOutput kept = output.read();
            followed.writeBytes(kept.after(position));

            String expected = written.toString().replace(SECRET, "***");
            assertThat(total).as("seed %s", seed).isEqualTo(kept.totalBytes());
            if (written.length() <= 8_000 || (wasFollowed && kept.cutBytes() == 0)) {
                assertThat(text(kept.after(0))).as("seed %s", seed).isEqualTo(expected);
                assertThat(followed.toString(StandardCharsets.UTF_8))
                        .as("seed %s", seed)
                        .isEqualTo(expected);
            }
            assertThat(text(kept.after(0)).replaceAll(CUT_MARK, ""))
                    .as("seed %s", seed)
                    .matches("[0-9*\n]*");
            assertThat(text(followed.toByteArray()).replaceAll(CUT_MARK, "")).matches("[0-9*\n]*");
        }
    }

    @Test
    void what_was_cut_out_of_the_file_leaves_no_piece_of_a_secret() throws IOException {
        OutputLimits limits = new OutputLimits(1 << 16, 4_096, 8_192);
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            OutputFile output = file("b" + seed, limits);
            boolean follows = random.nextBoolean();
            StringBuilder written = new StringBuilder();
            ByteArrayOutputStream followed = new ByteArrayOutputStream();
            long position = 0;
            while (written.length() < 300_000) {
                append(output, written, (SECRET.repeat(1 + random.nextInt(3)) + "0").repeat(1 + random.nextInt(600)));
                output.bound();
                if (follows) {
                    CommandOutput seen = output.read();
                    followed.writeBytes(seen.after(position));
                    position = seen.totalBytes();
                }
            }
            append(output, written, "\n" + SECRET.substring(0, 9) + "1");
            long total = output.totalBytes();

            String kept = text(output.read().after(0));

            assertThat(output.read().totalBytes()).isEqualTo(total);
            assertThat(kept).endsWith("\ncorrecthor1".replace("correcthor", SECRET.substring(0, 9)));
            assertThat(kept.replaceAll(CUT_MARK, ""))
                    .as("%s", seed)
                    .startsWith("***")
                    .matches("[0*]*\n[a-z]{9}1");
            assertThat(text(followed.toByteArray()).replaceAll(CUT_MARK, "")).matches("[0*\n]*");
        }
    }

    @Test
    void half_a_secret_is_shown_when_it_is_clear_that_it_is_none() throws IOException {
        OutputFile output = file("half", OutputLimits.DEFAULT);
        append(output, new StringBuilder(), "it is correcth");
        assertThat(text(output.read().after(0))).isEqualTo("it is ");
        assertThat(output.read().totalBytes()).isEqualTo(6);

        append(output, new StringBuilder(), "alf");
        assertThat(text(output.read().after(6))).isEqualTo("correcthalf");

        append(output, new StringBuilder(), " cor");
        assertThat(output.totalBytes()).isEqualTo(21);
        assertThat(text(output.read().after(17))).isEqualTo(" cor");
    }

    @Test
    void a_file_that_an_earlier_daemon_left_behind_is_not_shown() throws IOException {
        LaunchId launch = new LaunchId("session-1");
        Path directory = Files.createDirectories(dir.resolve("outputs"));
        OutputDirectory first = new OutputDirectory(directory, OutputLimits.DEFAULT);
        append(first.of(launch, true), new StringBuilder(), "it is " + SECRET);
        append(first.of(new LaunchId("session-2"), false), new StringBuilder(), "it is none");

        OutputDirectory second = new OutputDirectory(directory, OutputLimits.DEFAULT);

        assertThat(second.onDisk()).containsExactlyInAnyOrder(launch, new LaunchId("session-2"));
        assertThat(text(second.read(launch).after(0))).contains("not shown").doesNotContain("correct");
        assertThat(text(second.read(new LaunchId("session-2")).after(0))).isEqualTo("it is none");
        second.discard(launch);
        assertThat(second.onDisk()).containsExactly(new LaunchId("session-2"));
    }

    @Test
    void nobody_but_the_daemon_may_read_the_file() throws IOException {
        OutputFile output = file("mode", OutputLimits.DEFAULT);
        output.create();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output.path)))
                .isEqualTo("rw-------");
    }

    @Test
    void following_fifty_megabytes_a_second_takes_a_small_part_of_a_second() throws IOException {
        OutputFile output = file("fast", new OutputLimits(16 << 20, 64 << 10, 64 << 10));
        byte[] line = "2026-12-01T03:00:00Z INFO copied a line of a log that is not so short\n"
                .getBytes(StandardCharsets.UTF_8);
        byte[] half = new byte[25_000_000]; // what is written between two polls
        for (int i = 0; i < half.length; i++) {
            half[i] = line[i % line.length];
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            Files.write(output.path, half, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            long begun = threads.getCurrentThreadCpuTime();
            output.read();
            best = Math.min(best, threads.getCurrentThreadCpuTime() - begun);
            output.bound();
        }
        assertThat(best / 1_000_000).as("milliseconds of each 500").isLessThan(100);
    }

    private OutputFile file(String name, OutputLimits limits) {
        OutputFile file = new OutputFile(dir.resolve(name), limits, true);
        file.mask(Masks.of(List.of(SecretValue.of(SECRET))));
        return file;
    }

    private static void write(OutputFile output, StringBuilder written, Random random) throws IOException {
        StringBuilder more = new StringBuilder();
        int pieces = random.nextInt(12);
        for (int i = 0; i < pieces; i++) {
            more.append("0123456789\n".repeat(random.nextInt(random.nextInt(40) + 1)))
                    .append(SECRET);
        }
        int cut = random.nextInt(more.length() + 1);
        append(output, written, more.substring(0, cut));
        if (random.nextBoolean()) {
            output.read();
        }
        append(output, written, more.substring(cut));
    }

    private static void append(OutputFile output, StringBuilder written, String more) throws IOException {
        Files.writeString(output.path, more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written.append(more);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
