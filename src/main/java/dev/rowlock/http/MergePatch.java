package dev.rowlock.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** JSON merge patch (RFC 7396). */
public final class MergePatch {

    private MergePatch() {}

    /** Patches {@code target}: null removes, objects are merged, everything else replaces. */
    public static void apply(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode object) {
                ObjectNode inner = target.get(name) instanceof ObjectNode existing ? existing : target.objectNode();
                apply(inner, object);
                target.set(name, inner);
            } else {
                target.set(name, value);
            }
        }
    }
}
