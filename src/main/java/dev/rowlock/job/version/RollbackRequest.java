package dev.rowlock.job.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Field;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Request to restore a version of a job. */
public record RollbackRequest(int version) {

    public static final FieldTable<RollbackRequest> TABLE = new FieldTable<>(
            "a rollback",
            RollbackRequest.class,
            List.of(Field.required(
                    "version",
                    FieldType.number(1, 1_000_000_000),
                    0,
                    "the version whose definition is to be in force again, such as 3")),
            List.of());

    /** @throws InvalidDefinition with everything that is wrong */
    public static RollbackRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        RollbackRequest read = TABLE.read(sent, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }
}
