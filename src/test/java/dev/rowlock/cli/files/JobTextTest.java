package dev.rowlock.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.definition.FileSchema;
import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What is written is what is read, by us and by those who read YAML 1.1. */
class JobTextTest {

    private static final String[] PIECES = {
        " ", "  ", "\n", "\n\n", "\t", ":", ": ", " #", "#", "-", "- ", "'", "\"", "\\", "|", ">", "%", "@", "*", "&",
        "{", "}", "[", "]", ",", "?", "!", "`", "~", "=", "<<", "a", "b", "yes", "null", "1", "0x1", "1e3", ".5",
                "1:30",
        "\r", "\u0000", "\u0007", "\u00a0", "\u2028", "\ufeff", "\u0085", "ä", "\ud83d\ude00", "---", "...",
                "2026-12-01"
    };

    @Test
    void every_text_comes_back() {
        Random random = new Random(18);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
            ObjectNode job = Trees.object().put("command", text.toString());
            job.putObject("env").put("A", text.toString());
            job.putArray("list").add(text.toString());

            String yaml = JobText.yaml(job);
            List<Located> read = YamlText.read("x", yaml);
            assertThat(read).as(yaml).hasSize(1);
            assertThat(read.get(0).tree()).as(yaml).isEqualTo(job);
            Object other = ((java.util.Map<?, ?>) new Yaml().load(yaml)).get("command");
            assertThat(other).as(yaml).isEqualTo(text.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"true", "off", "y", "~", "", "0", "027", "0o17", "1_000", "1e3", ".5", "12:30:45", "2026-12-01"})
    void what_looks_like_something_else_is_quoted(String text) {
        String yaml = JobText.yaml(Trees.object().put("a", text));

        assertThat(yaml).matches("a: (['\"]).*\\1\n");
        assertThat(YamlText.read("x", yaml).get(0).tree().path("a").textValue()).isEqualTo(text);
    }

    @Test
    void a_job_is_said_as_people_would_write_it() {
        JsonNode job = Trees.json("""
                {"namespace": "ops", "name": "backup", "schedule": "0 3 * * *", "zone": "Europe/Berlin",
                 "command": "set -e\\nbackup --full\\n", "labels": {"team": "ops"}, "timeout": "1h", "paused": false,
                 "retry": {"max": 3, "backoff": "30s", "maxBackoff": "1h", "onExitCodes": [1, 2], "onTimeout": true},
                 "overlap": "SKIP", "env": {}, "group": null, "priority": 0, "successExitCodes": [0], "state": "IDLE",
                 "version": 3, "warnings": [], "fromTheFuture": "kept"}
                """);

        assertThat(JobText.yaml(new JobText().definition(job))).isEqualTo("""
                        namespace: ops
                        name: backup
                        labels:
                          team: ops
                        schedule: 0 3 * * *
                        zone: Europe/Berlin
                        command: |
                          set -e
                          backup --full
                        timeout: 1h
                        retry:
                          max: 3
                          onExitCodes: [1, 2]
                        fromTheFuture: kept
                        """);
    }

    /** Copy {@code target/rowlock-jobs.schema.json} to {@code config} if a field of a job has changed. */
    @Test
    void the_schema_is_that_of_the_fields() throws IOException {
        String made = FileSchema.make().toPrettyString() + "\n";
        Files.writeString(Path.of("target", "rowlock-jobs.schema.json"), made);

        assertThat(Files.readString(Path.of("config", "rowlock-jobs.schema.json")))
                .isEqualTo(made);
    }
}
