package dev.rowlock.engine;

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
     * @return what the database refused
     * @throws DatabaseUnavailable the batch is to be tried again as a whole
     */
    List<Ending> record(List<Ending> results) {
        List<Ending> refused = new ArrayList<>();
        Splitting.run(results, this::finish, (ending, problem) -> alone(ending, problem, refused));
        return refused;
    }

    private void finish(List<Ending> part) {
        finish.finish(part)
                .forEach((launch, found) -> log.warn(
                        "the result of {} came too late: history says {}",
                        launch,
                        found.outcome().isEmpty() ? "nothing (it was given back)" : found.outcome()));
    }

    private void alone(Ending ending, RuntimeException problem, List<Ending> refused) {
        if (ending.reason() != null) {
            log.warn("{} is recorded without its reason", ending, problem);
            Splitting.run(List.of(ending.withoutReason()), this::finish, (e, again) -> alone(e, again, refused));
        } else {
            log.error("the database refuses {}", ending, problem);
            finish.refused(ending, String.valueOf(problem.getMessage()));
            refused.add(ending);
        }
    }
}
