package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.InvalidDefinition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields that say how a command is run. */
class RunFieldsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static StoredDefinition parse(String fields) {
        try {
            ObjectNode job = (ObjectNode) JSON.readTree("{\"name\": \"a\", \"schedule\": \"@manual\", " + fields + "}");
            return StoredDefinition.parse(job);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void all_of_them_are_stored_and_read_again() {
        StoredDefinition sent = parse("""
                "command": ["/bin/echo", "", "a b"], "shell": "none", "user": 1000, "umask": "027", "nice": -5,
                "limits": {"cpuTime": "90m", "memory": "1536MiB", "openFiles": 100, "processes": 7}, "stdin": "x\\n"
                """);
        StoredDefinition read = StoredDefinition.read(new JobKey("default", "a"), sent.text(), false);

        assertThat(read).isEqualTo(sent);
        JobDefinition job = read.definition();
        assertThat(job.command()).isEqualTo(Command.of(List.of("/bin/echo", "", "a b")));
        assertThat(job.user()).isEqualTo("1000");
        assertThat(job.shell()).isEqualTo(CommandShell.NONE);
        assertThat(job.limits()).isEqualTo(new Limits(Duration.ofMinutes(90), 1536L << 20, 100, 7));
        assertThat(sent.json().path("limits").toString())
                .isEqualTo("{\"cpuTime\":\"1h30m\",\"memory\":\"1536MiB\",\"openFiles\":100,\"processes\":7}");
        assertThat(sent.json().path("command").toString()).isEqualTo("[\"/bin/echo\",\"\",\"a b\"]");
    }

    /** So a node of the version before, which knows none of them, goes on running what uses none. */
    @Test
    void what_is_not_used_is_not_stored() {
        assertThat(parse("\"command\": \"true\", \"limits\": {}").text())
                .doesNotContain("umask", "nice", "limits", "shell", "stdin");
    }

    @ParameterizedTest
    @CsvSource({
        "16777216, 16MiB",
        "\"16777217\", 16777217",
        "\"512M\", 512MiB",
        "\"512MiB\", 512MiB",
        "\"512 MB\", 512MiB",
        "\"2048MiB\", 2GiB",
        "\"64T\", 64TiB",
        "\"100000K\", 100000KiB"
    })
    void a_size_is_written_in_the_largest_unit_that_fits(String sent, String shown) {
        StoredDefinition job = parse("\"command\": \"true\", \"limits\": {\"memory\": " + sent + "}");
        assertThat(job.json().path("limits").path("memory").asText()).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"root", "www-data", "_apt", "a.b_c", "DOMAIN\\\\user", "user@example.com", "host$", "0", "4294967294"})
    void users_as_hosts_and_directories_name_them(String user) {
        assertThat(parse("\"command\": \"true\", \"user\": \"" + user + "\"")
                        .definition()
                        .user())
                .isEqualTo(user.replace("\\\\", "\\"));
    }

    @Test
    void no_shell_needs_a_list_and_a_list_needs_no_shell() {
        assertThatThrownBy(() -> parse("\"command\": \"true\", \"shell\": \"none\""))
                .isInstanceOfSatisfying(
                        InvalidDefinition.class,
                        e -> assertThat(e.problems()).singleElement().satisfies(p -> {
                            assertThat(p.field()).isEqualTo("command");
                            assertThat(p.message()).contains("must be a list with shell none");
                        }));
        assertThatThrownBy(() -> parse("\"command\": [\"true\"], \"shell\": \"sh\""))
                .isInstanceOfSatisfying(
                        InvalidDefinition.class,
                        e -> assertThat(e.problems()).singleElement().satisfies(p -> {
                            assertThat(p.field()).isEqualTo("command");
                            assertThat(p.message()).contains("needs shell none");
                        }));
    }

    @Test
    void what_is_wrong_with_the_command_itself_is_said_once() {
        assertThatThrownBy(() -> parse("\"command\": [], \"shell\": \"none\""))
                .isInstanceOfSatisfying(
                        InvalidDefinition.class, e -> assertThat(e.problems()).hasSize(1));
    }

    @Test
    void the_command_of_one_run_goes_with_the_shell_of_the_job() throws Exception {
        JobDefinition withShell = parse("\"command\": \"true\"").definition();
        JobDefinition without =
                parse("\"command\": [\"true\"], \"shell\": \"none\"").definition();
        Overrides text = Overrides.parse((ObjectNode) JSON.readTree("{\"command\": \"false\"}"));
        Overrides list = Overrides.parse((ObjectNode) JSON.readTree("{\"command\": [\"false\", \"x\"]}"));

        text.check(withShell);
        list.check(without);
        assertThat(Overrides.read(list.text()).of(without).command()).isEqualTo(Command.of(List.of("false", "x")));
        assertThatThrownBy(() -> text.check(without)).hasMessageContaining("must be a list with shell none");
        assertThatThrownBy(() -> list.check(withShell)).hasMessageContaining("needs shell none");
    }
}
