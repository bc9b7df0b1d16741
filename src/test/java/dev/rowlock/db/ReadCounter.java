package dev.rowlock.db;

import java.util.Map;

/** What the server does for some work, counted on the connection that the database keeps between its statements. */
public final class ReadCounter {

    private static final String ROWS = "'Handler_read_key', 'Handler_read_next', 'Handler_read_prev',"
            + " 'Handler_read_first', 'Handler_read_last', 'Handler_read_rnd_next'";

    private ReadCounter() {}

    public static long rowsReadBy(Database database, Runnable work) {
        return by(database, ROWS, work);
    }

    /** The same of work that can be done once alone. */
    public static long rowsReadOnceBy(Database database, Runnable work) {
        long before = counted(database, ROWS);
        work.run();
        return counted(database, ROWS) - before;
    }

    /** How many times the server is asked. */
    public static long questionsBy(Database database, Runnable work) {
        return by(database, "'Questions'", work) - 1;
    }

    private static long by(Database database, String counters, Runnable work) {
        work.run();
        long before = counted(database, counters);
        work.run();
        return counted(database, counters) - before;
    }

    private static long counted(Database database, String counters) {
        return database.autoCommit(
                "counting",
                handle -> handle
                        .createQuery("show session status where variable_name in (" + counters + ")")
                        .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
                        .list()
                        .stream()
                        .mapToLong(Map.Entry::getValue)
                        .sum());
    }
}
