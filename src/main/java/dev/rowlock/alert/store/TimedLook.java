package dev.rowlock.alert.store;

import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertEvent;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.Evaluating;
import dev.rowlock.alert.Evaluating.Alert;
import dev.rowlock.alert.NamedRule;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.ClusterFacts.Away;
import dev.rowlock.alert.store.Reached.Period;
import dev.rowlock.alert.store.RunFeed.FeedState;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.report.count.FinishPlans;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Look at what passes with time, within its transaction. */
final class TimedLook {

    /** Overlap with the last look, to see what committed a little later than it is dated. */
    private static final Duration OVERLAP = Duration.ofMinutes(1);
    /** Age from which nothing is announced any more after a long standstill. */
    private static final Duration FARTHEST = Duration.ofDays(7);

    /** Conditions that are announced although they began before the rule was made. */
    private static final Set<AlertCondition> GOES_ON = Set.of(AlertCondition.TOO_LONG, AlertCondition.TOKEN_EXPIRING);

    private static final String OF_THE_CLUSTER = "force index (by_kind) where a.closed_at is null"
            + " and a.kind in ('NODE_LOST', 'VERIFICATION_FAILED', 'TOKEN_EXPIRING')";
    private static final String DUE_REMINDERS = "force index (by_reminder) where a.remind_at <= utc_timestamp(3)"
            + " and a.closed_at is null and " + AlertRows.UNDERSTOOD + " order by a.remind_at limit 500";

    private final Handle handle;
    private final RuleBook book;
    private final FeedState state;
    private final ClusterFacts cluster;
    private final FinishPlans plans;
    private final Instant from;
    private final Instant now;
    private final Evaluating evaluating;
    /** Events, with the rules that are concerned, as far as they are known. */
    private final Map<AlertEvent, List<NamedRule>> events = new LinkedHashMap<>();

    TimedLook(Handle handle, RuleBook book, FeedState state, FinishPlans plans) {
        this.plans = plans;
        this.handle = handle;
        this.book = book;
        this.state = state;
        this.cluster = new ClusterFacts(handle);
        this.now = state.now();
        Instant looked = state.lookedAt().isAfter(now) ? now.minus(OVERLAP) : state.lookedAt(); // it was set back
        this.from = looked.isBefore(farthest()) ? farthest() : looked;
        this.evaluating = new Evaluating(book, (run, conditions) -> {
            throw new IllegalStateException("nothing has ended");
        });
    }

    private Instant farthest() {
        return now.minus(FARTHEST);
    }

    Reached all() {
        if (state.pings()) {
            Pings.started(handle, from, now);
        }
        Reached reached = Reached.parse(state.reached());
        JobsInTime jobs = new JobsInTime(handle, book, (event, rule) -> add(event, List.of(rule)));
        Period span = new Period(farthest(), from, now);
        jobs.notStarted(reached, span);
        jobs.neverSucceeded(reached, span);
        jobs.tooLong(now);
        jobs.finishing(plans, from, now);
        nodes();
        List<NamedRule> ofVerification = book.with(AlertCondition.VERIFICATION_FAILED);
        Verification found = ofVerification.isEmpty() ? null : cluster.verification();
        if (found != null && found.wrong() > 0) {
            add(ClusterFacts.event(found), ofVerification);
        }
        tokens();
        List<Away> reports = cluster.away();
        reports.forEach(this::away);
        cluster.forget(reports);
        raise(found);
        remind();
        AlertRows.write(handle, book, now, evaluating);
        return reached;
    }

    private void nodes() {
        List<NamedRule> rules = book.with(AlertCondition.NODE_LOST);
        if (!rules.isEmpty()) {
            cluster.lost(from.minus(OVERLAP), now).forEach(event -> add(event, rules));
        }
    }

    private void tokens() {
        for (NamedRule named : book.with(AlertCondition.TOKEN_EXPIRING)) {
            cluster.expiring(now, named.rule().ahead()).forEach(event -> add(event, List.of(named)));
        }
    }

    /** Combines reports: nodes come back one after the other, and each reports the same outage. */
    private void away(Away away) {
        for (NamedRule named : book.with(AlertCondition.DATABASE_AWAY)) {
            boolean told = cluster.lastAway(named.name())
                    .filter(last -> !away.from().isAfter(last))
                    .isPresent();
            boolean toldNow = events.entrySet().stream()
                    .anyMatch(e -> e.getKey().condition() == AlertCondition.DATABASE_AWAY
                            && e.getValue().contains(named)
                            && !away.from().isAfter(e.getKey().at()));
            if (!told && !toldNow && away.length().compareTo(named.rule().away()) >= 0) {
                add(ClusterFacts.event(away), List.of(named));
            }
        }
    }

    private void add(AlertEvent event, List<NamedRule> rules) {
        List<NamedRule> concerned = rules.stream()
                .filter(named ->
                        GOES_ON.contains(event.condition()) || !event.at().isBefore(named.createdAt()))
                .toList();
        if (!concerned.isEmpty()) {
            events.computeIfAbsent(event, any -> new ArrayList<>()).addAll(concerned);
        }
    }

    private void raise(@Nullable Verification found) {
        Set<String> subjects = new LinkedHashSet<>();
        Set<String> keys = new LinkedHashSet<>();
        events.keySet().forEach(event -> {
            subjects.add(event.subject());
            keys.add(event.event());
        });
        if (!events.isEmpty()) {
            AlertRows.open(handle, subjects, evaluating);
            AlertRows.known(handle, keys, evaluating);
        }
        recover(found);
        events.forEach((event, rules) -> rules.forEach(named -> {
            Alert alert = evaluating.raise(named, event);
            if (alert != null && event.condition() == AlertCondition.DATABASE_AWAY) {
                evaluating.close(alert, "OVER");
            }
        }));
    }

    /** Closes alerts of nodes that are back, tokens that were renewed, and a verification that found nothing. */
    private void recover(@Nullable Verification found) {
        List<Alert> open = AlertRows.open(handle, OF_THE_CLUSTER);
        open.forEach(evaluating::found);
        Set<String> alive = open.isEmpty() ? Set.of() : cluster.alive();
        for (Alert alert : open) {
            NamedRule named = book.find(alert.rule()).orElse(null);
            boolean over = switch (alert.event().condition()) {
                case NODE_LOST -> alive.contains(String.valueOf(alert.event().node()));
                case VERIFICATION_FAILED -> found != null && found.wrong() == 0;
                case TOKEN_EXPIRING -> isRenewed(alert, named);
                default -> false;
            };
            if (over && named != null) {
                evaluating.recover(named, alert.event().subject(), List.of());
            }
        }
    }

    /** Returns whether the token was renewed; closes the alert silently if it has expired by now. */
    private boolean isRenewed(Alert alert, @Nullable NamedRule named) {
        if (named == null || isExpiring(alert)) {
            return false;
        }
        Instant expires = cluster.expires(alert.event().subject());
        if (expires != null && !expires.isAfter(now)) {
            evaluating.close(alert, "OVER");
            return false;
        }
        return expires == null || expires.isAfter(now.plus(named.rule().ahead()));
    }

    private boolean isExpiring(Alert alert) {
        return events.keySet().stream()
                .anyMatch(event -> event.subject().equals(alert.event().subject()));
    }

    /** Reminds of alerts that are still open, and that the rule is still about. */
    private void remind() {
        Map<Instant, List<Long>> next = new LinkedHashMap<>();
        for (Alert alert : AlertRows.open(handle, DUE_REMINDERS)) {
            if (evaluating.closed().stream().anyMatch(over -> over.id() == alert.id())) {
                continue;
            }
            NamedRule named = book.find(alert.rule())
                    .filter(rule -> isAbout(rule.rule(), alert))
                    .orElse(null);
            Instant again = named == null ? null : Evaluating.reminder(named, now);
            if (named == null || again == null) {
                evaluating.close(alert, "RULE_CHANGED");
            } else {
                evaluating.remind(named, alert);
                next.computeIfAbsent(again, at -> new ArrayList<>()).add(alert.id());
            }
        }
        next.forEach((at, ids) -> InList.change(
                handle,
                ids,
                part -> "update alert set remind_at = '" + SqlTime.text(at) + "' where id in (" + InList.ids(part)
                        + ")"));
    }

    private static boolean isAbout(AlertRule rule, Alert alert) {
        AlertEvent.JobPlace job = alert.event().job();
        return rule.when().contains(alert.event().condition()) && (job == null || rule.covers(job.key(), job.labels()));
    }
}
