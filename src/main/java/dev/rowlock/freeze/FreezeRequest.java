package dev.rowlock.freeze;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.AlertFieldTypes;
import dev.rowlock.definition.JobFieldTypes;
import dev.rowlock.definition.Names;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Request for a freeze.
 *
 * @param from null: now
 * @param until null: {@code lasts} says when it ends
 * @param lasts how long, from its beginning on
 */
public record FreezeRequest(
        FreezeScope scope,
        FreezeEffect then,
        @Nullable Instant from,
        @Nullable Instant until,
        @Nullable Duration lasts,
        String reason) {

    /** Name of the field that says how long a freeze lasts, in place of {@code until}. */
    private static final String FOR = "for";

    private static final Duration LONGEST = Duration.ofDays(366);
    private static final FieldType<Duration> LASTS = FieldType.duration("1s", "366d");
    private static final int MOST = 20;

    /** Fields of a freeze but {@value #FOR}. */
    public record Sent(
            @Nullable Instant from,
            @Nullable Instant until,
            List<String> namespaces,
            Map<String, String> labels,
            List<String> jobs,
            boolean all,
            FreezeEffect then,
            String reason) {}

    /** Change of a freeze that is not over. */
    public record FreezeChange(
            @Nullable Instant until,
            @Nullable Duration lasts,
            @Nullable String reason) {

        /** Returns when it ends from now on. */
        public Instant until(Freeze was, Instant now) {
            Instant end = lasts == null ? (until == null ? was.until() : until) : now.plus(lasts);
            if (!end.equals(was.until())) {
                mustEnd(end, was.from().isAfter(now) ? was.from() : now);
            }
            return end;
        }
    }

    /** Fields of such a change but {@value #FOR}. */
    public record SentChange(
            @Nullable Instant until, @Nullable String reason) {}

    private static final FieldType<String> REASON = FieldType.text(500).meant(String::strip);

    public static final FieldTable<Sent> TABLE = new FieldTable<>(
            "a freeze",
            Sent.class,
            List.of(
                    optional("from", FieldType.instant(), null, "when it begins; now, unless it is said"),
                    optional("until", FieldType.instant(), null, "when it ends, unless for says so"),
                    optional(
                            "namespaces",
                            AlertFieldTypes.list("namespaces", MOST, JobFieldTypes.name(64)),
                            List.of(),
                            "whose jobs it covers"),
                    optional(
                            "labels",
                            JobFieldTypes.map("texts", 4 * 63, Names::labelProblem),
                            Map.of(),
                            "it covers jobs that bear one of them"),
                    optional("jobs", AlertFieldTypes.list("jobs", MOST, job()), List.of(), "which jobs it covers"),
                    optional("all", FieldType.flag(), false, "covers every job"),
                    optional(
                            "then",
                            FieldType.word(FreezeEffect.class),
                            FreezeEffect.HOLD,
                            "what becomes of what is due"),
                    optional("reason", REASON, "", "why, for people")),
            List.of("id", "state", "by", "createdAt", "endedBy"));

    public static final FieldTable<SentChange> CHANGE = new FieldTable<>(
            "a change of a freeze",
            SentChange.class,
            List.of(
                    optional("until", FieldType.instant(), null, "when it ends"),
                    optional("reason", REASON, null, "why, for people")),
            List.of());

    private static FieldType<String> job() {
        return FieldType.text(200).checked("a job, such as `ops/backup`", text -> {
            int slash = text.indexOf('/');
            return slash > 0
                            && Names.namespaceProblem(text.substring(0, slash)) == null
                            && Names.jobProblem(text.substring(slash + 1)) == null
                    ? null
                    : "must be namespace/name, such as ops/backup";
        });
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static FreezeRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(FOR), whole);
        int problems = whole.problems().size();
        Sent read = TABLE.read(sent, whole);
        @Nullable Duration lasts = lasts(sent, whole);
        FreezeScope scope = new FreezeScope(read.namespaces, read.labels, read.jobs, read.all);
        if (whole.problems().size() == problems) {
            check(read, lasts, scope, whole);
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return new FreezeRequest(scope, read.then, read.from, read.until, lasts, read.reason);
    }

    private static void check(Sent read, @Nullable Duration lasts, FreezeScope scope, Place whole) {
        if (scope.isEmpty() && !read.all) {
            whole.field("namespaces")
                    .refuse("is missing, as are labels and jobs: name what is frozen, or say {\"all\": true} to freeze"
                            + " every job");
        }
        if (!scope.isEmpty() && read.all) {
            whole.field("all").refuse("must be left out beside namespaces, labels or jobs: it covers every job");
        }
        if (read.labels.size() > MOST) {
            whole.field("labels").refuse("must be at most " + MOST);
        }
        if (read.until == null && lasts == null) {
            whole.field("until").refuse("is required unless for says how long it lasts: a freeze has an end");
        }
        if (read.until != null && lasts != null) {
            whole.field(FOR).refuse("must be left out beside until: both say when it ends");
        }
    }

    /** @throws InvalidDefinition with everything that is wrong */
    public static FreezeChange change(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        CHANGE.refuseUnknown(sent, Set.of(FOR), whole);
        int problems = whole.problems().size();
        SentChange read = CHANGE.read(sent, whole);
        @Nullable Duration lasts = lasts(sent, whole);
        if (whole.problems().size() == problems && read.until == null && read.reason == null && lasts == null) {
            whole.field("until").refuse("is missing, as are for and reason: name at least one of them");
        }
        if (read.until != null && lasts != null) {
            whole.field(FOR).refuse("must be left out beside until: both say when it ends");
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return new FreezeChange(read.until, lasts, read.reason);
    }

    private static @Nullable Duration lasts(ObjectNode sent, Place whole) {
        JsonNode value = sent.path(FOR);
        return value.isMissingNode() || value.isNull() ? null : LASTS.read(value, whole.field(FOR));
    }

    /** Returns when it begins; a beginning that is over is now. */
    public Instant from(Instant now) {
        return from == null || from.isBefore(now) ? now : from;
    }

    /**
     * Returns when it ends.
     *
     * @throws InvalidDefinition it would end before it begins, or be too long
     */
    public Instant until(Instant now) {
        Instant begins = from(now);
        Instant end = lasts == null ? until : begins.plus(lasts);
        if (end == null) {
            throw new IllegalStateException("a freeze without an end");
        }
        mustEnd(end, begins);
        if (begins.isAfter(now.plus(LONGEST))) {
            throw refused("from", "must be at most " + LONGEST.toDays() + " days ahead");
        }
        return end;
    }

    private static void mustEnd(Instant end, Instant after) {
        if (!end.isAfter(after)) {
            throw refused(
                    "until",
                    "must be later than " + Times.text(after)
                            + ", when it begins, or now by the database's clock; DELETE ends a freeze");
        }
        if (end.isAfter(after.plus(LONGEST))) {
            throw refused("until", "must be at most " + LONGEST.toDays() + " days after " + Times.text(after));
        }
    }

    private static InvalidDefinition refused(String field, String message) {
        Place whole = new Place("", new ArrayList<>());
        whole.field(field).refuse(message);
        return new InvalidDefinition(whole.problems());
    }
}
