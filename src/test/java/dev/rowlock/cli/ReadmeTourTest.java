package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the tours in the README, one after the other, as they are typed. */
@Tag("database")
class ReadmeTourTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    Path home;

    private static final Pattern TOUR = Pattern.compile("```sh\n(# (?:say hello|working days).*?)```", Pattern.DOTALL);
    private static final Pattern SQL = Pattern.compile("scripts/rowlock sql \"(.*)\"");

    private static List<String> tour() throws IOException {
        return TOUR.matcher(Files.readString(Path.of("README.md")))
                .results()
                .flatMap(block -> block.group(1).lines())
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    @Test
    void every_command_of_it_does_what_the_readme_says() throws Exception {
        ScriptHome.install(home);
        List<String> commands = tour();

        assertThat(commands).hasSizeGreaterThan(15);
        for (String command : commands) {
            Matcher sql = SQL.matcher(command);
            if (sql.matches()) {
                query(sql.group(1));
            } else {
                String said = run(command);
                if (command.contains("--follow")) {
                    assertThat(said).isEqualTo("hello from node-a\n");
                }
            }
        }
        assertThat(Files.readString(home.resolve("jobs.yaml"))).contains("schedule: 30 2 * * MON-FRI");
        assertThat(cli.json("freeze", "list").at("/items/0/state").asText()).isEqualTo("ENDED");
        assertThat(cli.json("job", "get", "hello").path("timeout").asText()).isEqualTo("10m");
    }

    /** What the client would send: there may be none here. */
    private static void query(String statement) throws Exception {
        try (Connection connection = cli.database().connect();
                Statement query = connection.createStatement()) {
            assertThat(query.execute(statement)).isTrue();
        }
    }

    private String run(String command) throws Exception {
        Path err = Files.createTempFile(home, "err", "");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(home.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
        builder.environment().put("ROWLOCK_URL", cli.node().url());
        builder.environment().put("ROWLOCK_TOKEN", cli.node().token());
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s%s", command, out, Files.readString(err))
                .isZero();
        return out;
    }
}
