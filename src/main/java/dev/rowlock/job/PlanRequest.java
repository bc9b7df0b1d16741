package dev.rowlock.job;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Request to apply definitions together.
 *
 * @param jobs as they were sent; no two of them have the same name
 * @param calendars by name; they are put in force together with the jobs
 * @param prune which other jobs are to be deleted; null: none
 * @param days how far ahead fire times are compared
 * @param freeze of which it is told what it would cover; null: none
 */
public record PlanRequest(
        List<ObjectNode> jobs,
        Map<String, CalendarDefinition> calendars,
        @Nullable Prune prune,
        int days,
        @Nullable PlannedFreeze freeze) {

    /** Most jobs planned at once; as many others may be pruned. */
    public static final int MOST_JOBS = 1_000;

    /** Most calendars beside them. */
    public static final int MOST_CALENDARS = 100;

    static final FieldTable<Prune> PRUNE = new FieldTable<>(
            "prune",
            Prune.class,
            List.of(
                    optional("namespace", JobFieldTypes.name(64), null, "whose jobs"),
                    optional(
                            "labels",
                            JobFieldTypes.map("texts", 4 * 63, Names::labelProblem),
                            Map.of(),
                            "what they bear")),
            List.of());

    static final FieldTable<PlannedFreeze> FREEZE = new FieldTable<>(
            "a freeze",
            PlannedFreeze.class,
            List.of(
                    required("from", FieldType.instant(), Instant.EPOCH, "when it begins"),
                    required("until", FieldType.instant(), Instant.EPOCH, "when it ends")),
            List.of());

    public static final FieldTable<PlanOptions> TABLE = new FieldTable<>(
            "a plan",
            PlanOptions.class,
            List.of(
                    optional(
                            "prune",
                            FieldType.object("an object", PRUNE),
                            null,
                            "which jobs are to be deleted unless they are named"),
                    optional("days", FieldType.number(1, 31), 7, "how far ahead fire times are compared"),
                    optional(
                            "freeze",
                            FieldType.object("an object", FREEZE),
                            null,
                            "a freeze, to be told which fire times it would cover")),
            List.of());

    /** Jobs that match all given criteria, of which there is one. */
    public record Prune(@Nullable String namespace, Map<String, String> labels) {

        /** Returns the filter for a page of them. */
        public JobFilter page(@Nullable JobKey after, int limit) {
            List<JobFilter.Label> wanted = new ArrayList<>();
            labels.forEach((name, value) -> wanted.add(new JobFilter.Label(name, value)));
            return new JobFilter(namespace, null, null, wanted, after, limit);
        }
    }

    /** Fields of a plan beside its jobs. */
    public record PlanOptions(
            @Nullable Prune prune, int days, @Nullable PlannedFreeze freeze) {}

    /** Time of a freeze that may be made. */
    public record PlannedFreeze(Instant from, Instant until) {}

    /** @throws InvalidDefinition with everything that is wrong, but for what is wrong with single jobs */
    public static PlanRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of("jobs", "calendars"), whole);
        PlanOptions rest = TABLE.read(sent, whole);
        if (rest.prune != null && rest.prune.namespace == null && rest.prune.labels.isEmpty()) {
            whole.field("prune")
                    .refuse("must say which jobs, such as {\"namespace\": \"ops\"} or {\"labels\": {\"team\":"
                            + " \"ops\"}}: an empty filter would delete every job that is not named");
        } else if (rest.prune != null && rest.prune.labels.size() > 20) {
            whole.field("prune").field("labels").refuse("must be at most 20");
        }
        if (rest.freeze != null && !rest.freeze.until.isAfter(rest.freeze.from)) {
            whole.field("freeze").field("until").refuse("must be later than from");
        }
        List<ObjectNode> jobs = jobs(sent.get("jobs"), whole.field("jobs"));
        Map<String, CalendarDefinition> calendars = calendars(sent.get("calendars"), whole.field("calendars"));
        InvalidDefinition.throwIfAny(whole.problems());
        return new PlanRequest(jobs, calendars, rest.prune, rest.days, rest.freeze);
    }

    private static Map<String, CalendarDefinition> calendars(@Nullable JsonNode sent, Place place) {
        Map<String, CalendarDefinition> calendars = new TreeMap<>();
        if (sent == null || sent.isNull()) {
            return calendars;
        }
        if (!(sent instanceof ObjectNode object) || object.size() > MOST_CALENDARS) {
            place.refuse("must be an object of at most " + MOST_CALENDARS + " calendars by their names");
            return calendars;
        }
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            Place at = place.field(each.getKey());
            String problem = Names.groupProblem(each.getKey());
            if (problem != null) {
                at.refuse("cannot be the name of a calendar: it " + problem);
            } else if (each.getValue() instanceof ObjectNode definition) {
                calendars.put(each.getKey(), CalendarDefinition.read(definition, at));
            } else {
                at.refuse("must be an object, not " + Place.kind(each.getValue()));
            }
        }
        return calendars;
    }

    /** Returns the name that a job was sent under, which may be an impossible one. */
    public static JobKey key(ObjectNode job) {
        return new JobKey(
                job.hasNonNull("namespace") ? job.path("namespace").asText() : "default",
                job.path("name").asText());
    }

    private static List<ObjectNode> jobs(@Nullable JsonNode sent, Place place) {
        List<ObjectNode> jobs = new ArrayList<>();
        if (sent == null || !sent.isArray()) {
            place.refuse("is required: a list of jobs, each as PUT takes it, with its name");
            return jobs;
        }
        if (sent.size() > MOST_JOBS) {
            place.refuse("must be at most " + MOST_JOBS + " jobs, not " + sent.size() + ": send them in several plans");
            return jobs;
        }
        Map<JobKey, Integer> known = new HashMap<>();
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i) instanceof ObjectNode job) {
                jobs.add(job);
                Integer same = known.putIfAbsent(key(job), i);
                if (same != null && job.path("name").isTextual()) {
                    place.element(i).field("name").refuse("is the same job as jobs[" + same + "]; name each job once");
                }
            } else {
                place.element(i).refuse("must be an object, not " + Place.kind(sent.get(i)));
            }
        }
        return jobs;
    }
}
