package dev.rowlock.alert.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertEvent;
import dev.rowlock.alert.AlertEvent.JobPlace;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.NamedRule;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.RunDecision;
import dev.rowlock.alert.store.Reached.Period;
import dev.rowlock.alert.store.RunFeed.RunPosition;
import dev.rowlock.alert.store.TimeFacts.JobEvent;
import dev.rowlock.field.Times;
import dev.rowlock.report.count.FinishPlans;
import dev.rowlock.report.count.FinishPlans.DueFinish;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Alerts of jobs as time passes. */
final class JobsInTime {

    private final TimeFacts facts;
    private final RuleBook book;
    private final BiConsumer<AlertEvent, NamedRule> told;

    /** @param told what happened, and a rule that is about it */
    JobsInTime(Handle handle, RuleBook book, BiConsumer<AlertEvent, NamedRule> told) {
        this.facts = new TimeFacts(handle);
        this.book = book;
        this.told = told;
    }

    /** Reports each occurrence once, when a deadline passes it. */
    void notStarted(Reached reached, Period span) {
        for (Duration deadline : book.times(AlertCondition.NOT_STARTED_BY, AlertRule::deadline)) {
            reached.go(
                            "deadline",
                            deadline,
                            span,
                            behind -> facts.notStarted(behind, span.until().minus(deadline), deadline),
                            found -> new RunPosition(found.event().at().minus(deadline), task(found)))
                    .forEach(found -> tell(found, rule -> deadline.equals(rule.deadline())));
        }
    }

    private static long task(JobEvent found) {
        return Objects.requireNonNull(
                Objects.requireNonNull(found.event().job()).task());
    }

    /** Reports each job once, when it reaches an age. */
    void neverSucceeded(Reached reached, Period span) {
        for (Duration age : book.times(AlertCondition.NEVER_SUCCEEDED, AlertRule::age)) {
            reached
                    .go(
                            "age",
                            age,
                            span,
                            behind -> facts.ofAge(behind, span.until().minus(age), age),
                            job -> new RunPosition(job.createdAt(), job.job()))
                    .stream()
                    .filter(TimeFacts.OfAge::neverSucceeded)
                    .forEach(job -> tell(job.found(), rule -> age.equals(rule.age())));
        }
    }

    /** Reports all tasks that exceed a rule's duration, at every look. */
    void tooLong(Instant now) {
        List<NamedRule> rules = book.with(AlertCondition.TOO_LONG);
        rules.stream()
                .map(named -> RunDecision.shortest(named.rule()))
                .min(Duration::compareTo)
                .ifPresent(shortest -> facts.running(now, shortest).forEach(this::tellRunning));
    }

    /**
     * Reports each occurrence once that passes its deadline, and each that is likely to pass it.
     *
     * @param from the end of the last look
     */
    void finishing(FinishPlans plans, Instant from, Instant now) {
        boolean risk = !book.with(AlertCondition.AT_RISK).isEmpty();
        if (risk || !book.with(AlertCondition.NOT_FINISHED_BY).isEmpty()) {
            plans.due(facts.handle(), from, now, risk ? RunDecision.FEWEST_SAMPLES : null).stream()
                    .filter(due -> isLate(due, now) || isAtRisk(due, now))
                    .forEach(due -> tell(event(due, now), rule -> true));
        }
    }

    private static boolean isLate(DueFinish due, Instant now) {
        @Nullable Instant finished = due.end().finishedAt();
        return !due.finishBy().isAfter(now) && (finished == null || finished.isAfter(due.finishBy()));
    }

    private static boolean isAtRisk(DueFinish due, Instant now) {
        @Nullable Instant expected = due.expected(now);
        return due.finishBy().isAfter(now)
                && due.samples() >= RunDecision.FEWEST_SAMPLES
                && expected != null
                && expected.isAfter(due.finishBy());
    }

    private static JobEvent event(DueFinish due, Instant now) {
        AlertCondition condition = isLate(due, now) ? AlertCondition.NOT_FINISHED_BY : AlertCondition.AT_RISK;
        ObjectNode detail = JsonNodeFactory.instance
                .objectNode()
                .put("fireTime", Times.text(due.fireTime()))
                .put("finishBy", Times.text(due.finishBy()))
                .put("reason", due.end().reason());
        AlertEvent event = new AlertEvent(
                condition,
                "job:" + due.job(),
                "finish:" + due.job() + ":" + due.fireTime().toEpochMilli(),
                new JobPlace(due.job(), due.key(), due.labels(), null),
                null,
                condition == AlertCondition.AT_RISK ? now : due.finishBy(),
                detail);
        return new JobEvent(event, null);
    }

    private void tellRunning(JobEvent found) {
        long running = found.event().detail().path("runningMs").asLong();
        tell(found, rule -> {
            Duration longest = RunDecision.longest(rule, found.p95Millis());
            return longest != null && running >= longest.toMillis();
        });
    }

    private void tell(JobEvent found, Predicate<AlertRule> concerned) {
        AlertEvent event = found.event();
        AlertEvent.JobPlace job = Objects.requireNonNull(event.job());
        for (NamedRule named : book.of(job.key(), job.labels())) {
            AlertRule rule = named.rule();
            if (rule.when().contains(event.condition()) && concerned.test(rule)) {
                told.accept(withLimit(event, rule, found.p95Millis()), named);
            }
        }
    }

    /** Returns the event with its limit, which depends on the rule. */
    private static AlertEvent withLimit(AlertEvent event, AlertRule rule, @Nullable Long p95) {
        Duration longest = event.condition() == AlertCondition.TOO_LONG ? RunDecision.longest(rule, p95) : null;
        if (longest == null) {
            return event;
        }
        var detail = event.detail().deepCopy().put("limitMs", longest.toMillis());
        return new AlertEvent(
                event.condition(), event.subject(), event.event(), event.job(), event.node(), event.at(), detail);
    }
}
