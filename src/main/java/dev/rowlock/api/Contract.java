package dev.rowlock.api;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.rowlock.access.Permission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The API as an OpenAPI document: the endpoints that are registered, the tables of fields that check bodies, and what
 * {@code routes.yaml} and {@code answers.yaml} say of them.
 */
final class Contract {

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build());

    private static final String ABOUT = "Bodies are JSON in UTF-8. Times are ISO-8601 in UTC, durations like 90s, 5m,"
            + " 1h30m. Every GET can be asked as HEAD. Clients must ignore fields, enum values and events that they do"
            + " not know: new ones may appear at any time. What is to go is marked deprecated here first.";

    /** Headers that every answer has. */
    private static final List<String> EACH = List.of("X-Request-Id", "Cache-Control");

    /** Headers of errors, by their status. */
    private static final Map<String, List<String>> OF_STATUS =
            Map.of("401", List.of("WWW-Authenticate"), "429", List.of("Retry-After"), "503", List.of("Retry-After"));

    private final ObjectNode said;
    private final ObjectNode document = JsonNodeFactory.instance.objectNode();

    private Contract(ObjectNode said) {
        this.said = said;
    }

    /** @param table every endpoint, each of which becomes part of it, described or not */
    static Contract of(List<Endpoints.Route> table, String version) {
        Contract contract = new Contract(read("routes.yaml"));
        contract.head(version);
        ObjectNode paths = contract.document.putObject("paths");
        table.forEach(route -> paths.withObjectProperty(route.path())
                .set(route.method().toLowerCase(Locale.ROOT), contract.operation(route)));
        ObjectNode components = contract.document.putObject("components");
        schemes(components.putObject("securitySchemes"));
        ObjectNode headers = components.putObject("headers");
        EACH.forEach(name -> headers.set(name, ContractParameters.header(contract.said, name)));
        components.set("schemas", ContractSchemas.all(read("answers.yaml")));
        contract.problems(components.putObject("responses"));
        return contract;
    }

    ObjectNode document() {
        return document;
    }

    byte[] yaml() {
        try {
            return YAML.writeValueAsBytes(document);
        } catch (IOException e) {
            throw new UncheckedIOException("the contract cannot be written", e);
        }
    }

    static ObjectNode read(String name) {
        try (InputStream text = Contract.class.getResourceAsStream(name)) {
            return (ObjectNode) YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " of this program cannot be read", e);
        }
    }

    /** With a token, or as somebody who has signed in and shows that no other site has sent what changes something. */
    private static void schemes(ObjectNode schemes) {
        schemes.putObject("token").put("type", "http").put("scheme", "bearer");
        schemes.putObject("cookie")
                .put("type", "apiKey")
                .put("in", "cookie")
                .put("name", "rowlock")
                .put("description", "of who has signed in; under TLS its name begins with __Host-");
        schemes.putObject("csrf")
                .put("type", "apiKey")
                .put("in", "header")
                .put("name", "X-CSRF-Token")
                .put("description", "beside the cookie: the csrfToken that signing in, and GET /session, answers");
    }

    private void head(String version) {
        document.put("openapi", "3.1.1");
        ObjectNode info = document.putObject("info");
        info.put("title", "Rowlock").put("version", version).put("description", ABOUT);
        document.putArray("servers").addObject().put("url", "/");
        ArrayNode tags = document.putArray("tags");
        said.path("tags")
                .properties()
                .forEach(tag -> tags.addObject()
                        .put("name", tag.getKey())
                        .put("description", tag.getValue().asText()));
    }

    private ObjectNode operation(Endpoints.Route route) {
        JsonNode about = said.path("routes").path(route.method() + " " + route.path());
        ObjectNode operation = JsonNodeFactory.instance.objectNode();
        copy(about, "as", operation, "operationId");
        copy(about, "does", operation, "summary");
        copy(about, "more", operation, "description");
        if (about.has("deprecated")) {
            operation.put("deprecated", true);
        }
        if (about.has("tag")) {
            operation.putArray("tags").add(about.get("tag"));
        }
        security(route, operation);
        ArrayNode parameters = operation.putArray("parameters");
        ContractParameters.write(route, about, said, parameters);
        if (parameters.isEmpty()) {
            operation.remove("parameters");
        }
        body(about, operation);
        answers(route, about, operation.putObject("responses"));
        return operation;
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.get(name));
        }
    }

    private static void security(Endpoints.Route route, ObjectNode operation) {
        ArrayNode security = operation.putArray("security");
        Permission needs = route.needs();
        if (needs != null) {
            security.addObject().putArray("token");
            ObjectNode signedIn = security.addObject();
            signedIn.putArray("cookie");
            if (!route.method().equals("GET") && !route.method().equals("HEAD")) {
                signedIn.putArray("csrf");
            }
            operation.put("x-rowlock-role", needs.role().word());
            operation.put("x-rowlock-namespace", needs.reach().name().toLowerCase(Locale.ROOT));
        }
    }

    private static void body(JsonNode about, ObjectNode operation) {
        if (!about.has("body")) {
            return;
        }
        String name = about.get("body").asText();
        boolean optional = name.endsWith("?");
        ObjectNode body = operation.putObject("requestBody").put("required", !optional);
        ObjectNode content = body.putObject("content");
        String schema = optional ? name.substring(0, name.length() - 1) : name;
        for (String type : schema.endsWith("Patch") ? List.of(Json.MERGE_PATCH, Json.PLAIN) : List.of(Json.PLAIN)) {
            ObjectNode media = content.putObject(type).set("schema", ContractTypes.reference(schema));
            copy(about, "example", media, "example");
        }
    }

    private void answers(Endpoints.Route route, JsonNode about, ObjectNode responses) {
        about.path("answers")
                .properties()
                .forEach(answer -> answer(
                        responses.putObject(answer.getKey()), answer.getValue().asText(), about));
        for (String status : errors(route, about)) {
            if (!responses.has(status)) {
                responses.putObject(status).put("$ref", "#/components/responses/Problem" + status);
            }
        }
    }

    private void answer(ObjectNode response, String type, JsonNode about) {
        response.put("description", about.path("does").asText());
        headersOfEach(response);
        for (JsonNode header : about.path("gives")) {
            response.withObjectProperty("headers")
                    .set(header.asText(), ContractParameters.header(said, header.asText()));
        }
        if (type.contains("/")) {
            ObjectNode content = response.putObject("content");
            for (String one : type.split(" or ", -1)) {
                content.putObject(one).putObject("schema").put("type", "string");
            }
        } else if (!type.equals("nothing")) {
            response.putObject("content").putObject(Json.PLAIN).set("schema", ContractTypes.schema(type));
        }
    }

    private static void headersOfEach(ObjectNode response) {
        ObjectNode headers = response.withObjectProperty("headers");
        EACH.forEach(name -> headers.putObject(name).put("$ref", "#/components/headers/" + name));
    }

    /** Those that any endpoint of its kind can give, and its own. */
    private static Set<String> errors(Endpoints.Route route, JsonNode about) {
        Set<String> errors = new TreeSet<>(Set.of("500"));
        if (route.needs() != null) {
            errors.addAll(Set.of("400", "401", "403", "421"));
        }
        if (!RequestLimit.HEALTH.contains(route.path())) {
            errors.addAll(Set.of("429", "503"));
        }
        if (about.has("body")) {
            errors.addAll(Set.of("413", "415", "422"));
        }
        if (route.needs() != null && route.method().equals("DELETE")) {
            errors.add("413"); // a body means nothing, and is waited for
        }
        if (route.path().contains("{")) {
            errors.add("404");
        }
        if (about.has("errors")) {
            errors.addAll(List.of(about.get("errors").asText().split(" ")));
        }
        return errors;
    }

    private void problems(ObjectNode responses) {
        said.path("errors").properties().forEach(error -> {
            ObjectNode response = responses.putObject("Problem" + error.getKey());
            response.put("description", error.getValue().asText());
            headersOfEach(response);
            for (String name : OF_STATUS.getOrDefault(error.getKey(), List.of())) {
                response.withObjectProperty("headers").set(name, ContractParameters.header(said, name));
            }
            response.putObject("content").putObject(Problems.TYPE).set("schema", ContractTypes.reference("Problem"));
        });
    }
}
