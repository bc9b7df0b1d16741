package dev.rowlock.bench;

import java.time.Instant;

/** A scheduler under test: its jobs lie in a database of their own, and it runs in this JVM. */
interface Contender extends AutoCloseable {

    /** How commands are run. */
    enum Command {
        /** Not at all: started and ended at once. */
        NOOP,
        /** {@code bash -c true}, waited for. */
        TRUE,
        /** Started, and never ended; Rowlock only. */
        HOLD
    }

    /**
     * What every contender is told.
     *
     * @param slots how many commands may run at a time
     * @param cron six fields, in UTC
     * @param first the first fire time of every job
     */
    record Task(Schema schema, int jobs, int slots, Command command, String cron, Instant first, Starts starts) {}

    /** Begins to schedule; returns when it has. */
    void start() throws Exception;

    /** Whether the database has nothing left to be fired or finished; asked often, so it must cost little. */
    boolean isDone();

    /** How many fires are recorded as finished in the database. */
    long finished();

    /** Fires that were given up and recorded as such. */
    default long givenUp() {
        return 0;
    }

    /** What its own records say of this window, begin included; nothing if it keeps no such records. */
    default Line recorded(Instant begin, Instant end) {
        return new Line();
    }

    @Override
    void close() throws Exception;

    /** Makes one, with its tables and jobs. */
    interface Maker {
        Contender make(Task task) throws Exception;
    }
}
