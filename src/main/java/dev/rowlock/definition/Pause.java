package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * End and reason of a job's pause.
 *
 * @param until when the job resumes by itself; null: when somebody resumes it
 * @param reason for people; null: none was given
 */
public record Pause(@Nullable Instant until, @Nullable String reason) {

    /** Pause of a job that is not paused, or is until somebody resumes it. */
    public static final Pause OPEN = new Pause(null, null);

    static final FieldTable<Pause> TABLE = new FieldTable<>(
            "a pause",
            Pause.class,
            List.of(
                    optional("until", FieldType.instant(), null, "when the job resumes by itself"),
                    optional(
                            "reason",
                            FieldType.text(500).meant(text -> text.isBlank() ? null : text.strip()),
                            null,
                            "why it is paused, for people")),
            List.of());

    /** @throws InvalidDefinition with everything that is wrong */
    public static Pause parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        Pause read = TABLE.read(sent, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** @throws InvalidDefinition it would end at once */
    public void mustLieAhead(Instant now) {
        if (until != null && !until.isAfter(now)) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "until",
                    "must lie ahead: it is " + Times.text(now) + " by the database's clock; leave it out for a pause"
                            + " that lasts until somebody resumes the job")));
        }
    }
}
