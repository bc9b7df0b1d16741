package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code docs/operations.md} tells operators to type into an SQL client works. */
@Tag("database")
class OperationsQueriesTest {

    private static final Pattern BLOCK = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

    @RegisterExtension
    static final TestDatabase database = new TestDatabase();

    @Test
    void every_statement_of_the_page_runs() throws IOException, SQLException {
        List<String> ran = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements()) {
                assertThat(statement.execute(sql)).as(sql).isEqualTo(sql.contains("select"));
                ran.add(sql);
            }
            assertThat(ran.stream().filter(sql -> sql.startsWith("select"))).hasSize(10);
            try (var rows = statement.executeQuery("select count(*) from cluster_lock where counter >= 1000000000")) {
                rows.next();
                assertThat(rows.getInt(1))
                        .as("the counters that are raised after a restore")
                        .isEqualTo(64);
            }
        }
    }

    /** Indented blocks of lists, too; without their comments. */
    private static List<String> statements() throws IOException {
        String page = Files.readString(Path.of("docs/operations.md"));
        List<String> statements = new ArrayList<>();
        BLOCK.matcher(page).results().forEach(block -> {
            for (String part : block.group(1).replaceAll("(?m)^ *--.*$", "").split(";", -1)) {
                if (!part.isBlank()) {
                    statements.add(part.strip());
                }
            }
        });
        return statements;
    }
}
