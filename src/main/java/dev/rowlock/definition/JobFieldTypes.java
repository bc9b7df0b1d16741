package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.Place;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Field types that only jobs have. */
public final class JobFieldTypes {

    private JobFieldTypes() {}

    /** Accepts the name of a namespace or a job. */
    public static FieldType<String> name(int max) {
        return FieldType.text(4 * max)
                .checked("1 to " + max + " of `A-Z a-z 0-9 . _ -`", name -> Names.problem(name, max))
                .shown(Map.of("type", "string", "minLength", 1, "maxLength", max, "pattern", "^[A-Za-z0-9._-]+$"));
    }

    static FieldType<String> path(int maxBytes) {
        return FieldType.text(maxBytes)
                .checked("an absolute path", path -> path.startsWith("/") ? null : "must be an absolute path")
                .shown(Map.of("type", "string", "maxLength", maxBytes, "pattern", "^/"));
    }

    /** @param check answers what is wrong with an entry, or null */
    public static FieldType<Map<String, String>> map(
            String values, int maxBytes, BiFunction<String, String, @Nullable String> check) {
        return new FieldType<>(
                        "an object of " + values,
                        (value, place) -> {
                            if (!(value instanceof ObjectNode object)) {
                                return place.refuse("must be an object of strings, not " + Place.kind(value));
                            }
                            Map<String, String> map = new TreeMap<>();
                            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                                Place at = place.field(entry.getKey());
                                String text = FieldType.text(entry.getValue(), maxBytes, at);
                                String problem = text == null ? null : check.apply(entry.getKey(), text);
                                if (problem != null) {
                                    at.refuse(problem);
                                } else if (text != null) {
                                    map.put(entry.getKey(), text);
                                }
                            }
                            return Map.copyOf(map);
                        },
                        map -> {
                            ObjectNode node = JsonNodeFactory.instance.objectNode();
                            new TreeMap<>(map).forEach(node::put);
                            return node;
                        })
                .shown(Map.of(
                        "type", "object", "additionalProperties", Map.of("type", "string", "maxLength", maxBytes)));
    }

    /** Accepts a selector of nodes by labels. */
    static FieldType<String> selector() {
        String words = "a label selector such as `role=db, zone!=eu-west`";
        FieldType<String> text = FieldType.text(512).meant(String::strip).checked(words, LabelRequirement::problem);
        return new FieldType<>(
                        words,
                        // An empty object is how version 0.1 writes that there is none.
                        (value, place) -> value.isObject() && value.isEmpty() ? "" : text.read(value, place),
                        TextNode::valueOf)
                .shown(Map.of("type", List.of("string", "object"), "maxProperties", 0));
    }
}
