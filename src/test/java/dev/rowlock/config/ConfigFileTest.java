package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {

    private static final Path FILE = Path.of("config", "rowlock.yaml");
    private static final int COLUMNS = 120;

    @Test
    void the_file_shows_every_setting_with_its_description_and_default() throws IOException {
        List<String> shown = new ArrayList<>();
        String section = "";
        String above = "";
        for (String line : Files.readAllLines(FILE)) {
            assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS);
            if (line.matches("[a-z]+:")) {
                section = line.replace(":", ".");
            } else if (line.matches(" {2}#[a-z].*")) {
                assertThat(above).as("what is said of" + line).matches(" {2}# .*[.]");
                shown.add(section + line.substring(3));
            }
            above = line;
        }

        assertThat(shown)
                .containsExactlyElementsOf(Settings.all().stream()
                        .map(setting ->
                                setting.key() + ":" + (setting.standard() == null ? "" : " " + setting.standard()))
                        .toList());
    }

    @Test
    void the_file_as_shipped_sets_nothing(@TempDir Path dir) throws IOException {
        Path empty = Files.createFile(dir.resolve("empty.yaml"));
        Map<String, String> environment = Map.of("ROWLOCK_DATA_DIR", "/data");

        assertThat(Config.load(FILE, environment, true)).isEqualTo(Config.load(empty, environment, true));
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, password: x, true", "rw-r-----, password: x, false", "rw-r--r--, pool-size: 3, false"})
    void a_file_with_secrets_that_every_user_can_read_is_warned_of(
            String mode, String setting, boolean warns, @TempDir Path dir) throws IOException {
        Path file = Files.writeString(
                dir.resolve("some.yaml"), "database:\n  url: jdbc:mysql://h/d\n  user: u\n  " + setting);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        List<String> warnings = Config.load(file, Map.of(), false).warnings();

        assertThat(warnings)
                .hasSize(warns ? 1 : 0)
                .allMatch(text ->
                        text.contains("database.password, and every user") && text.endsWith("run: chmod o= " + file));
    }

    @Test
    void every_line_that_is_uncommented_is_accepted(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("all.yaml");
        Files.writeString(file, Files.readString(FILE).replaceAll("(?m)^  #(?=[a-z])", "  "));

        assertThat(Config.load(file, Map.of(), true)).isEqualTo(Config.load(FILE, Map.of(), true));
    }
}
