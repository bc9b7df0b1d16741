package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rowlock.http.Json;
import dev.rowlock.http.Problems;
import dev.rowlock.support.OpenApi;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Holds what a server answers, and what it accepts, to the contract. Fields that are not declared fail. Thread-safe. */
final class HeldToContract {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final OpenApi contract = OpenApi.ofFile();
    private final List<Operation> operations = new ArrayList<>();
    private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();

    private record Operation(String method, String path, Pattern pattern, JsonNode said) {}

    HeldToContract() {
        close(contract.schemas());
        contract.calls()
                .forEach(call -> operations.add(new Operation(
                        call.method(),
                        call.path(),
                        Pattern.compile(call.path().replaceAll("\\{[a-z]+}", "[^/]+")),
                        call.said())));
        operations.sort(Comparator.comparing(operation -> operation.path.contains("{")));
    }

    /** Clients must ignore what they do not know; this one must not. */
    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.path("type").toString().contains("object")
                && object.has("properties")
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(HeldToContract::close);
    }

    /** Fails unless the answer is one that the contract declares for this request. */
    void check(String method, String path, @Nullable String sent, Api.Reply reply) {
        Optional<Operation> operation = find(method.equals("HEAD") ? "GET" : method, path.replaceFirst("\\?.*", ""));
        if (operation.isEmpty()) {
            assertThat(reply.status() >= 400 || method.equals("OPTIONS"))
                    .as(method + " " + path + " is in the contract, as it was answered with " + reply.status())
                    .isTrue();
            return;
        }
        JsonNode said = operation.get().said;
        String what = method + " " + operation.get().path + ": " + reply.status();
        JsonNode response = contract.resolved(said.path("responses").path(String.valueOf(reply.status())));
        assertThat(response.isMissingNode()).as(what + " is declared").isFalse();
        if (method.equals("HEAD")) {
            return;
        }
        if (reply.body().findValuesAsText("kind").contains("NOT_UNDERSTOOD")) {
            return; // its definition is as it was stored, and can be put back
        }
        answer(what, response, reply);
        if (sent != null && !sent.isEmpty() && reply.status() < 300) {
            assertThat(said.has("requestBody")).as(what + " takes a body").isTrue();
            JsonNode media = said.path("requestBody").path("content").path(Json.PLAIN);
            assertThat(problems(media.path("schema"), json(sent)))
                    .as(what + " accepted what the contract does not allow: " + sent)
                    .isEmpty();
        }
    }

    private void answer(String what, JsonNode response, Api.Reply reply) {
        JsonNode content = response.path("content");
        if (content.isMissingNode()) {
            assertThat(reply.text()).as(what + " has no body").isEmpty();
            return;
        }
        String type = reply.header("Content-Type").replaceFirst(";.*", "");
        if (type.equals(Problems.TYPE) && reply.status() == 503) {
            return; // also where another answer of this status is declared
        }
        if (type.equals("text/html") && reply.status() >= 400) {
            return; // what a browser gets to see of a problem
        }
        assertThat(content.has(type)).as(what + " may be of the type " + type).isTrue();
        if (type.contains("json")) {
            assertThat(problems(content.path(type).path("schema"), reply.body()))
                    .as(what + " is as declared: " + reply.text())
                    .isEmpty();
        }
    }

    /** What is wrong with a part of what a call answers if it succeeds. */
    List<String> problemsOfPart(String method, String path, JsonNode part) {
        Operation operation = find(method, path).orElseThrow(() -> new AssertionError(method + " " + path));
        List<String> problems = new ArrayList<>();
        operation.said.path("responses").properties().stream()
                .filter(response -> response.getKey().startsWith("2"))
                .map(response ->
                        contract.resolved(response.getValue()).path("content").path(Json.PLAIN))
                .filter(content -> content.has("schema"))
                .forEach(content -> problems.addAll(problems(content.get("schema"), part).stream()
                        .filter(problem -> !problem.contains("required property"))
                        .toList()));
        return problems;
    }

    /** What is wrong with a value, by a schema of the contract. */
    List<String> problems(JsonNode schema, JsonNode value) {
        Schema known = schemas.computeIfAbsent(schema, asked -> {
            ObjectNode whole = JsonNodeFactory.instance.objectNode();
            whole.set("components", contract.document().get("components"));
            whole.set("allOf", JSON.createArrayNode().add(asked.deepCopy()));
            close(whole.path("allOf"));
            return SCHEMAS.getSchema(whole);
        });
        return known.validate(value).stream().map(Object::toString).toList();
    }

    private Optional<Operation> find(String method, String path) {
        return operations.stream()
                .filter(operation -> operation.method.equals(method)
                        && operation.pattern.matcher(path).matches())
                .findFirst();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
