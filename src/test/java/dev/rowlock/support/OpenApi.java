package dev.rowlock.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The contract of the API, for tests. What calls and schemas share stands where they refer to it. */
public final class OpenApi {

    public static final Path FILE = Path.of("src/main/resources/dev/rowlock/api/openapi.yaml");

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final ObjectNode document;

    private OpenApi(ObjectNode document) {
        this.document = document;
    }

    /**
     * A call of the contract.
     *
     * @param path with the names of its parameters in braces
     */
    public record Call(String method, String path, JsonNode said) {

        public String name() {
            return method + " " + path;
        }

        /** Returns those of the path, the query or the headers, by their names. */
        public List<String> parameters(String in) {
            return parametersIn(in).map(one -> one.path("name").asText()).toList();
        }

        public Stream<JsonNode> parametersIn(String in) {
            return elements(said.path("parameters"))
                    .filter(one -> one.path("in").asText().equals(in));
        }
    }

    /** Returns the file as it stands. */
    public static ObjectNode file() {
        try {
            return read(Files.readString(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the contract in the file. */
    public static OpenApi ofFile() {
        return new OpenApi(file()).resolve();
    }

    /** Returns the contract that a node has answered. */
    public static OpenApi of(String yaml) {
        return new OpenApi(read(yaml)).resolve();
    }

    private static ObjectNode read(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the whole; parameters stand in their calls, and no schema begins with another one. */
    public ObjectNode document() {
        return document;
    }

    public List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            path.getValue()
                    .properties()
                    .forEach(call -> calls.add(
                            new Call(call.getKey().toUpperCase(Locale.ROOT), path.getKey(), call.getValue())));
        }
        return calls;
    }

    /** Returns one that says nothing if there is none. */
    public Call call(String method, String path) {
        return new Call(method, path, document.path("paths").path(path).path(method.toLowerCase(Locale.ROOT)));
    }

    public ObjectNode schema(String name) {
        return (ObjectNode) document.path("components").path("schemas").required(name);
    }

    public ObjectNode schemas() {
        return (ObjectNode) document.path("components").required("schemas");
    }

    /** Returns what is meant, where only its name stands. */
    public JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    private OpenApi resolve() {
        calls().forEach(call -> {
            if (call.said.path("parameters") instanceof ArrayNode parameters) {
                List<JsonNode> all = elements(parameters).map(this::resolved).toList();
                parameters.removeAll().addAll(all);
            }
        });
        schemas().properties().forEach(schema -> schema.setValue(joined(schema.getValue())));
        return this;
    }

    /** Joins the parts that a schema consists of; a field that two of them have is a mistake. */
    private JsonNode joined(JsonNode said) {
        JsonNode schema = resolved(said);
        if (!schema.has("allOf")) {
            return schema;
        }
        ObjectNode whole = schema.deepCopy();
        whole.remove("allOf");
        for (JsonNode one : schema.get("allOf")) {
            JsonNode part = joined(one);
            part.path("required").forEach(whole.withArrayProperty("required")::add);
            part.path("properties").properties().forEach(field -> {
                ObjectNode fields = whole.withObjectProperty("properties");
                if (fields.replace(field.getKey(), field.getValue().deepCopy()) != null) {
                    throw new IllegalStateException(field.getKey() + " is declared twice: " + said);
                }
            });
            for (String word : List.of("type", "additionalProperties")) {
                if (part.has(word)) {
                    whole.set(word, part.get(word));
                }
            }
        }
        return whole;
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
