package dev.rowlock.definition;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Field;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Definition of a group, as a person wrote it.
 *
 * @param limit how many of its tasks execute in the cluster at most; 0: it is stopped
 */
public record GroupDefinition(int limit, String description) {

    static final FieldTable<GroupDefinition> TABLE = new FieldTable<>(
            "a group",
            GroupDefinition.class,
            List.of(
                    Field.required(
                            "limit", FieldType.number(0, 100_000), 0, "how many of its tasks may execute at once"),
                    Field.optional("description", FieldType.text(500), "", "a note for people")),
            List.of("name", "executing", "waiting", "tasks", "createdAt", "updatedAt"));

    /** Returns the JSON that {@link #parse} reads. */
    public ObjectNode json() {
        return JsonNodeFactory.instance.objectNode().put("limit", limit).put("description", description);
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static GroupDefinition parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        GroupDefinition read = TABLE.read(sent, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }
}
