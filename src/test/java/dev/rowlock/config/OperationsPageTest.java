package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
                        + " | " + said.get(setting.key()) + " |")
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
