package dev.rowlock.task.rule;

import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.MisfireDecision.CatchUpRun;
import dev.rowlock.task.rule.MisfireDecision.Insert;
import dev.rowlock.task.rule.MisfireDecision.MisfireRules;
import dev.rowlock.task.rule.MisfireDecision.Missed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Partition of the overdue fire times of one job: the latest run, all before them are missed. Those after the cursor's
 * have no row; they are counted, and only those that run are computed.
 */
final class CatchUp {

    private final List<Task> rows;
    private final MisfireRules rules;
    private final Schedule schedule;
    /** Latest fire time that is due by now. */
    private final Instant until;
    /** Earliest fire time that may still run. */
    private final Instant earliest;

    private final Task last;
    private final long unmade;
    private final List<Instant> made;
    /** Number of rows that are missed. */
    private final int gone;

    /**
     * @param through what was due after this is left for later
     * @param now as of when deadlines are over
     */
    CatchUp(List<Task> rows, MisfireRules rules, Schedule schedule, Instant through, Instant now) {
        this.rows = rows;
        this.rules = rules;
        this.schedule = schedule;
        this.until = through.minus(rules.terms().jitter());
        this.earliest = rules.earliest(now);
        this.last = rows.get(rows.size() - 1);
        this.unmade = last.cursor() ? schedule.countBetween(last.fireTime(), until) : 0;
        this.made = unmade == 0 ? List.of() : made();
        this.gone = rows.size() - runningRows();
    }

    private List<Instant> made() {
        Instant after = earliest.isAfter(last.fireTime()) ? earliest.minusMillis(1) : last.fireTime();
        return schedule.lastBetween(after, until, rules.most());
    }

    /**
     * Returns the number of rows that run, among the latest fire times: a row runs only if all fire times without a row
     * do.
     */
    private int runningRows() {
        int left = made.size() == unmade ? rules.most() - made.size() : 0;
        int inTime = (int)
                rows.stream().filter(row -> !row.fireTime().isBefore(earliest)).count();
        return Math.min(left, inTime);
    }

    MisfireDecision decision() {
        @Nullable Instant cursor = cursor();
        @Nullable Instant next = made.isEmpty() ? cursor : made.get(0);
        List<Insert> inserts = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            inserts.add(new Insert(made.get(i), i + 1 < made.size() ? made.get(i + 1) : cursor));
        }
        List<CatchUpRun> runs = rows.subList(gone, rows.size()).stream()
                .map(row -> new CatchUpRun(row, row.cursor() ? next : null))
                .toList();
        return new MisfireDecision(rows, missed(next), runs, inserts, cursor, rules, false);
    }

    /** Returns the first fire time that is not due yet, if the cursor stood at the last that is. */
    private @Nullable Instant cursor() {
        return last.cursor() ? schedule.nextAfter(later(last.fireTime(), until)).orElse(null) : null;
    }

    private List<Missed> missed(@Nullable Instant next) {
        long withoutRow = unmade - made.size();
        long all = gone + withoutRow;
        List<Missed> missed = new ArrayList<>();
        for (List<Task> together :
                Consecutive.of(rows.subList(0, gone), (a, b) -> b.fireTime().equals(a.nextFireTime()))) {
            Task end = together.get(together.size() - 1);
            long more = end.cursor() ? withoutRow : 0;
            Instant through = more == 0 ? end.fireTime() : lastWithoutRow();
            boolean tooLate = tooLate(through);
            missed.add(new Missed(
                    together.get(0),
                    together.size() + more,
                    through,
                    end.nextFireTime() == null ? firstThatStays(next) : end.nextFireTime(),
                    rules.outcome(tooLate),
                    rules.reason(all, tooLate)));
        }
        return missed;
    }

    /** Returns whether the deadline, and not the policy for misfires, keeps them from running. */
    private boolean tooLate(Instant latest) {
        return latest.isBefore(earliest)
                && switch (rules.misfire()) {
                    case RUN_ONCE -> made.isEmpty() && gone == rows.size();
                    case SKIP -> false;
                    case RUN_ALL -> true;
                };
    }

    private Instant lastWithoutRow() {
        Instant end = made.isEmpty() ? until : made.get(0).minusMillis(1);
        return schedule.lastBetween(last.fireTime(), end).orElse(last.fireTime());
    }

    private @Nullable Instant firstThatStays(@Nullable Instant next) {
        return gone < rows.size() ? rows.get(gone).fireTime() : next;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
