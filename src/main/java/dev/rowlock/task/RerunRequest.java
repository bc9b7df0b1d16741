package dev.rowlock.task;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Request to rerun failed tasks of a period.
 *
 * @param since fire times from then on; null: one task is named
 * @param until fire times before it; null: now
 * @param namespace null: any
 * @param job {@code namespace/name}; null: any
 * @param task the id of one task; null: all that meet the rest
 * @param outcome how it ended
 * @param limit at most so many runs are made
 * @param dryRun only tells what would be made
 */
public record RerunRequest(
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable String namespace,
        @Nullable String job,
        @Nullable Long task,
        Set<Outcome> outcome,
        int limit,
        boolean dryRun) {

    /** Outcomes that are rerun unless others are named. */
    private static final Set<Outcome> WRONG =
            Collections.unmodifiableSet(EnumSet.of(Outcome.FAILED, Outcome.LOST, Outcome.MISSED, Outcome.TIMED_OUT));

    /** Outcomes that can be rerun: failures and, if named, those that somebody wanted. */
    private static final Set<Outcome> OUTCOMES = Collections.unmodifiableSet(EnumSet.of(
            Outcome.FAILED,
            Outcome.TIMED_OUT,
            Outcome.KILLED,
            Outcome.LOST,
            Outcome.SKIPPED,
            Outcome.MISSED,
            Outcome.CANCELLED));

    private static final String WORDS = OUTCOMES.stream().map(Enum::name).collect(Collectors.joining(", "));

    public static final FieldTable<RerunRequest> TABLE = new FieldTable<>(
            "a rerun",
            RerunRequest.class,
            List.of(
                    optional("since", FieldType.instant(), null, "fire times from then on"),
                    optional("until", FieldType.instant(), null, "fire times before it; `null`: now"),
                    optional("namespace", JobFieldTypes.name(64), null, "whose jobs"),
                    optional(
                            "job",
                            FieldType.text(200).checked("`namespace/name`", RerunRequest::keyProblem),
                            null,
                            "which job"),
                    optional(
                            "task",
                            id(),
                            null,
                            "the one task that is to run again, unless it succeeded; instead of all others"),
                    optional(
                            "outcome",
                            outcomes(),
                            WRONG,
                            "how it ended; if none is named, one of FAILED, LOST, MISSED and TIMED_OUT"),
                    optional("limit", FieldType.number(1, 1000), 100, "at most so many runs are made"),
                    optional("dryRun", FieldType.flag(), false, "only tell what would be made")),
            List.of());

    /** @throws InvalidDefinition with everything that is wrong */
    public static RerunRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        RerunRequest read = TABLE.read(sent, whole);
        if (read.since == null && read.task == null && whole.problems().isEmpty()) {
            whole.field("since")
                    .refuse("is required: from which fire time on, such as 2026-12-01T03:00:00Z; or name one task");
        }
        for (String field : List.of("since", "until", "namespace", "job", "outcome")) {
            if (read.task != null && sent.hasNonNull(field)) {
                whole.field(field).refuse("does not go with task, which names one; leave one of them out");
            }
        }
        if (read.since != null && read.until != null && !read.until.isAfter(read.since)) {
            whole.field("until").refuse("must lie after since");
        }
        JobKey key = read.key();
        if (key != null && read.namespace != null && !key.namespace().equals(read.namespace)) {
            whole.field("namespace").refuse("is '" + key.namespace() + "' in the field job; leave one of them out");
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** Returns the job, if one is named. */
    public @Nullable JobKey key() {
        int slash = job == null ? -1 : job.indexOf('/');
        return job == null ? null : new JobKey(job.substring(0, slash), job.substring(slash + 1));
    }

    private static @Nullable String keyProblem(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return "must be NAMESPACE/NAME, such as default/" + text;
        }
        String problem = Names.namespaceProblem(text.substring(0, slash));
        return problem != null ? problem : Names.jobProblem(text.substring(slash + 1));
    }

    /** Returns whether a task with this outcome may be rerun. */
    public static boolean canRunAgain(Outcome outcome) {
        return OUTCOMES.contains(outcome);
    }

    private static FieldType<Long> id() {
        return new FieldType<Long>(
                        "the id of a task",
                        (value, place) -> value.isIntegralNumber() && value.canConvertToLong() && value.longValue() > 0
                                ? Long.valueOf(value.longValue())
                                : place.refuse("must be the id of a task, such as 4711"),
                        LongNode::valueOf)
                .shown(Map.of("type", "integer", "minimum", 1));
    }

    private static FieldType<Set<Outcome>> outcomes() {
        return new FieldType<>(
                        "a list of at least one of " + WORDS,
                        (value, place) -> {
                            if (!value.isArray() || value.isEmpty()) {
                                return place.refuse(
                                        "must be a list of at least one of " + WORDS + ", such as [\"LOST\"]");
                            }
                            Set<Outcome> all = EnumSet.noneOf(Outcome.class);
                            for (int i = 0; i < value.size(); i++) {
                                String word = value.get(i).asText();
                                int before = all.size();
                                OUTCOMES.stream()
                                        .filter(o -> o.name().equals(word))
                                        .forEach(all::add);
                                if (all.size() == before
                                        && all.stream().noneMatch(o -> o.name().equals(word))) {
                                    place.element(i).refuse("'" + word + "' is not one of " + WORDS);
                                }
                            }
                            return Collections.unmodifiableSet(all);
                        },
                        outcomes -> {
                            ArrayNode list = JsonNodeFactory.instance.arrayNode();
                            outcomes.forEach(outcome -> list.add(outcome.name()));
                            return list;
                        })
                .shown(Map.of(
                        "type",
                        "array",
                        "minItems",
                        1,
                        "items",
                        Map.of(
                                "type",
                                "string",
                                "enum",
                                OUTCOMES.stream().map(Enum::name).toList())));
    }
}
