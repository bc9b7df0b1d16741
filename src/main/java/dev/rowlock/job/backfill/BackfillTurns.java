package dev.rowlock.job.backfill;

import dev.rowlock.db.Database;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.task.backfill.Backfill;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.backfill.BackfillQueries.OpenBackfill;
import dev.rowlock.task.backfill.BackfillTasks;
import dev.rowlock.task.rule.BackfillTurn;
import java.util.List;
import java.util.Optional;

/**
 * Turns of the fire times of backfills: each becomes a task when nothing of its job goes first. Every node does this;
 * under the lock of the job's stripe only the first one finds a turn. Of several backfills of a job the oldest goes
 * first. For one thread.
 */
public final class BackfillTurns {

    /** Backfills that are looked at together, as each costs a transaction even if its turn has not come. */
    private static final int TOGETHER = 50;

    private final BackfillQueries queries;
    private final JobStore jobs;
    /** The last backfill that was looked at, if there may be more behind it: what is stuck hides nothing. */
    private long seen;

    public BackfillTurns(Database database) {
        this.queries = new BackfillQueries(database);
        this.jobs = new JobStore(database);
    }

    /**
     * Makes tasks of what may start, and ends what was cancelled; returns how many tasks it made. Goes on with the next
     * backfills as long as there was something to make, and else when it is called again.
     */
    public int take() {
        int made = 0;
        int madeOfThese;
        do {
            List<OpenBackfill> these = queries.open(seen, TOGETHER);
            seen = these.size() < TOGETHER ? 0 : these.get(TOGETHER - 1).id();
            madeOfThese = take(these);
            made += madeOfThese;
        } while (madeOfThese > 0 && seen > 0);
        return made;
    }

    private int take(List<OpenBackfill> these) {
        int made = 0;
        for (OpenBackfill open : these) {
            Optional<Integer> next = jobs.changeById(
                    open.job(), "going on with backfill " + open.id(), change -> next(change, open.id()));
            if (next.isEmpty()) {
                queries.endOfDeletedJob(open);
            }
            made += next.orElse(0);
        }
        return made;
    }

    private static int next(JobChange change, long id) {
        BackfillTasks tasks = change.backfills();
        Optional<Backfill> found = tasks.open(id);
        if (found.isEmpty()) {
            return 0;
        }
        Backfill backfill = found.get();
        if (backfill.cancelledAt() != null) {
            tasks.endWaiting(backfill, change.tasks().live(), backfill.whyCancelled());
            return 0;
        }
        return tasks.makeNext(backfill, free(change, backfill));
    }

    /** Returns how many tasks may be made; none, while the job is paused, frozen or not understood by this version. */
    private static int free(JobChange change, Backfill backfill) {
        StoredJob job = change.job();
        return job.definition().paused()
                        || !job.stored().isUnderstood()
                        || change.freeze().isPresent()
                ? 0
                : BackfillTurn.free(
                        backfill.origin(),
                        job.definition().overlap(),
                        change.tasks().live(),
                        backfill.parallel(),
                        change.now());
    }
}
