package dev.rowlock.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The short words for types in {@code answers.yaml} and {@code routes.yaml}, as JSON Schema. */
final class ContractTypes {

    private static final Pattern TYPE =
            Pattern.compile("(?<of>(?:list|map|page|counted page) of )?(?<base>[A-Za-z_|]+)(?<null>\\?)?"
                    + "(?: (?<min>\\d+)\\.\\.(?<max>\\d+))?(?: = (?<otherwise>\\S+))?(?:; (?<about>.+))?");

    private static final Map<String, List<String>> BASES = Map.of(
            "text", List.of("string"),
            "integer", List.of("integer"),
            "number", List.of("number"),
            "flag", List.of("boolean"),
            "time", List.of("string", "date-time"),
            "day", List.of("string", "date"),
            "any", List.of());

    private ContractTypes() {}

    static ObjectNode schema(String text) {
        Matcher type = TYPE.matcher(text);
        if (!type.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a type");
        }
        ObjectNode base = base(type.group("base"));
        limit(base, type.group("min"), type.group("max"));
        ObjectNode whole = collection(type.group("of"), base);
        ObjectNode schema = type.group("null") == null ? whole : orNull(whole);
        @Nullable String otherwise = type.group("otherwise");
        if (otherwise != null) {
            schema.set(
                    "default",
                    base.path("type").asText().equals("integer")
                            ? JsonNodeFactory.instance.numberNode(Integer.parseInt(otherwise))
                            : JsonNodeFactory.instance.textNode(otherwise));
        }
        if (type.group("about") != null) {
            schema.put("description", type.group("about"));
        }
        return schema;
    }

    static ObjectNode reference(String name) {
        return object().put("$ref", "#/components/schemas/" + name);
    }

    /** An object of these fields, all of which are there but those whose name ends with a question mark. */
    static void field(ObjectNode object, String name, String type) {
        boolean always = !name.endsWith("?");
        String plain = always ? name : name.substring(0, name.length() - 1);
        object.withObjectProperty("properties").set(plain, schema(type));
        if (always) {
            object.withArrayProperty("required").add(plain);
        }
    }

    private static ObjectNode base(String word) {
        List<String> known = BASES.get(word);
        if (known == null) {
            if (word.contains("|")) {
                return words(List.of(word.split("\\|")));
            }
            if (!Character.isUpperCase(word.charAt(0))) {
                throw new IllegalArgumentException("'" + word + "' is not a type");
            }
            return reference(word);
        }
        ObjectNode schema = object();
        if (!known.isEmpty()) {
            schema.put("type", known.get(0));
        }
        return known.size() < 2 ? schema : schema.put("format", known.get(1));
    }

    static ObjectNode words(List<String> words) {
        ObjectNode schema = object().put("type", "string");
        ArrayNode all = schema.putArray("enum");
        words.forEach(all::add);
        return schema;
    }

    private static void limit(ObjectNode schema, @Nullable String min, @Nullable String max) {
        if (min != null && max != null) {
            boolean text = schema.path("type").asText().equals("string");
            schema.put(text ? "minLength" : "minimum", Integer.parseInt(min));
            schema.put(text ? "maxLength" : "maximum", Integer.parseInt(max));
        }
    }

    private static ObjectNode collection(@Nullable String of, ObjectNode one) {
        if (of == null) {
            return one;
        }
        if (of.startsWith("map")) {
            return object().put("type", "object").set("additionalProperties", one);
        }
        ObjectNode list = object().put("type", "array").set("items", one);
        if (of.startsWith("list")) {
            return list;
        }
        ObjectNode page = object().put("type", "object");
        page.putObject("properties")
                .<ObjectNode>set("items", list)
                .set("nextCursor", schema("text?; where the next page begins; null: this is the last one"));
        page.putArray("required").add("items").add("nextCursor");
        if (of.startsWith("counted")) {
            field(page, "total", "Total?; null: this is not the first page, or it would not be cheap to say");
        }
        return page;
    }

    private static ObjectNode orNull(ObjectNode schema) {
        if (schema.isEmpty()) {
            return schema;
        }
        JsonNode type = schema.get("type");
        if (type == null) {
            ObjectNode either = object();
            either.putArray("anyOf").add(schema).add(object().put("type", "null"));
            return either;
        }
        schema.putArray("type").add(type).add("null");
        if (schema.get("enum") instanceof ArrayNode words) {
            words.addNull();
        }
        return schema;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
