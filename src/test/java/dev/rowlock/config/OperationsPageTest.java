package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.config.Setting.Scope;
import dev.rowlock.field.KeptFor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Settings that nodes have to agree on, in {@code docs/operations.md} as in the code. */
class OperationsPageTest {

    @Test
    void what_may_not_differ_between_nodes_is_what_the_code_says() throws IOException {
        String expected = Stream.of(Scope.COMPARED, Scope.LONGEST, Scope.CLUSTER)
                .map(scope -> "| " + scope.name().toLowerCase(Locale.ROOT) + " | "
                        + keys(scope).stream().map(key -> "`" + key + "`").collect(Collectors.joining(", ")) + " |")
                .collect(Collectors.joining("\n"));
        // To be pasted into the page where it differs.
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("settings.md"), expected + "\n");

        assertThat(Files.readString(Path.of("docs/operations.md"))
                        .lines()
                        .filter(line -> line.matches("\\| (compared|longest|cluster) \\|.*"))
                        .collect(Collectors.joining("\n")))
                .as("the settings by scope; target/settings.md has them as they should be")
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
        assertThat(Setting.written(Map.of("b", new GroupRoleConfig("editor", Set.of("y", "x")), "a", "1")))
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
}
