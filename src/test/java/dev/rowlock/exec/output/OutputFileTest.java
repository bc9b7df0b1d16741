package dev.rowlock.exec.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.StopCause;
import dev.rowlock.exec.TestLauncher;
import dev.rowlock.task.CommandOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

    private static final OutputLimits LIMITS = new OutputLimits(1 << 20, 10_000, 20_000);

    @TempDir
    Path disk;

    @Test
    void a_file_stays_within_its_bound_and_keeps_its_head_and_its_tail() throws Exception {
        OutputFile output = new OutputFile(disk.resolve("x.out"), LIMITS);
        StringBuilder all = new StringBuilder();
        for (int round = 0; round < 8; round++) {
            StringBuilder more = new StringBuilder();
            for (int line = 0; line < 100_000; line++) {
                more.append("round ")
                        .append(round)
                        .append(" line ")
                        .append(line)
                        .append('\n');
            }
            all.append(more);
            Files.writeString(output.path, more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            output.bound();
            assertThat(output.path.toFile().length()).isLessThan(LIMITS.maxBytes());
        }

        byte[] expected = all.toString().getBytes(StandardCharsets.UTF_8);
        CommandOutput read = output.read();
        assertThat(read.totalBytes()).isEqualTo(expected.length);
        assertThat(read.cutBytes()).isEqualTo(expected.length - 30_000);
        assertThat(new String(read.head(), StandardCharsets.UTF_8)).isEqualTo(all.substring(0, 10_000));
        assertThat(new String(read.tail(), StandardCharsets.UTF_8)).isEqualTo(all.substring(all.length() - 20_000));
        assertThat(new String(read.after(0), StandardCharsets.UTF_8))
                .contains("\n[... " + read.cutBytes() + " bytes were cut here ...]\n");
        output.discard();
        assertThat(output.path).doesNotExist();
    }

    @Test
    void short_output_is_kept_whole() throws IOException {
        OutputFile output = new OutputFile(disk.resolve("x.out"), LIMITS);
        String text = "0123456789".repeat(2_999);
        Files.writeString(output.path, text);

        assertThat(output.read().cutBytes()).isZero();
        assertThat(new String(output.read().after(0), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    void two_hundred_megabytes_stay_bounded_while_they_are_written() {
        try (TestLauncher commands = new TestLauncher()) {
            LaunchSpec spec = commands.start("yes 0123456 | head -c 200000000; echo; echo the end; sleep 60");
            TestLauncher.await("the sweep", () -> {
                CommandOutput now = commands.launcher.output(spec.launchId());
                return now.totalBytes() == 200_000_009
                        && commands.directory
                                        .resolve("output/" + spec.launchId() + ".out")
                                        .toFile()
                                        .length()
                                <= 1 << 20;
            });
            commands.launcher.kill(spec.launchId(), StopCause.REQUEST);

            assertThat(commands.nextEnded().outputBytes()).isEqualTo(200_000_009);
            assertThat(commands.text(spec.launchId()))
                    .startsWith("0123456\n0123456\n")
                    .endsWith("\nthe end\n");
        }
    }

    @Test
    void limits_that_leave_no_room_for_head_and_tail_are_refused() {
        assertThatThrownBy(() -> new OutputLimits(100_000, 50_000, 50_000)).hasMessageContaining("output.max-bytes");
    }
}
