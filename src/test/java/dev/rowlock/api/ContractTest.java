package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Role;
import dev.rowlock.alert.AlertCondition;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.definition.Names;
import dev.rowlock.definition.Outcome;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.RequestLimit;
import dev.rowlock.report.AuditTrail;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.support.OpenApi;
import dev.rowlock.task.Cause;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract at {@code /openapi.yaml}. Every other test of this room holds its answers to it, too. */
@Tag("database")
class ContractTest {

    private static final OpenApi CONTRACT = OpenApi.ofFile();
    private static final Pattern IN_PATH = Pattern.compile("\\{([a-z]+)}");

    /** A number in a query, with its default; 0: none. */
    private static final Pattern NUMBER = Pattern.compile("number\\(\"(\\w+)\", \\w+, \\w+, (\\d+)\\)");

    /** Schemas of answers that show what was sent, each with that of the body. */
    private static final Map<String, String> SHOWN =
            Map.of("DefinitionThen", "JobDefinition", "AlertRule", "AlertRuleDefinition", "Silence", "SilenceRequest");

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void every_route_is_described_and_no_other() {
        SoftAssertions softly = new SoftAssertions();
        softly.assertThat(CONTRACT.calls().stream().map(OpenApi.Call::name))
                .containsExactlyInAnyOrderElementsOf(api.table().stream()
                        .map(route -> route.method() + " " + route.path())
                        .toList());
        Set<String> tags = Set.copyOf(CONTRACT.document().path("tags").findValuesAsText("name"));
        for (Endpoints.Route route : api.table()) {
            OpenApi.Call call = CONTRACT.call(route.method(), route.path());
            softly.assertThat(call.said().path("summary").asText())
                    .as("summary of " + call.name())
                    .isNotEmpty();
            softly.assertThat(texts(call.said().path("tags")))
                    .as("tags of " + call.name())
                    .hasSize(1)
                    .isSubsetOf(tags);
            softly.assertThat(call.parameters("query"))
                    .as("parameters of " + call.name())
                    .containsExactlyInAnyOrderElementsOf(route.parameters());
            softly.assertThat(call.parameters("path"))
                    .as("parameters in the path of " + call.name())
                    .containsExactlyElementsOf(IN_PATH.matcher(route.path())
                            .results()
                            .map(found -> found.group(1))
                            .toList());
            softly.assertThat(call.parametersIn("path"))
                    .as("parameters in the path of " + call.name())
                    .allSatisfy(
                            one -> assertThat(one.path("required").asBoolean()).isTrue());
        }
        softly.assertAll();
    }

    @Test
    void every_call_says_who_may() {
        SoftAssertions softly = new SoftAssertions();
        for (Endpoints.Route route : api.table()) {
            OpenApi.Call call = CONTRACT.call(route.method(), route.path());
            Permission needs = route.needs();
            boolean reads = route.method().equals("GET");
            String security =
                    reads ? "[{\"token\":[]},{\"cookie\":[]}]" : "[{\"token\":[]},{\"cookie\":[],\"csrf\":[]}]";
            softly.assertThat(call.said().path("security").toString())
                    .as("security of " + call.name())
                    .isEqualTo(needs == null ? "[]" : security);
            softly.assertThat(call.said().path("x-rowlock-role").asText(null))
                    .as("x-rowlock-role of " + call.name())
                    .isEqualTo(needs == null ? null : needs.role().word());
            softly.assertThat(call.said().path("x-rowlock-namespace").asText(null))
                    .as("x-rowlock-namespace of " + call.name())
                    .isEqualTo(needs == null ? null : needs.reach().name().toLowerCase(Locale.ROOT));
        }
        softly.assertAll();
    }

    @Test
    void every_call_declares_the_errors_of_its_kind() {
        SoftAssertions softly = new SoftAssertions();
        for (Endpoints.Route route : api.table()) {
            OpenApi.Call call = CONTRACT.call(route.method(), route.path());
            JsonNode responses = call.said().path("responses");
            List<String> statuses = names(responses);
            softly.assertThat(statuses).as(call.name()).containsAll(errors(route, call));
            softly.assertThat(statuses).as(call.name()).anyMatch(status -> status.compareTo("400") < 0);
            for (String status : statuses) {
                String what = call.name() + ": " + status;
                JsonNode response = CONTRACT.resolved(responses.path(status));
                softly.assertThat(response.path("description").asText())
                        .as(what)
                        .isNotEmpty();
                softly.assertThat(names(response.path("headers"))).as(what).contains("X-Request-Id", "Cache-Control");
                if (status.compareTo("400") >= 0 && !(call.name().equals("GET /readyz") && status.equals("503"))) {
                    softly.assertThat(responses.path(status).path("$ref").asText())
                            .as(what)
                            .isEqualTo("#/components/responses/Problem" + status);
                }
            }
        }
        softly.assertAll();
    }

    /** Returns those that any endpoint of its kind can give. */
    private static Set<String> errors(Endpoints.Route route, OpenApi.Call call) {
        Set<String> errors = new TreeSet<>(Set.of("500"));
        if (route.needs() != null) {
            errors.addAll(Set.of("400", "401", "403", "421"));
        }
        if (!RequestLimit.HEALTH.contains(route.path())) {
            errors.addAll(Set.of("429", "503"));
        }
        if (call.said().has("requestBody")) {
            errors.addAll(Set.of("413", "415", "422"));
        }
        if (route.needs() != null && route.method().equals("DELETE")) {
            errors.add("413"); // a body means nothing, and is waited for
        }
        if (route.path().contains("{")) {
            errors.add("404");
        }
        return errors;
    }

    @Test
    void whatever_is_referred_to_is_there_and_whatever_is_there_is_referred_to() {
        ObjectNode file = OpenApi.file();
        List<String> references = file.findValuesAsText("$ref");
        assertThat(references)
                .allSatisfy(
                        reference -> assertThat(file.at(reference.substring(1)).isMissingNode())
                                .as(reference)
                                .isFalse());
        for (String kind : List.of("schemas", "parameters", "headers", "responses")) {
            assertThat(names(file.path("components").path(kind)))
                    .as("whatever is not used")
                    .isNotEmpty()
                    .allMatch(name -> references.contains("#/components/" + kind + "/" + name));
        }
        assertThat(names(file.path("components").path("schemas"))).isSorted();
    }

    @Test
    void operations_have_names_of_their_own() {
        List<String> ids = CONTRACT.calls().stream()
                .map(call -> call.said().path("operationId").asText())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allSatisfy(id -> assertThat(id).matches("[a-z][A-Za-z]+"));
    }

    @Test
    void examples_are_acceptable_and_every_body_that_must_be_sent_has_one() {
        HeldToContract contract = new HeldToContract();
        for (OpenApi.Call call : CONTRACT.calls()) {
            JsonNode body = call.said().path("requestBody");
            for (JsonNode media : body.path("content")) {
                if (body.path("required").asBoolean()) {
                    assertThat(media.has("example")).as(call.name()).isTrue();
                }
                if (media.has("example")) {
                    assertThat(contract.problems(media.path("schema"), media.path("example")))
                            .as(call.name())
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void a_patch_may_be_sent_under_two_types_and_every_other_body_under_one() {
        for (OpenApi.Call call : CONTRACT.calls()) {
            JsonNode content = call.said().path("requestBody").path("content");
            if (call.said().has("requestBody")) {
                List<String> types =
                        call.method().equals("PATCH") ? List.of(Json.MERGE_PATCH, Json.PLAIN) : List.of(Json.PLAIN);
                assertThat(names(content)).as(call.name()).containsExactlyInAnyOrderElementsOf(types);
                types.forEach(
                        type -> assertThat(content.path(type)).as(call.name()).isEqualTo(content.path(Json.PLAIN)));
            }
        }
    }

    @Test
    void words_are_those_of_the_code() {
        Map<String, List<String>> words = Map.of(
                "Role", Arrays.stream(Role.values()).map(Role::word).toList(),
                "Outcome", words(Outcome.values()),
                "Cause", words(Cause.values()),
                "Verdict", words(Explanation.Verdict.values()),
                "StepOfExplanation", words(Explanation.What.values()),
                "AlertCondition", words(AlertCondition.values()),
                "AuditAction", AuditTrail.ACTIONS);
        words.forEach((name, all) ->
                assertThat(texts(CONTRACT.schema(name).path("enum"))).as(name).containsExactlyElementsOf(all));
    }

    @Test
    void what_was_sent_is_shown_as_it_may_be_sent() {
        SHOWN.forEach((answer, sent) -> {
            ObjectNode schema = CONTRACT.schema(answer);
            CONTRACT.schema(sent).path("properties").properties().forEach(field -> {
                if (!field.getValue().path("readOnly").asBoolean()) {
                    assertThat(schema.path("properties").path(field.getKey()))
                            .as(field.getKey() + " of " + answer)
                            .isEqualTo(field.getValue());
                    assertThat(texts(schema.path("required"))).as(answer).contains(field.getKey());
                }
            });
        });
    }

    @Test
    void a_field_that_is_not_declared_or_is_missing_or_of_another_type_is_found() {
        HeldToContract contract = new HeldToContract();
        JsonNode live = Api.JSON.createObjectNode().put("$ref", "#/components/schemas/Live");
        ObjectNode answer = Api.JSON.createObjectNode().put("live", true);

        assertThat(contract.problems(live, answer)).isEmpty();
        assertThat(contract.problems(live, answer.deepCopy().put("since", 1))).isNotEmpty();
        assertThat(contract.problems(live, Api.JSON.createObjectNode())).isNotEmpty();
        assertThat(contract.problems(live, Api.JSON.createObjectNode().putNull("live")))
                .isNotEmpty();
    }

    @Test
    void names_in_a_path_are_as_long_as_they_may_be() {
        Map<String, Function<String, @Nullable String>> named = Map.of(
                "ns", Names::namespaceProblem,
                "name", name -> first(Names.jobProblem(name), Names.secretProblem(name)),
                "group", Names::groupProblem,
                "token", Names::groupProblem,
                "channel", Names::groupProblem,
                "rule", Names::groupProblem);
        Set<String> found = new TreeSet<>();
        for (OpenApi.Call call : CONTRACT.calls()) {
            call.parametersIn("path").forEach(parameter -> {
                String name = parameter.path("name").asText();
                Function<String, @Nullable String> problem = named.get(name);
                if (problem != null) {
                    int most = parameter.at("/schema/maxLength").asInt();
                    found.add(name);
                    assertThat(parameter.at("/schema/minLength").asInt()).isEqualTo(1);
                    assertThat(problem.apply("x".repeat(most))).as(call.name()).isNull();
                    assertThat(problem.apply("x".repeat(most + 1)))
                            .as(call.name())
                            .isNotNull();
                }
            });
        }
        assertThat(found).isEqualTo(new TreeSet<>(named.keySet()));
    }

    private static @Nullable String first(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    @Test
    void numbers_have_the_defaults_of_the_code() throws IOException {
        Map<String, Set<Integer>> inCode = new TreeMap<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java/dev/rowlock"))) {
            for (Path source : sources.filter(path -> path.toString().endsWith("Routes.java"))
                    .toList()) {
                NUMBER.matcher(Files.readString(source))
                        .results()
                        .forEach(found -> inCode.computeIfAbsent(found.group(1), name -> new TreeSet<>())
                                .add(Integer.valueOf(found.group(2))));
            }
        }
        Map<String, Set<Integer>> declared = new TreeMap<>();
        for (OpenApi.Call call : CONTRACT.calls()) {
            call.parametersIn("query")
                    .filter(one -> one.path("schema").has("maximum"))
                    .forEach(one -> declared.computeIfAbsent(one.path("name").asText(), name -> new TreeSet<>())
                            .add(one.at("/schema/default").asInt()));
        }
        assertThat(declared).hasSizeGreaterThan(5).isEqualTo(inCode);
    }

    /** What the contract says of them is not what reads them; so every limit is tried. */
    @Test
    void parameters_have_the_limits_that_are_declared() {
        api.put("/jobs/default/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        api.put("/jobs/default/j", "{\"schedule\": \"@manual\", \"command\": \"false\"}");
        SoftAssertions softly = new SoftAssertions();
        int tried = 0;
        for (Endpoints.Route route : api.table()) {
            List<JsonNode> parameters = CONTRACT.call(route.method(), route.path())
                    .parametersIn("query")
                    .toList();
            for (JsonNode parameter : parameters) {
                tried += limits(softly, route, parameter.path("name").asText(), parameter.path("schema"));
            }
        }
        softly.assertAll();
        assertThat(tried).isGreaterThan(60);
    }

    private static int limits(SoftAssertions softly, Endpoints.Route route, String name, JsonNode declared) {
        JsonNode schema = CONTRACT.resolved(declared);
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
        String path = route.path()
                .replace("/api/v1", "")
                .replace("{ns}", "default")
                .replace("{name}", "j")
                .replaceAll("\\{[a-z]+}", "1");
        for (String value : good) {
            Reply reply = api.call(route.method(), path + "?" + name + "=" + encoded(value), null);
            softly.assertThat(reply.status())
                    .as(route.path() + " " + name + "=" + value)
                    .isEqualTo(200);
        }
        for (String value : bad) {
            Reply reply = api.call(route.method(), path + "?" + name + "=" + encoded(value), null);
            softly.assertThat(reply.status())
                    .as(route.path() + " " + name + "=" + value)
                    .isEqualTo(400);
            softly.assertThat(reply.fields()).contains(name);
            softly.assertThat(reply.text())
                    .as(route.path() + " " + name + " says what may be sent")
                    .contains(allowed(schema));
        }
        return good.size() + bad.size();
    }

    /** Returns what a refusal says of it. */
    private static String allowed(JsonNode schema) {
        return schema.has("enum")
                ? " one of " + String.join(", ", texts(schema.get("enum"))) + ", not "
                : schema.has("maximum")
                        ? " from " + schema.get("minimum") + " to " + schema.get("maximum") + ", not "
                        : " true or false, not ";
    }

    @Test
    void it_is_served_without_a_token_and_not_sent_again_to_those_who_have_it() throws IOException {
        Reply reply = api.raw("GET", "/openapi.yaml", null, List.of());
        assertThat(reply.header("Content-Type")).startsWith("application/yaml");
        assertThat(reply.text().equals(Files.readString(OpenApi.FILE)))
                .as("it is what stands in " + OpenApi.FILE)
                .isTrue();
        assertThat(CONTRACT.document().path("openapi").asText()).isEqualTo("3.1.1");

        Reply known = api.raw("GET", "/openapi.yaml", null, List.of("If-None-Match", reply.header("ETag")));
        assertThat(known.status()).isEqualTo(304);
        Reply other = api.raw("GET", "/openapi.yaml", null, List.of("If-None-Match", "\"x\""));
        assertThat(other.status()).isEqualTo(200);
    }

    @Test
    void it_says_the_version_of_the_program() {
        assertThat(OpenApi.of(ContractRoutes.of("1.20"))
                        .document()
                        .at("/info/version")
                        .asText())
                .isEqualTo("1.20");
    }

    @Test
    void what_a_browser_and_a_client_that_repeats_need_is_declared() {
        ObjectNode document = CONTRACT.document();

        assertThat(document.at("/components/securitySchemes/csrf/name").asText())
                .isEqualTo("X-CSRF-Token");
        assertThat(names(document.at("/components/responses/Problem429/headers")))
                .contains("Retry-After", "X-Request-Id", "Cache-Control");
        assertThat(names(document.at("/components/responses/Problem401/headers")))
                .contains("WWW-Authenticate");
        assertThat(names(document.at("/components/responses/Problem503/headers")))
                .contains("Retry-After");
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static List<String> names(JsonNode node) {
        return node.properties().stream().map(Map.Entry::getKey).collect(Collectors.toList());
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        node.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
