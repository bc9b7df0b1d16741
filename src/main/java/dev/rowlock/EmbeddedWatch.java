package dev.rowlock;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.db.embedded.EmbeddedDatabaseProblem;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch that restarts the embedded database when it has died. If that fails, or it dies again at once, each further try
 * comes later.
 */
final class EmbeddedWatch implements Step {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final EmbeddedDatabase database;
    private Duration pause = EVERY;
    private volatile String state = "runs";

    EmbeddedWatch(EmbeddedDatabase database) {
        this.database = database;
    }

    /** Describes the state, for people. */
    String state() {
        return state;
    }

    @Override
    public Pass runOnce() {
        if (database.isAlive()) {
            pause = EVERY;
            return Pass.rest(EVERY);
        }
        log.error("the embedded database has died; it is started again");
        state = "has died, and is started again";
        try {
            database.revive();
            log.info("the embedded database runs again, process {}", database.pid());
            state = "runs, after it had died";
            return Pass.rest(longer());
        } catch (IOException | EmbeddedDatabaseProblem e) {
            log.error(
                    "the embedded database does not start; the next try is in {} s: {}",
                    pause.toSeconds(),
                    e.getMessage());
            state = "has died, and does not start: " + e.getMessage();
            return Pass.rest(longer());
        }
    }

    /** Returns the pause; the next one is twice as long, unless the database is running by then. */
    private Duration longer() {
        Duration now = pause;
        pause = now.multipliedBy(2).compareTo(LONGEST) < 0 ? now.multipliedBy(2) : LONGEST;
        return now;
    }
}
