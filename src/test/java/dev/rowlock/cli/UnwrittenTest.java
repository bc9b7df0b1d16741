package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What standard output does not take was not done. */
@Tag("slow")
class UnwrittenTest {

    @TempDir
    static Path home;

    @BeforeAll
    static void install() throws IOException {
        ScriptHome.install(home);
        Files.writeString(home.resolve("crontab"), "0 3 * * * true\n");
    }

    private static Said shell(String script) throws Exception {
        return ScriptHome.shell(home, Map.of(), script);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedule @daily",
                "schedule @daily -o json",
                "schema",
                "import crontab crontab",
                "help job",
                "job list --help",
                "version",
                "completion bash"
            })
    void a_full_disk_is_told_and_is_an_error(String line) throws Exception {
        Said said = shell("exec scripts/rowlock " + line + " >/dev/full");

        assertThat(said.exitCode()).as(said.toString()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).contains("rowlock: not all could be written to standard output: No space left");
    }

    @Test
    void output_that_is_closed_is_an_error_too() throws Exception {
        Said said = shell("exec scripts/rowlock schedule @daily >&-");

        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).contains("rowlock: not all could be written to standard output: ");
    }

    @Test
    void a_reader_that_has_seen_enough_is_none() throws Exception {
        Said said = shell("set -o pipefail; scripts/rowlock schedule '* * * * *' --count 2000 | head -n 1");

        assertThat(said.exitCode()).as(said.toString()).isZero();
        assertThat(said.err()).isEmpty();
    }

    @Test
    void another_failure_keeps_its_code() throws Exception {
        assertThat(shell("exec scripts/rowlock schedule nonsense >/dev/full").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }
}
