package dev.rowlock.alert;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.AlertFieldTypes;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Silence for a while of alerts that match all given criteria, of which there must be one.
 *
 * @param reason for people
 */
public record AlertSilence(
        @Nullable String namespace,
        @Nullable String job,
        Map<String, String> labels,
        @Nullable String rule,
        Instant until,
        String reason) {

    public static final FieldTable<AlertSilence> TABLE = new FieldTable<>(
            "a silence",
            AlertSilence.class,
            List.of(
                    optional("namespace", JobFieldTypes.name(64), null, "whose jobs"),
                    optional("job", JobFieldTypes.name(128), null, "which job of that namespace"),
                    optional(
                            "labels",
                            JobFieldTypes.map("texts", 4 * 63, Names::labelProblem),
                            Map.of(),
                            "what the jobs bear"),
                    optional("rule", AlertFieldTypes.reference(), null, "what raised it"),
                    required("until", FieldType.instant(), Instant.EPOCH, "when it ends, such as 2026-12-01T06:00:00Z"),
                    optional("reason", FieldType.text(500), "", "a note for people")),
            List.of("id", "active", "createdAt"));

    /** @throws InvalidDefinition with everything that is wrong */
    public static AlertSilence parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        int problems = whole.problems().size();
        AlertSilence read = TABLE.read(sent, whole);
        if (whole.problems().size() == problems) {
            read.check(whole);
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    private void check(Place whole) {
        if (namespace == null && job == null && labels.isEmpty() && rule == null) {
            whole.field("namespace")
                    .refuse("is missing, as are job, labels and rule: a silence of everything hides what you do not"
                            + " expect; name at least one of them");
        } else if (job != null && namespace == null) {
            whole.field("namespace").refuse("is required with job");
        }
    }

    /** Reads a stored silence: {@link #json} of an acceptable one. */
    public static AlertSilence stored(ObjectNode stored) {
        return TABLE.read(stored, new Place("", new ArrayList<>()));
    }

    public ObjectNode json() {
        return TABLE.write(this);
    }

    /** Returns whether an alert of this rule and job is silenced; a silence of jobs is not about nodes. */
    public boolean covers(String alertRule, @Nullable JobKey alertJob, Map<String, String> alertLabels) {
        boolean jobs = namespace != null || !labels.isEmpty();
        return (rule == null || rule.equals(alertRule))
                && (!jobs || alertJob != null)
                && (namespace == null || alertJob == null || namespace.equals(alertJob.namespace()))
                && (job == null || alertJob == null || job.equals(alertJob.name()))
                && alertLabels.entrySet().containsAll(labels.entrySet());
    }
}
