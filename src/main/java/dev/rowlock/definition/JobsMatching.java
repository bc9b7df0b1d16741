package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selection of jobs for one request: those that match all given criteria, of which there must be one.
 *
 * @param q words, each of which is part of namespace/name or of the description, in any case
 */
public record JobsMatching(
        @Nullable String namespace,
        Map<String, String> labels,
        @Nullable String q) {

    static final FieldTable<JobsMatching> TABLE = new FieldTable<>(
            "a change of several jobs",
            JobsMatching.class,
            List.of(
                    optional("namespace", JobFieldTypes.name(64), null, "whose jobs"),
                    optional(
                            "labels",
                            JobFieldTypes.map("texts", 4 * 63, Names::labelProblem),
                            Map.of(),
                            "what they bear"),
                    optional(
                            "q",
                            FieldType.text(1000).meant(text -> text.isBlank() ? null : text),
                            null,
                            "words, each part of their namespace/name or description")),
            List.of());

    /** Request to pause all matching jobs. */
    public record ToPause(JobsMatching jobs, Pause pause) {}

    /** @throws InvalidDefinition with everything that is wrong */
    public static JobsMatching toResume(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        JobsMatching jobs = read(sent, Set.of(), whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return jobs;
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static ToPause toPause(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        JobsMatching jobs = read(sent, Set.of("until", "reason"), whole);
        Pause pause = Pause.TABLE.read(sent, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return new ToPause(jobs, pause);
    }

    /** Returns the filter for a page of them. */
    public JobFilter page(@Nullable JobKey after, int limit) {
        List<JobFilter.Label> wanted = new ArrayList<>();
        labels.forEach((name, value) -> wanted.add(new JobFilter.Label(name, value)));
        return new JobFilter(namespace, q, null, wanted, after, limit);
    }

    private static JobsMatching read(ObjectNode sent, Set<String> others, Place whole) {
        TABLE.refuseUnknown(sent, others, whole);
        int problems = whole.problems().size();
        JobsMatching read = TABLE.read(sent, whole);
        if (read.namespace == null
                && read.labels.isEmpty()
                && read.q == null
                && problems == whole.problems().size()) {
            whole.field("namespace")
                    .refuse("is required unless labels or q say which jobs, such as {\"namespace\": \"ops\"} or"
                            + " {\"labels\": {\"team\": \"ops\"}}: an empty filter would change every job there is");
        }
        if (read.labels.size() > 20) {
            whole.field("labels").refuse("must be at most 20");
        }
        return read;
    }
}
