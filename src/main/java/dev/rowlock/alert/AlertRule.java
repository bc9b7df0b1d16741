package dev.rowlock.alert;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;
import static dev.rowlock.field.FieldType.duration;
import static dev.rowlock.field.FieldType.number;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.AlertFieldTypes;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rule: what people want to be told, of which jobs, and where.
 *
 * @param when the conditions, of which each raises alerts of its own
 * @param times of {@code FAILED_IN_A_ROW}
 * @param deadline of {@code NOT_STARTED_BY}: so long after the fire time
 * @param after of {@code NEVER_SUCCEEDED}: how long the job has existed; of {@code DATABASE_AWAY}: how long it was away
 * @param warnAfter of {@code TOO_LONG}; null: the factor decides
 * @param p95Factor of {@code TOO_LONG}: so many times what 95 % of the runs take
 * @param atLeast of {@code TOO_SHORT}
 * @param before of {@code TOKEN_EXPIRING} and {@code CALENDAR_ENDS}
 * @param reminder so often it is told again until it is over
 * @param groupWait how long a message waits for other alerts of the rule
 */
public record AlertRule(
        String description,
        List<AlertCondition> when,
        @Nullable Integer times,
        @Nullable Duration deadline,
        @Nullable Duration after,
        @Nullable Duration warnAfter,
        @Nullable Integer p95Factor,
        @Nullable Duration atLeast,
        @Nullable Duration before,
        @Nullable String namespace,
        @Nullable String job,
        Map<String, String> labels,
        List<String> channels,
        @Nullable Duration reminder,
        Duration groupWait) {

    public static final FieldTable<AlertRule> TABLE = new FieldTable<>(
            "a rule",
            AlertRule.class,
            List.of(
                    optional("description", FieldType.text(500), "", "a note for people"),
                    required("when", AlertFieldTypes.words(AlertCondition.class), List.of(), "such as [\"FAILED\"]"),
                    optional("times", number(1, 1000), null, "how many runs in a row (`FAILED_IN_A_ROW`)"),
                    optional("deadline", duration("1s", "30d"), null, "how late a start may be (`NOT_STARTED_BY`)"),
                    optional(
                            "after",
                            duration("1s", "365d"),
                            null,
                            "how old the job is (`NEVER_SUCCEEDED`, 1d), or how long the database was away"
                                    + " (`DATABASE_AWAY`, 10s)"),
                    optional("warnAfter", duration("1s", "365d"), null, "how long a run may take (`TOO_LONG`)"),
                    optional("p95Factor", number(2, 100), null, "so many times its usual longest (`TOO_LONG`)"),
                    optional("atLeast", duration("1s", "365d"), null, "how long a run takes at least (`TOO_SHORT`)"),
                    optional(
                            "before",
                            duration("1m", "365d"),
                            null,
                            "how long ahead (`TOKEN_EXPIRING`, 7d; `CALENDAR_ENDS`, 60d)"),
                    optional("namespace", JobFieldTypes.name(64), null, "whose jobs; `null`: all"),
                    optional("job", JobFieldTypes.name(128), null, "which job of that namespace; `null`: all"),
                    optional(
                            "labels",
                            JobFieldTypes.map("texts", 4 * 63, Names::labelProblem),
                            Map.of(),
                            "what the jobs bear"),
                    required(
                            "channels",
                            AlertFieldTypes.list("channels", 10, AlertFieldTypes.reference()),
                            List.of(),
                            "who is told, such as [\"ops\"]"),
                    optional("reminder", duration("1m", "30d"), null, "how often it is told again until it is over"),
                    optional(
                            "groupWait",
                            duration("0s", "1h"),
                            Duration.ofSeconds(10),
                            "how long a message waits for other alerts of the rule")),
            List.of("name", "createdAt", "updatedAt"));

    /** Former fields, with what to do instead. Stored rules are read without them. */
    private static final Map<String, String> REMOVED = Map.of(
            "quietHours",
            "was removed: messages are sent at any hour; leave it out, and use the quiet hours of the chat or pager"
                    + " that receives them, or a silence (POST /api/v1/silences)",
            "groupBy",
            "was removed: the alerts of one rule share a message; leave it out, and make one rule for each message that"
                    + " you want");

    /** @throws InvalidDefinition with everything that is wrong */
    public static AlertRule parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        REMOVED.forEach((field, instead) -> {
            if (sent.has(field)) {
                whole.field(field).refuse(instead);
            }
        });
        TABLE.refuseUnknown(sent, REMOVED.keySet(), whole);
        int problems = whole.problems().size();
        AlertRule read = TABLE.read(sent, whole);
        if (whole.problems().size() == problems) {
            read.check(whole);
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** Reads a stored rule: {@link #json} of an acceptable one. */
    public static AlertRule stored(ObjectNode stored) {
        return TABLE.read(stored, new Place("", new ArrayList<>()));
    }

    public ObjectNode json() {
        return TABLE.write(this);
    }

    private void check(Place whole) {
        if (when.isEmpty()) {
            whole.field("when").refuse("must name at least one condition, such as [\"FAILED\"]");
        }
        if (channels.isEmpty()) {
            whole.field("channels").refuse("must name at least one channel; make it with PUT /api/v1/alerts/channels");
        }
        if (job != null && namespace == null) {
            whole.field("namespace").refuse("is required with job");
        }
        needs(AlertCondition.FAILED_IN_A_ROW, "times", times, whole);
        needs(AlertCondition.NOT_STARTED_BY, "deadline", deadline, whole);
        needs(AlertCondition.TOO_LONG, "warnAfter", warnAfter == null ? p95Factor : warnAfter, whole);
        needs(AlertCondition.TOO_SHORT, "atLeast", atLeast, whole);
        if (warnAfter != null && p95Factor != null) {
            whole.field("p95Factor").refuse("cannot go with warnAfter; make two rules, or leave out one of them");
        }
        checkUnused(whole);
        boolean jobs = namespace != null || !labels.isEmpty();
        if (jobs && !when.isEmpty() && when.stream().noneMatch(AlertCondition::isOfJobs)) {
            whole.field(namespace != null ? "namespace" : "labels")
                    .refuse("is about jobs, but " + when.get(0) + " is about the cluster; leave it out");
        }
    }

    private void needs(AlertCondition condition, String field, @Nullable Object value, Place whole) {
        if (value == null && when.contains(condition)) {
            whole.field(field).refuse("is required with " + condition);
        }
    }

    private void checkUnused(Place whole) {
        Map<String, List<AlertCondition>> users = new LinkedHashMap<>();
        users.put("times", List.of(AlertCondition.FAILED_IN_A_ROW));
        users.put("deadline", List.of(AlertCondition.NOT_STARTED_BY));
        users.put("after", List.of(AlertCondition.NEVER_SUCCEEDED, AlertCondition.DATABASE_AWAY));
        users.put("warnAfter", List.of(AlertCondition.TOO_LONG));
        users.put("p95Factor", List.of(AlertCondition.TOO_LONG));
        users.put("atLeast", List.of(AlertCondition.TOO_SHORT));
        users.put("before", List.of(AlertCondition.TOKEN_EXPIRING, AlertCondition.CALENDAR_ENDS));
        Map<String, @Nullable Object> values = TABLE.values(this);
        users.forEach((field, of) -> {
            if (values.get(field) != null && of.stream().noneMatch(when::contains)) {
                whole.field(field)
                        .refuse("means something with " + of.get(0) + " only; add that to when, or leave it" + " out");
            }
        });
    }

    /** Returns whether the rule is about this job. */
    public boolean covers(JobKey key, Map<String, String> jobLabels) {
        return (namespace == null || namespace.equals(key.namespace()))
                && (job == null || job.equals(key.name()))
                && jobLabels.entrySet().containsAll(labels.entrySet());
    }

    /** Returns {@code after} of {@code NEVER_SUCCEEDED}. */
    public Duration age() {
        return after == null ? Duration.ofDays(1) : after;
    }

    /** Returns {@code after} of {@code DATABASE_AWAY}. */
    public Duration away() {
        return after == null ? Duration.ofSeconds(10) : after;
    }

    /** Returns {@code before} of {@code TOKEN_EXPIRING} or {@code CALENDAR_ENDS}. */
    public Duration ahead(AlertCondition condition) {
        int days = condition == AlertCondition.CALENDAR_ENDS ? JobCalendars.ENDS_SOON : 7;
        return before == null ? Duration.ofDays(days) : before;
    }
}
