package dev.rowlock.alert;

import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.alert.RunDecision.TrackRecord;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of rules as runs end, one after the other: alerts to raise, alerts to close, notifications to send. At
 * most one alert per rule, condition and subject is open. For one thread and one transaction.
 */
public final class Evaluating {

    /** Conditions that need, for a successful run, the number of failures in a row before it. */
    public static final Set<AlertCondition> RECOVERY = Set.of(AlertCondition.RECOVERED);

    private static final List<AlertCondition> SILENT = List.of(AlertCondition.FAILED);

    /** Conditions that are announced each time, even while an earlier alert is open. */
    private static final Set<AlertCondition> FOLLOWING = Set.of(AlertCondition.FAILED, AlertCondition.NODE_LOST);

    private final RuleBook book;
    private final FactsOf facts;
    /** Open alerts, by rule, condition and subject. */
    private final Map<SubjectKey, Alert> open = new LinkedHashMap<>();

    private final Set<EventKey> known = new HashSet<>();
    private final List<Alert> raised = new ArrayList<>();
    private final List<Alert> closed = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();

    /** Source of further facts about a run that a rule may match. */
    @FunctionalInterface
    public interface FactsOf {
        TrackRecord of(JobRun run, Set<AlertCondition> conditions);
    }

    private record SubjectKey(String rule, AlertCondition condition, String subject) {}

    private record EventKey(String rule, AlertCondition condition, String event) {}

    /** Notification of an alert, and its reason. */
    public record Told(NamedRule rule, Alert alert, PartKind kind) {}

    /** Alert that is stored, or to be stored. */
    public static final class Alert {

        private final String rule;
        private final AlertEvent event;
        private long id;
        private @Nullable String closedWhy;

        /** @param id 0: it is to be stored */
        public Alert(long id, String rule, AlertEvent event) {
            this.id = id;
            this.rule = rule;
            this.event = event;
        }

        public long id() {
            return id;
        }

        /** Takes the id under which the alert was stored. */
        public void storedAs(long stored) {
            id = stored;
        }

        public String rule() {
            return rule;
        }

        public AlertEvent event() {
            return event;
        }

        /** Returns why the alert was closed; null while it is open. */
        public @Nullable String closedWhy() {
            return closedWhy;
        }

        private SubjectKey key() {
            return new SubjectKey(rule, event.condition(), event.subject());
        }
    }

    public Evaluating(RuleBook book, FactsOf facts) {
        this.book = book;
        this.facts = facts;
    }

    /** Adds an alert that is open. */
    public void found(Alert alert) {
        open.put(alert.key(), alert);
    }

    /** Adds an event that was announced before. */
    public void known(String rule, AlertCondition condition, String event) {
        known.add(new EventKey(rule, condition, event));
    }

    /** Evaluates a run that ended. */
    public void ended(JobRun run) {
        ended(run, false);
    }

    /** @param overSince whether a later run has succeeded already: this one was recorded late */
    public void ended(JobRun run, boolean overSince) {
        for (NamedRule named : book.of(run.key(), run.labels())) {
            if (!run.endedAt().isBefore(named.createdAt())) {
                ended(named, run, overSince);
            }
        }
    }

    /** Returns whether no rule can raise an alert for this run, which can then only close some. */
    public boolean isQuiet(JobRun run) {
        return run.succeeded()
                && book.of(run.key(), run.labels()).stream()
                        .allMatch(named -> met(named, run, facts(named, run)).isEmpty());
    }

    private TrackRecord facts(NamedRule named, JobRun run) {
        return facts.of(run, Set.copyOf(conditions(named)));
    }

    private static List<AlertCondition> met(NamedRule named, JobRun run, TrackRecord known) {
        return RunDecision.raises(named.rule(), conditions(named), run, known);
    }

    private void ended(NamedRule named, JobRun run, boolean overSince) {
        TrackRecord known = facts(named, run);
        List<AlertCondition> met = met(named, run, known);
        for (AlertCondition condition : met) {
            AlertEvent event = AlertEvent.of(condition, run, known.streak());
            RunDecision.limitMillis(named.rule(), condition, known.p95Millis())
                    .ifPresent(limit -> event.detail().put("limitMs", limit));
            Alert alert = raise(named, event);
            if (alert != null && overSince) {
                close(alert, "RECOVERED");
            }
        }
        if (RunDecision.recovers(run)) {
            recover(named, run, met);
        }
    }

    /** Returns the conditions to evaluate: a rule that tells only of recoveries has to know of failures. */
    private static List<AlertCondition> conditions(NamedRule named) {
        return named.rule().when().equals(List.of(AlertCondition.RECOVERED))
                ? SILENT
                : named.rule().when();
    }

    /** Raises an alert; null if it is known already. */
    public @Nullable Alert raise(NamedRule named, AlertEvent event) {
        Alert alert = new Alert(0, named.name(), event);
        @Nullable Alert before = open.get(alert.key());
        boolean once = !FOLLOWING.contains(event.condition());
        if (before != null && (once || before.event().event().equals(event.event()))) {
            return null;
        }
        if (!known.add(new EventKey(named.name(), event.condition(), event.event()))) {
            return null;
        }
        if (before != null) {
            close(before, "FOLLOWED");
        }
        open.put(alert.key(), alert);
        raised.add(alert);
        if (named.rule().when().contains(event.condition())) {
            told.add(new Told(named, alert, PartKind.RAISED));
        }
        return alert;
    }

    private void recover(NamedRule named, JobRun run, List<AlertCondition> but) {
        int before = told.size();
        recover(named, run.subject(), but);
        if (told.size() > before) {
            told.get(before)
                    .alert()
                    .event()
                    .detail()
                    .putObject("recovered")
                    .put("task", run.task())
                    .put("at", Times.text(run.endedAt()))
                    .put("failures", facts.of(run, RECOVERY).streak());
        }
    }

    /** Closes the alerts of this subject, except those whose condition was just met. */
    public void recover(NamedRule named, String subject, List<AlertCondition> but) {
        List<Alert> over = open.values().stream()
                .filter(alert -> alert.rule().equals(named.name())
                        && alert.event().subject().equals(subject)
                        && !but.contains(alert.event().condition()))
                .toList();
        over.forEach(alert -> close(alert, "RECOVERED"));
        if (!over.isEmpty() && but.isEmpty() && named.rule().when().contains(AlertCondition.RECOVERED)) {
            told.add(new Told(named, over.get(0), PartKind.RECOVERED));
        }
    }

    /** Ends an alert. */
    public void close(Alert alert, String why) {
        open.remove(alert.key(), alert);
        alert.closedWhy = why;
        if (alert.id() != 0) {
            closed.add(alert);
        }
    }

    /** Announces an open alert again. */
    public void remind(NamedRule named, Alert alert) {
        told.add(new Told(named, alert, PartKind.REMINDER));
    }

    /** Returns the alerts to insert, some of them closed already. */
    public List<Alert> raised() {
        return raised;
    }

    /** Returns the stored alerts to close. */
    public List<Alert> closed() {
        return closed;
    }

    /** Returns the alerts that are open by now. */
    public List<Alert> open() {
        return List.copyOf(open.values());
    }

    public List<Told> told() {
        return told;
    }

    /** Returns when an open alert of this rule is announced again. */
    public static @Nullable Instant reminder(NamedRule named, Instant now) {
        return named.rule().reminder() == null ? null : now.plus(named.rule().reminder());
    }
}
