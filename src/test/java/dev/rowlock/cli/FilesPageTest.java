package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.files.JobSchema;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.yaml.Located;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages show can be typed, and is read as they say. */
class FilesPageTest {

    private static final Schema SCHEMA =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(Trees.json(JobSchema.text()));
    private static final Pattern BLOCK = Pattern.compile("(?s)```(yaml|sh|console)\n(.*?)```");

    private static Stream<String> blocks(String page, String kind) throws IOException {
        return BLOCK.matcher(Files.readString(Path.of("docs", page)))
                .results()
                .filter(block -> block.group(1).equals(kind))
                .map(block -> block.group(2));
    }

    static Stream<String> files() throws IOException {
        return blocks("files.md", "yaml");
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_file_that_is_shown_is_acceptable(String text) throws IOException {
        List<Located> jobs = JobFiles.parse("docs/files.md", text);

        assertThat(jobs).hasSize(2);
        for (Located job : jobs) {
            StoredDefinition.parse(job.tree().deepCopy());
            assertThat(wrong(Trees.text(job.tree()))).isEmpty();
        }
    }

    @Test
    void the_schema_takes_each_form_and_refuses_what_a_node_refuses() {
        assertThat(wrong("{\"name\": \"a\", \"schedule\": \"@daily\", \"command\": \"a\"}"))
                .isEmpty();
        assertThat(wrong("[{\"name\": \"a\"}]")).isEmpty();
        assertThat(wrong("{\"defaults\": {\"zone\": \"UTC\"}}")).isEmpty();
        assertThat(wrong("{\"$schema\": \"x\", \"jobs\": [{\"name\": \"a\", \"retry\": null}]}"))
                .isEmpty();
        assertThat(wrong("{\"schedule\": \"@daily\"}")).isNotEmpty();
        assertThat(wrong("{\"name\": \"a\", \"comand\": \"a\"}")).isNotEmpty();
        assertThat(wrong("{\"jobs\": [{\"name\": \"a\", \"overlap\": \"NEVER\"}]}"))
                .isNotEmpty();
        assertThat(wrong("{\"defaults\": {\"name\": \"a\"}}")).isNotEmpty();
        assertThat(wrong("{\"jobs\": [], \"zone\": \"UTC\"}")).isNotEmpty();
        assertThat(wrong("7")).isNotEmpty();
    }

    private static List<?> wrong(String json) {
        return SCHEMA.validate(Trees.json(json));
    }

    /** Lines that begin with rowlock, or have it behind a pipe, up to whatever the shell does then. */
    @ParameterizedTest
    @ValueSource(strings = {"files.md", "cli.md", "coming-from-crontab.md"})
    void a_command_that_is_shown_is_understood(String page) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String block :
                Stream.concat(blocks(page, "sh"), blocks(page, "console")).toList()) {
            for (MatchResult line : Pattern.compile("(?m)(?:^|\\$ |\\| |<\\()rowlock ([^|<>)#&:\n]+)(?=$|[|<>)#&])")
                    .matcher(block)
                    .results()
                    .toList()) {
                lines.add(line.group(1).strip());
            }
        }
        assertThat(lines).hasSizeGreaterThan(3);
        for (String line : lines) {
            List<String> words = List.of(line.split(" +", -1));
            CliNode.commands(Map.of()).commandLine(words).parseArgs(words.toArray(String[]::new));
        }
    }
}
