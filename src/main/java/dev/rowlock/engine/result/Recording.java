package dev.rowlock.engine.result;

import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.engine.BatchBisector;
import dev.rowlock.engine.Postponed;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.task.Finish;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records results so that one which the database refuses does not keep the others from being recorded: a batch that is refused is split until
 * what is refused stands alone. That one is tried once more without its reason, and then its row says what is wrong. Needs the turn of recording.
 */
public final class Recording {

    private static final Logger log = LoggerFactory.getLogger(Recording.class);

    private final Finish finish;
    private final Postponed<Ending> postponed;

    /** @param postponed knows what could not be recorded, and when it is tried again */
    public Recording(Finish finish, Postponed<Ending> postponed) {
        this.finish = finish;
        this.postponed = postponed;
    }

    /** For one or more that record for one node. */
    public static Postponed<Ending> postponed(LongSupplier nanos) {
        return new Postponed<>(nanos, Ending::taskId, ending -> ending + " cannot be recorded");
    }

    /**
     * Records what it can; may be repeated.
     *
     * @return what is not recorded and to be tried again, when {@code postponed} says so
     * @throws DatabaseUnavailable the batch is to be tried again as a whole
     * @throws RuntimeException likewise
     */
    public List<Ending> record(List<Ending> results) {
        postponed.run(results, this::finish, this::recordsAlone);
        return results.stream().filter(ending -> postponed.has(ending.taskId())).toList();
    }

    /**
     * Records all but what the database refuses because of its data.
     *
     * @return that
     * @throws RuntimeException something else went wrong with one of them; all are to be tried again
     */
    public List<Ending> recordAll(List<Ending> results) {
        List<Ending> refused = new ArrayList<>();
        List<RuntimeException> problems = new ArrayList<>();
        BatchBisector.Rest<Ending> rest = BatchBisector.run(
                results,
                false,
                this::finish,
                (ending, problem) -> {
                    if (!recordsAlone(ending, problem)) {
                        refused.add(ending);
                    }
                },
                (ending, problem) -> problems.add(problem));
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
        refused.addAll(rest.untried().isEmpty() ? List.of() : recordAll(rest.untried()));
        return refused;
    }

    private void finish(List<Ending> part) {
        finish.finish(part)
                .forEach((launch, found) -> log.warn(
                        "the result of {} came too late: history says {}",
                        launch,
                        found.outcome().isEmpty() ? "nothing (it was given back)" : found.outcome()));
    }

    /** False: it was refused, and its row says so. */
    private boolean recordsAlone(Ending ending, DataProblem problem) {
        if (ending.reason() != null) {
            try {
                finish(List.of(ending.withoutReason()));
                log.warn("{} is recorded without its reason", ending, problem);
                return true;
            } catch (DataProblem e) {
                log.debug("{} is refused without its reason too", ending, e);
            }
        }
        log.error("the database refuses {}", ending, problem);
        finish.refused(ending, String.valueOf(problem.getMessage()));
        return false;
    }
}
