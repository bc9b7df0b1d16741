package dev.rowlock.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.WrongFiles;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places in files of JSON. */
class JobFilesTest {

    @Test
    void every_part_has_its_place() {
        List<Located> jobs = JobFiles.parse("x.json", """
                [{"name": "a",
                  "env": {"A.B": "1"}},
                 {"name": "b", "successExitCodes": [0,
                  2]}] {"name": "c"}
                """);

        assertThat(jobs)
                .extracting(job -> job.at("name").toString())
                .containsExactly("x.json:1:3", "x.json:3:3", "x.json:4:9");
        assertThat(jobs.get(0).at("env.A.B")).hasToString("x.json:2:11");
        assertThat(jobs.get(1).at("successExitCodes[1]")).hasToString("x.json:4:3");
        assertThat(jobs.get(1).at("retry.max")).as("where it would belong").hasToString("x.json:3:2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"name": "a", "env": {"A.B": 1, "A.B": 2}}  | x.json:1:33: A.B is here twice, first in line 1
            {"a": {"b": 1}, "a.b": 2}                   | x.json:1:1: name is required: what the job is called
            {"name": "a",}                              | x.json:1:14: this is no JSON: Unexpected character ('}'
            {"name": 1}                                 | x.json:1:2: name must be a text; put it into quotes
            """)
    void a_mistake_is_said_with_its_place(String text, String said) {
        assertThatThrownBy(() -> JobFiles.parse("x.json", text))
                .isInstanceOf(WrongFiles.class)
                .hasMessageStartingWith(said);
    }
}
