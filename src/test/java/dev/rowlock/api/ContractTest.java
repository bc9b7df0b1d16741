package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.rowlock.api.Api.Reply;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract at {@code /openapi.yaml}. Every other test of this room holds its answers to it, too. */
@Tag("database")
class ContractTest {

    @RegisterExtension
    static final Api api = new Api();

    private static ObjectNode document() {
        return Contract.of(api.table(), "test").document();
    }

    @Test
    void every_route_is_described_and_no_other() {
        SoftAssertions softly = new SoftAssertions();
        ObjectNode said = (ObjectNode) Contract.read("routes.yaml").get("routes");
        for (Endpoints.Route route : api.table()) {
            String key = route.method() + " " + route.path();
            JsonNode about = said.path(key);
            softly.assertThat(names(about)).as("routes.yaml, of " + key).contains("as", "tag", "does", "answers");
            softly.assertThat(names(about.path("query")))
                    .as("the parameters of " + key + " in routes.yaml")
                    .containsExactlyInAnyOrderElementsOf(route.parameters());
            said.remove(key);
        }
        softly.assertThat(names(said))
                .as("routes in routes.yaml that the server has not")
                .isEmpty();
        softly.assertAll();
    }

    @Test
    void whatever_is_referred_to_is_there_and_whatever_is_there_is_referred_to() {
        ObjectNode document = document();
        List<String> references = document.findValuesAsText("$ref");
        assertThat(references)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
        Set<String> schemas = new TreeSet<>(names(document.path("components").path("schemas")));
        references.forEach(reference -> schemas.remove(reference.replaceFirst(".*/", "")));
        assertThat(schemas).as("schemas that nothing uses").isEmpty();
        Set<String> tags = new HashSet<>(names(Contract.read("routes.yaml").path("tags")));
        for (JsonNode operation : operations(document)) {
            assertThat(tags).contains(operation.path("tags").path(0).asText());
        }
        ObjectNode said = Contract.read("routes.yaml");
        for (Endpoints.Route route : api.table()) {
            JsonNode about = said.path("routes").path(route.method() + " " + route.path());
            assertThat(names(said.path("headers"))).containsAll(texts(about.path("headers")));
            assertThat(names(said.path("headers"))).containsAll(texts(about.path("gives")));
            assertThat(names(said.path("path")))
                    .containsAll(Pattern.compile("\\{([a-z]+)}")
                            .matcher(route.path())
                            .results()
                            .map(found -> found.group(1))
                            .toList());
        }
    }

    @Test
    void operations_have_names_of_their_own() {
        List<String> ids = operations(document()).stream()
                .map(operation -> operation.path("operationId").asText())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allSatisfy(id -> assertThat(id).matches("[a-z][A-Za-z]+"));
    }

    @Test
    void examples_are_acceptable_and_every_body_that_must_be_sent_has_one() {
        HeldToContract contract = new HeldToContract(api.table());
        for (JsonNode operation : operations(document())) {
            for (JsonNode media : operation.path("requestBody").path("content")) {
                String id = operation.path("operationId").asText();
                if (operation.path("requestBody").path("required").asBoolean()) {
                    assertThat(media.has("example")).as(id).isTrue();
                }
                if (media.has("example")) {
                    assertThat(contract.problems(media.path("schema"), media.path("example")))
                            .as(id)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void a_field_that_is_not_declared_or_is_missing_or_of_another_type_is_found() {
        HeldToContract contract = new HeldToContract(api.table());
        JsonNode live = ContractTypes.reference("Live");
        ObjectNode answer = Api.JSON.createObjectNode().put("live", true);

        assertThat(contract.problems(live, answer)).isEmpty();
        assertThat(contract.problems(live, answer.deepCopy().put("since", 1))).isNotEmpty();
        assertThat(contract.problems(live, Api.JSON.createObjectNode())).isNotEmpty();
        assertThat(contract.problems(live, Api.JSON.createObjectNode().putNull("live")))
                .isNotEmpty();
    }

    /** What the contract says of them is not what reads them; so every limit is tried. */
    @Test
    void parameters_have_the_limits_that_are_declared() {
        api.put("/jobs/default/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        api.put("/jobs/default/j", "{\"schedule\": \"@manual\", \"command\": \"false\"}");
        SoftAssertions softly = new SoftAssertions();
        int tried = 0;
        for (Endpoints.Route route : api.table()) {
            JsonNode operation = document()
                    .path("paths")
                    .path(route.path())
                    .path(route.method().toLowerCase(Locale.ROOT));
            for (JsonNode parameter : operation.path("parameters")) {
                if (parameter.path("in").asText().equals("query")) {
                    tried += limits(softly, route, parameter.path("name").asText(), parameter.path("schema"));
                }
            }
        }
        softly.assertAll();
        assertThat(tried).isGreaterThan(60);
    }

    private static int limits(SoftAssertions softly, Endpoints.Route route, String name, JsonNode declared) {
        JsonNode schema = resolved(declared);
        List<String> good = new ArrayList<>(texts(schema.path("enum")));
        List<String> bad = new ArrayList<>();
        if (schema.has("enum")
                || schema.has("format")
                || schema.path("type").asText().equals("boolean")) {
            bad.add("nonsense");
        }
        if (schema.has("maximum")) {
            good.add(schema.get("minimum").asText());
            bad.add(String.valueOf(schema.get("minimum").asLong() - 1));
            bad.add(String.valueOf(schema.get("maximum").asLong() + 1));
        }
        if (schema.has("maximum") && !name.equals("to")) { // there are not so many versions
            good.add(schema.get("maximum").asText());
        }
        String path =
                route.path().replace("/api/v1", "").replace("{ns}", "default").replace("{name}", "j");
        for (String value : good) {
            Reply reply = api.get(path.replaceAll("\\{[a-z]+}", "1") + "?" + name + "=" + encoded(value));
            softly.assertThat(reply.status())
                    .as(route.path() + " " + name + "=" + value)
                    .isEqualTo(200);
        }
        for (String value : bad) {
            Reply reply = api.get(path.replaceAll("\\{[a-z]+}", "1") + "?" + name + "=" + encoded(value));
            softly.assertThat(reply.status())
                    .as(route.path() + " " + name + "=" + value)
                    .isEqualTo(400);
            softly.assertThat(reply.fields()).contains(name);
        }
        return good.size() + bad.size();
    }

    @Test
    void it_is_served_without_a_token_and_not_sent_again_to_those_who_have_it() throws IOException {
        Reply reply = api.raw("GET", "/openapi.yaml", null, List.of());
        assertThat(reply.header("Content-Type")).startsWith("application/yaml");
        // For scripts/lint-contract.
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("openapi.yaml"), reply.text());
        JsonNode read = new YAMLMapper().readTree(reply.text());
        assertThat(read.path("openapi").asText()).isEqualTo("3.1.1");
        ((ObjectNode) read.path("info")).put("version", "test");
        assertThat(read.toString()).isEqualTo(document().toString());

        Reply known = api.raw("GET", "/openapi.yaml", null, List.of("If-None-Match", reply.header("ETag")));
        assertThat(known.status()).isEqualTo(304);
        Reply other = api.raw("GET", "/openapi.yaml", null, List.of("If-None-Match", "\"x\""));
        assertThat(other.status()).isEqualTo(200);
    }

    @Test
    void every_operation_says_who_may() {
        for (JsonNode operation : operations(document())) {
            boolean open = operation.path("security").isEmpty();
            assertThat(operation.has("x-rowlock-role")).isNotEqualTo(open);
            assertThat(operation.has("x-rowlock-namespace")).isNotEqualTo(open);
        }
    }

    @Test
    void what_a_browser_and_a_client_that_repeats_need_is_declared() {
        ObjectNode document = document();
        JsonNode pause = document.at("/paths/~1api~1v1~1jobs~1{ns}~1{name}~1pause/post");

        assertThat(pause.path("security").toString()).isEqualTo("[{\"token\":[]},{\"cookie\":[],\"csrf\":[]}]");
        assertThat(document.at("/paths/~1api~1v1~1jobs/get/security").toString())
                .isEqualTo("[{\"token\":[]},{\"cookie\":[]}]");
        assertThat(document.at("/components/securitySchemes/csrf/name").asText())
                .isEqualTo("X-CSRF-Token");
        assertThat(names(document.at("/components/responses/Problem429/headers")))
                .contains("Retry-After", "X-Request-Id", "Cache-Control");
        assertThat(names(document.at("/components/responses/Problem401/headers")))
                .contains("WWW-Authenticate");
        assertThat(names(document.at("/paths/~1api~1v1~1jobs/get/responses/200/headers")))
                .contains("X-Request-Id");
    }

    private static JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? document().at(schema.get("$ref").asText().substring(1)) : schema;
    }

    private static List<JsonNode> operations(ObjectNode document) {
        List<JsonNode> all = new ArrayList<>();
        document.path("paths").forEach(path -> path.forEach(all::add));
        return all;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static List<String> names(JsonNode node) {
        return node.properties().stream().map(field -> field.getKey()).collect(Collectors.toList());
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        node.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
