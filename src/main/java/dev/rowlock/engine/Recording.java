package dev.rowlock.engine;

import dev.rowlock.store.DataProblem;
import dev.rowlock.store.DatabaseUnavailable;
import dev.rowlock.store.Ending;
import dev.rowlock.store.Finish;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records results so that one which the database refuses does not keep the others from being recorded: a batch that is refused is split until
 * what is refused stands alone. That one is tried once more without its reason, and then its row says what is wrong. Needs the turn of recording.
 */
final class Recording {

    private static final Logger log = LoggerFactory.getLogger(Recording.class);

    private final Finish finish;

    Recording(Finish finish) {
        this.finish = finish;
    }

    /**
     * Records what it can; may be repeated.
     *
     * @return what is not recorded and to be tried again: what the database refused, and what failed for another reason
     * @throws DatabaseUnavailable the batch is to be tried again as a whole
     */
    List<Ending> record(List<Ending> results) {
        List<Ending> unrecorded = new ArrayList<>();
        Splitting.run(
                results, this::finish, (ending, problem) -> alone(ending, problem, unrecorded), (ending, problem) -> {
                    log.warn("{} cannot be recorded for now, and is tried again", ending, problem);
                    unrecorded.add(ending);
                });
        return unrecorded;
    }

    /**
     * Records all but what the database refuses because of its data.
     *
     * @return that
     * @throws RuntimeException something else went wrong with one of them; all are to be tried again
     */
    List<Ending> recordAll(List<Ending> results) {
        List<Ending> refused = new ArrayList<>();
        List<RuntimeException> problems = new ArrayList<>();
        Splitting.run(
                results,
                this::finish,
                (ending, problem) -> alone(ending, problem, refused),
                (ending, problem) -> problems.add(problem));
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
        return refused;
    }

    private void finish(List<Ending> part) {
        finish.finish(part)
                .forEach((launch, found) -> log.warn(
                        "the result of {} came too late: history says {}",
                        launch,
                        found.outcome().isEmpty() ? "nothing (it was given back)" : found.outcome()));
    }

    private void alone(Ending ending, DataProblem problem, List<Ending> refused) {
        if (ending.reason() != null) {
            try {
                finish(List.of(ending.withoutReason()));
                log.warn("{} is recorded without its reason", ending, problem);
                return;
            } catch (DataProblem e) {
                log.debug("{} is refused without its reason too", ending, e);
            }
        }
        log.error("the database refuses {}", ending, problem);
        finish.refused(ending, String.valueOf(problem.getMessage()));
        refused.add(ending);
    }
}
