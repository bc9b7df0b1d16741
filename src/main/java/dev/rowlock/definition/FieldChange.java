package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.Times;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Field that differs between two definitions.
 *
 * @param field its path, as in {@code env.PATH}: objects are compared field by field, lists as a whole
 * @param before null if it said nothing
 * @param after null if it says nothing any more
 */
public record FieldChange(String field, JsonNode before, JsonNode after) {

    /** Returns the differences, in the order of the fields of a job. */
    public static List<FieldChange> between(StoredDefinition before, StoredDefinition after) {
        return between(before.json(), after.json());
    }

    /** Returns the differences between two versions of a job, pauses and the number of the version included. */
    public static List<FieldChange> between(StoredJob before, StoredJob after) {
        return between(
                withPause(before.stored(), before.pause()).put("version", before.version()),
                withPause(after.stored(), after.pause()).put("version", after.version()));
    }

    /** Returns the fields of a new job that differ from the defaults. */
    public static List<FieldChange> from(StoredDefinition created) {
        StoredDefinition defaults = StoredDefinition.read(created.definition().key(), "{}", false);
        return between(defaults, created).stream()
                .map(change -> new FieldChange(change.field, NullNode.getInstance(), change.after))
                .toList();
    }

    /** Returns the differences between definitions, or parts of them, as people see them. */
    public static List<FieldChange> between(ObjectNode before, ObjectNode after) {
        List<FieldChange> changes = new ArrayList<>();
        compare("", before, after, changes);
        return changes;
    }

    /** Returns the field of the whole definition that this one is in. */
    public String top() {
        return new FieldProblem(field, "").top();
    }

    private static void compare(String path, JsonNode before, JsonNode after, List<FieldChange> changes) {
        if (before.equals(after)) {
            return;
        }
        boolean objects = isObjectOrNothing(before) && isObjectOrNothing(after);
        if (!objects || (before.isEmpty() && after.isEmpty())) {
            changes.add(new FieldChange(path, before, after));
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            compare(path.isEmpty() ? name : path + "." + name, value(before, name), value(after, name), changes);
        }
    }

    private static boolean isObjectOrNothing(JsonNode value) {
        return value.isObject() || value.isNull();
    }

    /** Returns a value; absence means the same as null. */
    private static JsonNode value(JsonNode object, String name) {
        JsonNode value = object.get(name);
        return value == null ? NullNode.getInstance() : value;
    }

    /** Returns a definition with its pause: when it ends, and why it was made. */
    static ObjectNode withPause(StoredDefinition stored, Pause pause) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().setAll(stored.json());
        return node.put("pausedUntil", Times.orNull(pause.until())).put("pauseReason", pause.reason());
    }
}
