package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables of {@code docs/schedules.md}. */
final class DocumentedTables {

    private static final Path PAGE = Path.of("docs", "schedules.md");

    private DocumentedTables() {}

    /** The cells of the table whose head begins with the given cells, without the back-quotes. */
    static List<List<String>> table(String head) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            boolean starts = line.startsWith(head);
            inside = starts || (inside && line.startsWith("|"));
            if (inside && !starts && !line.startsWith("|---")) {
                rows.add(Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList());
            }
        }
        assertThat(rows).as(head).isNotEmpty();
        return rows;
    }
}
