package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A freeze as operators know it: what they have asked for, and when that was answered. Times are on the scale of
 * {@code /proc/uptime} unless they are instants. Thread-safe.
 */
final class DrawnFreeze {

    static final long NEVER = Long.MAX_VALUE;

    /** A request that nobody answered may still be carried out, by a node that was frozen, for so long. */
    private static final long MAY_COME_LATE_MILLIS = 25_000;

    private final JsonNode scope;
    private final boolean skips;
    private final long asked;
    private final @Nullable Instant planned;
    private final Wanted wanted;
    private final List<Change> changes = new ArrayList<>();
    private long id;
    private long answered = NEVER;
    private @Nullable Instant from;
    private @Nullable Instant until;

    /**
     * An end that was asked for.
     *
     * @param until null: so long after the request, or at once
     */
    record Wanted(@Nullable Instant until, Duration lasts) {

        static final Wanted AT_ONCE = new Wanted(null, Duration.ZERO);

        long earliest(Evidence evidence, long asked) {
            return until == null ? asked + lasts.toMillis() : Math.max(asked, evidence.uptimeOf(until));
        }

        /** If it was not answered, or not heard before that. */
        long latest(Evidence evidence, long asked, long answered) {
            long heard = answered == NEVER ? asked + MAY_COME_LATE_MILLIS : answered;
            return until == null ? heard + lasts.toMillis() : Math.max(heard, evidence.uptimeOf(until));
        }
    }

    /** @param until as it was answered; null: it was not */
    private record Change(
            Wanted wanted,
            long asked,
            long answered,
            @Nullable Instant until) {}

    /**
     * When it was in force.
     *
     * @param from for certain
     * @param until for certain, and without a break
     * @param earliest at the earliest
     * @param latest at the latest
     */
    record Span(long from, long until, long earliest, long latest) {

        boolean isCertain(long uptime, long margin) {
            return uptime - margin >= from && uptime + margin <= until;
        }

        boolean mayHold(long first, long last) {
            return earliest <= last && latest >= first;
        }
    }

    /** @param planned when it is to begin; null: at once */
    DrawnFreeze(JsonNode scope, boolean skips, @Nullable Instant planned, Wanted wanted, long asked) {
        this.scope = scope;
        this.skips = skips;
        this.planned = planned;
        this.wanted = wanted;
        this.asked = asked;
    }

    /** What the answer to the request says. */
    synchronized void made(JsonNode answer, long uptime) {
        id = answer.path("id").longValue();
        from = Instant.parse(answer.path("from").textValue());
        until = Instant.parse(answer.path("until").textValue());
        answered = uptime;
    }

    /** @param answer null: nobody answered; an empty one: it is over by now */
    synchronized void changed(Wanted to, long askedAt, @Nullable JsonNode answer, long uptime) {
        String text = answer == null ? "" : answer.path("until").asText();
        changes.add(
                new Change(to, askedAt, answer == null ? NEVER : uptime, text.isEmpty() ? null : Instant.parse(text)));
    }

    /** 0: not known. */
    synchronized long id() {
        return id;
    }

    boolean skips() {
        return skips;
    }

    /** Whether all that was asked for was answered. */
    synchronized boolean isCertain() {
        return id > 0 && changes.stream().noneMatch(change -> change.answered == NEVER);
    }

    /** Fields with several values want one of them; each field wants its own. */
    boolean covers(String job, Map<String, String> labels) {
        if (scope.path("all").asBoolean()) {
            return true;
        }
        String namespace = job.substring(0, job.indexOf('/'));
        return isAmong("namespaces", namespace)
                && isAmong("jobs", job)
                && (!scope.has("labels")
                        || scope.path("labels").properties().stream()
                                .anyMatch(each -> each.getValue().textValue().equals(labels.get(each.getKey()))));
    }

    private boolean isAmong(String field, String value) {
        boolean found = !scope.has(field);
        for (JsonNode each : scope.path(field)) {
            found |= each.textValue().equals(value);
        }
        return found;
    }

    synchronized Span span(Evidence evidence) {
        long earliest = planned == null ? asked : Math.max(asked, evidence.uptimeOf(planned));
        if (answered == NEVER || from == null || until == null) {
            return new Span(NEVER, NEVER, earliest, latest(evidence, wanted.latest(evidence, asked, NEVER)));
        }
        long certain = evidence.uptimeOf(until);
        for (Change change : changes) {
            if (change.until != null && change.answered <= certain) {
                long to = evidence.uptimeOf(change.until);
                certain = to >= certain ? to : Math.min(certain, Math.max(change.asked, to));
            } else {
                certain = Math.min(certain, change.wanted.earliest(evidence, change.asked));
            }
        }
        return new Span(
                Math.max(answered, evidence.uptimeOf(from)),
                certain,
                earliest,
                latest(evidence, evidence.uptimeOf(until)));
    }

    private long latest(Evidence evidence, long first) {
        long latest = first;
        for (Change change : changes) {
            long to = change.wanted.latest(evidence, change.asked, change.answered);
            latest = change.answered == NEVER ? Math.max(latest, to) : change.answered <= latest ? to : latest;
        }
        return latest;
    }

    @Override
    public synchronized String toString() {
        return "freeze " + id + " " + (skips ? "SKIP " : "HOLD ") + scope + ", asked for at uptime " + asked
                + ", answered at " + answered + ", from " + from + " until " + until + ", changes " + changes;
    }
}
