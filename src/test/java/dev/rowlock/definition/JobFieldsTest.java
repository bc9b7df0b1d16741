package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobFieldsTest {

    private static final StoredDefinition LEAST = StoredDefinition.read(
            new JobKey("default", "a"), "{\"command\": \"true\", \"schedule\": \"@manual\"}", false);

    @Test
    void all_defaults_are_written_and_can_be_sent_back() {
        ObjectNode json = LEAST.json();

        assertThat(json.properties().stream().map(field -> field.getKey()))
                .containsExactlyElementsOf(
                        JobFields.TABLE.fields().stream().map(Field::name).toList());
        assertThat(StoredDefinition.parse(json)).isEqualTo(LEAST);
        for (Field<?> field : JobFields.TABLE.fields()) {
            ObjectNode without = json.deepCopy();
            without.remove(field.name());
            if (!field.required()) {
                assertThat(StoredDefinition.parse(without)).as(field.name()).isEqualTo(LEAST);
            }
        }
    }

    @Test
    void the_documentation_says_of_each_field_what_the_table_says() throws Exception {
        List<String> rows = Stream.of(JobFields.TABLE, Retry.TABLE, Limits.TABLE)
                .flatMap(table -> table.fields().stream())
                .map(field -> "| `" + field.name() + "` | " + field.type().words() + " | "
                        + (field.required() ? "required" : "`" + field.write(field.otherwise()) + "`") + " | "
                        + field.about()
                        + " |")
                .toList();

        assertThat(Files.readAllLines(Path.of("docs/jobs.md")).stream()
                        .filter(line -> line.startsWith("| `") && line.split(" \\| ").length == 4)
                        .collect(Collectors.joining("\n")))
                .isEqualTo(String.join("\n", rows));
    }
}
