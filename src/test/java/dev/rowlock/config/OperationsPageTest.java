package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.config.Setting.Scope;
import dev.rowlock.job.KeptFor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The settings in {@code docs/operations.md} are those of the code, as {@code config/rowlock.yaml} describes them. */
class OperationsPageTest {

    @Test
    void the_table_of_settings_is_that_of_the_code() throws IOException {
        Map<String, String> said = said();
        String expected = Settings.all().stream()
                .map(setting -> "| `" + setting.key() + "` | "
                        + (setting.standard() == null ? "" : "`" + setting.standard() + "`")
                        + " | " + setting.scope().name().toLowerCase(Locale.ROOT) + " | " + said.get(setting.key())
                        + " |")
                .collect(Collectors.joining("\n"));
        // To be pasted into the page where it differs.
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("settings.md"), expected + "\n");

        assertThat(Files.readString(Path.of("docs/operations.md"))
                        .lines()
                        .filter(line -> line.matches("\\| `[a-z]+(\\.[a-z-]+)+` \\|.*"))
                        .collect(Collectors.joining("\n")))
                .as("the table of settings; target/settings.md has it as it should be")
                .isEqualTo(expected);
    }

    @Test
    void what_nodes_compare_and_keep_longest_is_what_the_table_says() {
        Map<String, String> compared =
                Config.load(null, Map.of("ROWLOCK_HOME", "/nowhere"), true).shared();
        KeptFor kept = new KeptFor(Duration.ofDays(1), Duration.ofDays(2), 3);

        assertThat(keys(Scope.COMPARED))
                .containsExactlyInAnyOrderElementsOf(compared.keySet())
                .contains("recovery.max-lost", "recovery.backoff", "output.max-bytes", "misfire.threshold");
        assertThat(keys(Scope.LONGEST))
                .containsExactlyInAnyOrderElementsOf(kept.settings().keySet());
        assertThat(Settings.all()).allMatch(setting -> setting.scope() != Scope.COMPARED || !setting.secret());
        assertThat(Settings.all()).allMatch(setting -> setting.scope() != Scope.CLUSTER || setting.secret());
        assertThat(compared)
                .containsEntry("session.timeout", "30s")
                .containsEntry("oidc.roles", "{}")
                .containsEntry("oidc.issuer", "not set");
    }

    @Test
    void what_is_compared_is_written_the_same_way_by_all() {
        Map<String, String> roles = Map.of("ROWLOCK_HOME", "/nowhere", "ROWLOCK_OUTPUT_MAX_BYTES", "1MiB");

        assertThat(Config.load(null, roles, true).shared()).containsEntry("output.max-bytes", "1048576");
        assertThat(Setting.written(Map.of("b", new Config.GroupRole("editor", Set.of("y", "x")), "a", "1")))
                .isEqualTo("{a=1, b=editor:x,y}");
        assertThat(Setting.written("x".repeat(300)))
                .hasSizeLessThan(250)
                .isNotEqualTo(Setting.written("x".repeat(299) + "y"));
    }

    private static List<String> keys(Scope scope) {
        return Settings.all().stream()
                .filter(setting -> setting.scope() == scope)
                .map(Setting::key)
                .toList();
    }

    /** What stands above each setting. */
    private static Map<String, String> said() throws IOException {
        Map<String, String> said = new HashMap<>();
        List<String> above = new ArrayList<>();
        String section = "";
        for (String line : Files.readAllLines(Path.of("config", "rowlock.yaml"))) {
            if (line.startsWith("  # ")) {
                above.add(line.substring(4));
                continue;
            }
            if (line.matches("[a-z]+:")) {
                section = line.replace(":", ".");
            } else if (line.matches(" {2}#[a-z].*")) {
                said.put(section + line.substring(3).replaceFirst(":.*", ""), String.join(" ", above));
            }
            above.clear();
        }
        return said;
    }
}
