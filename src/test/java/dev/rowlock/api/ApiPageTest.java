package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/api.md} shows of answers is as the contract declares it; it may leave out what the text is not about. */
@Tag("database")
class ApiPageTest {

    @RegisterExtension
    static final Api api = new Api();

    /** A call, as a command or in the text, and the answer that stands below it. */
    private static final Pattern EXAMPLE = Pattern.compile(
            "(?:api|`)\\s?(?<method>GET|POST|PUT|PATCH|DELETE) '?(?<path>/[^\\s`']*)(?<between>(?s:.*?))"
                    + "\\n```json\\n(?<json>(?s:.*?))\\n```");

    /** Where the page shows a part of a list or of a text. */
    private static final Pattern CUT = Pattern.compile(",? ?…]");

    /** What a call answers, or a part of that. */
    record Example(String method, String path, String json) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static Stream<Example> examples() throws IOException {
        String page = Files.readString(Path.of("docs/api.md"));
        List<Example> found = new ArrayList<>();
        int from = 0;
        Matcher example = EXAMPLE.matcher(page);
        while (example.find(from)) {
            int later = lastCall(page, example.start() + 1, example.start("json"));
            if (later > 0) {
                from = later; // that call has no answer of its own
                continue;
            }
            found.add(new Example(example.group("method"), example.group("path"), example.group("json")));
            from = example.end();
        }
        return found.stream();
    }

    /** Where another call stands in between; -1: nowhere. */
    private static int lastCall(String page, int from, int until) {
        Matcher call = Pattern.compile("(?:\\napi |`)(?:GET|POST|PUT|PATCH|DELETE) '?/")
                .matcher(page);
        call.region(from, until);
        return call.find() ? call.start() : -1;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void an_answer_on_the_page_is_as_declared(Example example) throws IOException {
        String text = CUT.matcher(example.json.replaceAll("\\s*\\n\\s*", " ")).replaceAll("]");
        JsonNode answer = Api.JSON.readTree(text);
        String path = "/api/v1" + example.path.replaceFirst("\\?.*", "").replaceFirst("^/api/v1", "");

        assertThat(api.problems(example.method, path, answer)).isEmpty();
    }
}
