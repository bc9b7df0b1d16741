package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    private static final Path FILE = Path.of("config", "rowlock.yaml");
    private static final int COLUMNS = 120;

    @Test
    void the_file_shows_every_setting_with_its_description_and_default() throws IOException {
        Files.writeString(Path.of("target", "rowlock.yaml"), expected());

        assertThat(FILE).hasSameTextualContentAs(Path.of("target", "rowlock.yaml"));
    }

    @Test
    void the_file_as_shipped_sets_nothing(@TempDir Path dir) throws IOException {
        Path empty = Files.createFile(dir.resolve("empty.yaml"));
        Map<String, String> environment = Map.of("ROWLOCK_DATA_DIR", "/data");

        assertThat(Config.load(FILE, environment, true)).isEqualTo(Config.load(empty, environment, true));
    }

    @Test
    void every_line_that_is_uncommented_is_accepted(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("all.yaml");
        Files.writeString(file, Files.readString(FILE).replaceAll("(?m)^  #(?=[a-z])", "  "));

        assertThat(Config.load(file, Map.of(), true)).isEqualTo(Config.load(FILE, Map.of(), true));
    }

    /** The whole file; to renew it after a change of the settings, copy {@code target/rowlock.yaml}, which the first test leaves. */
    private static String expected() {
        List<String> lines = new ArrayList<>(List.of(
                "# Settings of a Rowlock node. Lines that begin with #name: show the defaults; remove the # to change one.",
                "# Each is also an environment variable that wins over this file: ROWLOCK_HTTP_PORT for http.port,",
                "# ROWLOCK_SESSION_FENCE_GRACE for session.fence-grace, and so on. Everything is checked at start."));
        String section = "";
        for (Setting<?> setting : Settings.all()) {
            String[] parts = setting.key().split("\\.", -1);
            if (!parts[0].equals(section)) {
                section = parts[0];
                lines.add("");
                lines.add(section + ":");
            }
            lines.addAll(wrapped(setting.description()));
            lines.add("  #" + parts[1] + ":" + (setting.standard() == null ? "" : " " + setting.standard()));
        }
        return String.join("\n", lines) + "\n";
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("  #");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder("  #");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
