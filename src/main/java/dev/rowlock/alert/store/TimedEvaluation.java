package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.Evaluation.EvaluationProgress;
import dev.rowlock.alert.store.RunFeed.FeedState;
import dev.rowlock.db.Database;
import dev.rowlock.report.count.FinishPlans;

/** Evaluation of rules as time passes, with reminders of open alerts; all in one transaction. */
public final class TimedEvaluation {

    private static final String LOOKED =
            "update alert_state set looked_at = utc_timestamp(3), reached = :reached where id = 1";

    private final Database database;
    private final FinishPlans plans = new FinishPlans();

    public TimedEvaluation(Database database) {
        this.database = database;
    }

    /** Evaluates a bounded number of tasks and jobs, so there may be more. */
    public EvaluationProgress look(RuleBook book) {
        return database.transact("raising alerts by time", handle -> {
            FeedState state = RunFeed.state(handle, true);
            if (state.rules() != book.version()) {
                return EvaluationProgress.STALE;
            }
            TimedLook look = new TimedLook(handle, book, state, plans);
            Reached reached = look.all();
            update(handle, LOOKED, "reached", reached.text());
            return reached.isBehind() ? EvaluationProgress.MORE : EvaluationProgress.ALL;
        });
    }
}
