package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Settings from an environment and a file in a directory of their own. */
abstract class ConfigFixture {

    @TempDir
    Path dir;

    Config embedded(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ROWLOCK_HOME", dir.toString());
        return Config.load(null, all, true);
    }

    Config file(String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve("r.yaml"), yaml);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return Config.load(file, Map.of("ROWLOCK_HOME", dir.toString()), true);
    }

    List<String> problems(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ROWLOCK_HOME", dir.toString());
        return problems(null, all, true);
    }

    static List<String> problems(@Nullable Path file, Map<String, String> environment, boolean embedded) {
        ConfigProblems problems =
                catchThrowableOfType(ConfigProblems.class, () -> Config.load(file, environment, embedded));
        assertThat(problems).as("problems").isNotNull();
        return problems.sentences();
    }
}
