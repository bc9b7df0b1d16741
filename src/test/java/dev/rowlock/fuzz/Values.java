package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Values that a schema allows, as far as it says, and that cost the machine little if they are taken. */
final class Values {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** What is run, or says how: only what does nothing. */
    private static final Set<String> RUN = Set.of("command", "stdin", "shell", "workdir");

    private final Contract contract;
    private final Map<String, List<String>> names;

    /** @param names what is right for parameters and fields of these names */
    Values(Contract contract, Map<String, List<String>> names) {
        this.contract = contract;
        this.names = names;
    }

    /** Whether text under this name may be run. */
    static boolean isRun(String name) {
        return RUN.contains(name);
    }

    /** What is right for a parameter of the path, the query or a header. */
    String parameter(Operation.Parameter parameter, Random random) {
        return of(parameter.name(), parameter.schema(), random, 0).asText();
    }

    /** A body as the contract allows it: its example, or made from its schema. */
    JsonNode body(Operation operation, Random random) {
        JsonNode example = operation.example();
        JsonNode schema = operation.body();
        if (schema == null) {
            return JSON.objectNode();
        }
        JsonNode body = example != null && random.nextInt(3) > 0 ? example.deepCopy() : of("", schema, random, 0);
        calm(body);
        return body;
    }

    private JsonNode of(String name, JsonNode said, Random random, int depth) {
        JsonNode schema = contract.resolved(said);
        List<String> known = names.getOrDefault(name, List.of());
        if (!known.isEmpty()) {
            return TextNode.valueOf(known.get(random.nextInt(known.size())));
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        for (String choice : List.of("anyOf", "oneOf")) {
            if (schema.has(choice)) {
                return of(
                        name,
                        schema.get(choice).get(random.nextInt(schema.get(choice).size())),
                        random,
                        depth);
            }
        }
        JsonNode type = schema.path("type");
        return switch ((type.isArray() ? type.get(random.nextInt(type.size())) : type).asText()) {
            case "object" -> object(schema, random, depth);
            case "array" -> array(name, schema, random, depth);
            case "integer" -> number(schema, random);
            case "number" -> JSON.numberNode(random.nextDouble());
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "null" -> JSON.nullNode();
            default -> JSON.textNode(schema.path("format").asText().equals("date-time") ? "2026-01-01T00:00:00Z" : "a");
        };
    }

    private ObjectNode object(JsonNode schema, Random random, int depth) {
        ObjectNode object = JSON.objectNode();
        Set<String> required = new java.util.HashSet<>();
        schema.path("required").forEach(field -> required.add(field.asText()));
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (required.contains(field.getKey()) || (depth < 4 && random.nextInt(6) == 0)) {
                object.set(field.getKey(), of(field.getKey(), field.getValue(), random, depth + 1));
            }
        }
        if (schema.path("additionalProperties").isObject() && random.nextBoolean()) {
            object.set("A", of("", schema.get("additionalProperties"), random, depth + 1));
        }
        return object;
    }

    private ArrayNode array(String name, JsonNode schema, Random random, int depth) {
        ArrayNode array = JSON.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
            array.add(of(name, schema.path("items"), random, depth + 1));
        }
        return array;
    }

    private static JsonNode number(JsonNode schema, Random random) {
        int min = schema.path("minimum").asInt(0);
        int max = Math.min(schema.path("maximum").asInt(1000), 1_000_000);
        return JSON.numberNode(min + random.nextInt(Math.max(1, max - min + 1)));
    }

    /** What an example would run is not there, and what runs often would drown everything else. */
    private void calm(JsonNode body) {
        if (body instanceof ObjectNode object) {
            for (String name : List.of("command", "schedule")) {
                if (object.path(name).isTextual()) {
                    object.put(name, names.getOrDefault(name, List.of("true")).get(0));
                }
            }
        }
        body.forEach(this::calm);
    }
}
