package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real {@code scripts/rowlock} on hosts whose locale is not the one of whoever wrote it. */
@Tag("slow")
class HostLocaleTest {

    @TempDir
    static Path home;

    @BeforeAll
    static void install() throws IOException {
        ScriptHome.install(home);
    }

    private static Said shell(Map<String, String> environment, String script) throws Exception {
        return ScriptHome.shell(home, environment, script);
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "xx_YY.UTF-8", ""})
    void arguments_names_of_files_and_what_is_written_are_utf_8(String locale) throws Exception {
        Said said = shell(Map.of("LC_ALL", locale), """
                name=$'gr\\303\\266\\303\\237e'
                printf '0 3 * * * echo Gr\\303\\266\\303\\237e \\342\\202\\254\\n' >"$name"
                exec scripts/rowlock import crontab "$name" --namespace ops
                """);

        assertThat(said.exitCode()).as(said.toString()).isZero();
        assertThat(said.out()).contains("echo Größe €", "größe").doesNotContain("\uFFFD");
    }

    @Test
    void text_that_is_not_utf_8_is_refused_and_not_replaced() throws Exception {
        Said argument = shell(Map.of(), "exec scripts/rowlock schedule $'0 3 * * * gr\\366\\337e'");
        Said variable = shell(Map.of(), "ROWLOCK_TOKEN=$'p\\344' exec scripts/rowlock schedule '0 3 * * *'");

        assertThat(List.of(argument, variable)).allSatisfy(said -> {
            assertThat(said.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(said.err()).contains("is no text in UTF-8");
            assertThat(said.out()).isEmpty();
        });
        assertThat(variable.err()).contains("ROWLOCK_TOKEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Duser.language=fa -Duser.country=IR", "-Duser.language=tr -Duser.country=TR"})
    void schedules_and_times_are_written_alike(String language) throws Exception {
        String script =
                "exec scripts/rowlock schedule 'TZ=Europe/Istanbul 0 3 1 JAN,FRI *' --from 2026-01-01T00:00:00Z";
        Said here = shell(Map.of(), script);
        Said there = shell(Map.of("ROWLOCK_JAVA_OPTS", language), script);

        assertThat(here.exitCode()).as(here.toString()).isEqualTo(there.exitCode());
        assertThat(there.out()).isEqualTo(here.out());
    }
}
