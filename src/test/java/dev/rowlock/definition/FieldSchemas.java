package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Field;
import dev.rowlock.field.FieldTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tables of fields as JSON Schema; the same text wherever it is made. */
final class FieldSchemas {

    /** Maps without an order get one. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private FieldSchemas() {}

    static JsonNode tree(@Nullable Object value) {
        return MAPPER.valueToTree(value);
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns what JSON Schema can say of such an object as people send it. */
    static ObjectNode of(FieldTable<?> table) {
        ObjectNode schema = object().put("type", "object");
        schema.put("additionalProperties", false);
        List<String> required =
                table.fields().stream().filter(Field::required).map(Field::name).toList();
        if (!required.isEmpty()) {
            schema.set("required", tree(required));
        }
        ObjectNode properties = schema.putObject("properties");
        table.fields().forEach(field -> properties.set(field.name(), of(field)));
        table.readOnly()
                .forEach(name -> properties
                        .putObject(name)
                        .put("description", "in answers; ignored when sent")
                        .put("readOnly", true));
        return schema;
    }

    /** Returns one field, with what is written where it is left out. JSON's null means the same as absence. */
    private static ObjectNode of(Field<?> field) {
        ObjectNode schema = of(field.type().schema());
        schema.put("description", field.about());
        if (!field.required()) {
            orNull(schema);
            JsonNode otherwise = field.write(field.otherwise());
            if (!otherwise.isNull()) {
                schema.set("default", otherwise);
            }
        }
        return schema;
    }

    /** Returns what a type says, with the fields of objects in it, also of those in a list. */
    private static ObjectNode of(Map<String, Object> said) {
        Map<String, Object> own = new HashMap<>(said);
        Object table = own.remove("whole");
        Object items = own.remove("items");
        ObjectNode schema = (table == null ? object() : of((FieldTable<?>) table)).setAll((ObjectNode) tree(own));
        if (items instanceof Map<?, ?> each && each.containsKey("whole")) {
            Map<String, Object> copy = new HashMap<>();
            each.forEach((name, value) -> copy.put(String.valueOf(name), value));
            schema.set("items", of(copy));
        } else if (items != null) {
            schema.set("items", tree(items));
        }
        return schema;
    }

    /** Accepts null, too. */
    static void orNull(ObjectNode schema) {
        JsonNode type = schema.get("type");
        if (type == null) {
            return;
        }
        ArrayNode types = JsonNodeFactory.instance.arrayNode();
        (type.isArray() ? type : JsonNodeFactory.instance.arrayNode().add(type)).forEach(types::add);
        if (schema.get("enum") instanceof ArrayNode words) {
            words.add(NullNode.getInstance());
        }
        schema.set("type", types.add("null"));
    }
}
