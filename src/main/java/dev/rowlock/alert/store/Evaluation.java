package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.Evaluating;
import dev.rowlock.alert.JobRun;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.NextRuns.RunBatch;
import dev.rowlock.alert.store.RunFeed.FeedState;
import dev.rowlock.alert.store.RunFeed.RunPosition;
import dev.rowlock.alert.store.RunFeed.RunRow;
import dev.rowlock.db.Database;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Evaluation of rules by history: reads on, and writes what the rules make of it, in one transaction under the row with
 * its position. Two nodes may do so at once, and either may die.
 */
public final class Evaluation {

    private static final String MOVE = "update alert_state set read_at = :at, read_id = :id where id = 1";
    private static final String SKIP = """
            delete from alert_late
             where task_id in (select task_id from (select task_id from alert_late limit 1000) l)
            """;

    /**
     * Update of raised alerts with labels, which silences may be about. They are not read with each run if no rule asks
     * for them.
     */
    private static final String LABELS = """
            update alert a
              straight_join task_history h on h.id = a.task_id
              straight_join job_version v on v.job_id = h.job_id and v.version = h.job_version
               set a.labels = json_extract(v.definition, '$.labels')
             where a.id in (%s)
            """;

    private final Database database;

    public Evaluation(Database database) {
        this.database = database;
    }

    /** Result of a pass. */
    public enum EvaluationProgress {
        /** Nothing is left to read. */
        ALL,
        MORE,
        /** The rules have changed: read them again. */
        STALE
    }

    /**
     * Pending work.
     *
     * @param behind whether there is something to read
     * @param pings whether a job may ask for pings
     */
    public record Todo(boolean behind, boolean pings) {}

    /** Returns the pending work, without a lock. */
    public Todo todo() {
        FeedState state = database.autoCommit("looking how far alerts are", handle -> RunFeed.state(handle, false));
        return new Todo(state.isBehind(), state.pings());
    }

    /** Reads the next rows of history, at most so many. */
    public EvaluationProgress history(RuleBook book, int most) {
        return database.transact("raising alerts", handle -> {
            FeedState state = RunFeed.state(handle, true);
            if (state.rules() != book.version()) {
                return EvaluationProgress.STALE;
            }
            if (book.isEmpty() && !state.pings()) {
                return skip(handle, state);
            }
            List<RunRow> late = state.late() ? RunFeed.late(handle, state, book.asksForLabels(), most) : List.of();
            RunBatch next = NextRuns.next(handle, state, book, late, most);
            List<RunRow> fresh = new ArrayList<>(late);
            next.rows().stream().filter(row -> !row.late()).forEach(fresh::add);
            fresh.removeIf(row -> row.run().origin().isBackfill());
            evaluate(handle, book, state.now(), RunFeed.runs(late), RunFeed.runs(fresh));
            Pings.ended(handle, state.now(), fresh);
            RunPosition end = next.end();
            forget(handle, late, state.late() && end == null);
            if (end != null) {
                update(handle, MOVE, "at", SqlTime.text(end.at()), "id", end.id());
            }
            return next.more() || late.size() == most ? EvaluationProgress.MORE : EvaluationProgress.ALL;
        });
    }

    /** Skips history when there are no rules: what exists by now is never announced. */
    private static EvaluationProgress skip(Handle handle, FeedState state) {
        RunPosition counted = state.counted();
        if (counted != null && counted.isAfter(state.readAt(), state.readId())) {
            update(handle, MOVE, "at", SqlTime.text(counted.at()), "id", counted.id());
        }
        return state.late() && update(handle, SKIP) > 0 ? EvaluationProgress.MORE : EvaluationProgress.ALL;
    }

    private static void evaluate(Handle handle, RuleBook book, Instant now, List<JobRun> late, List<JobRun> runs) {
        Set<Long> lateIds = late.stream().map(JobRun::task).collect(Collectors.toSet());
        List<JobRun> concerned = runs.stream()
                .filter(run -> !book.of(run.key(), run.labels()).isEmpty())
                .toList();
        if (concerned.isEmpty()) {
            return;
        }
        RunFacts facts = new RunFacts(handle, book, lateIds, concerned);
        Evaluating evaluating = new Evaluating(book, facts::of);
        tellKnown(handle, concerned, evaluating);
        for (JobRun run : concerned) {
            evaluating.ended(run, lateIds.contains(run.task()) && facts.isOver(run));
        }
        AlertRows.write(handle, book, now, evaluating);
        if (!book.asksForLabels()) {
            List<Long> raised =
                    evaluating.raised().stream().map(Evaluating.Alert::id).toList();
            InList.change(handle, raised, part -> LABELS.formatted(InList.ids(part)));
        }
    }

    private static void tellKnown(Handle handle, List<JobRun> runs, Evaluating to) {
        Set<String> subjects = new LinkedHashSet<>();
        Set<String> events = new LinkedHashSet<>();
        for (JobRun run : runs) {
            subjects.add(run.subject());
            if (!to.isQuiet(run)) { // most are
                events.add(String.valueOf(run.task()));
                events.add("job:" + run.job());
            }
        }
        AlertRows.open(handle, subjects, to);
        AlertRows.known(handle, events, to);
    }

    /** @param purged whether what is left can only be of rows that are gone */
    private static void forget(Handle handle, List<RunRow> late, boolean purged) {
        List<Long> ids = late.stream().map(row -> row.run().task()).toList();
        InList.change(handle, ids, part -> "delete from alert_late where task_id in (" + InList.ids(part) + ")");
        if (purged && ids.isEmpty()) {
            update(handle, SKIP);
        }
    }
}
