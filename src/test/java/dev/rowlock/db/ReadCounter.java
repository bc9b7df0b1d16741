package dev.rowlock.db;

import java.util.Map;

/** How many rows the server reads for some work, counted on the connection that the database keeps between its statements. */
public final class ReadCounter {

    private ReadCounter() {}

    public static long rowsReadBy(Database database, Runnable work) {
        work.run();
        long before = rowsRead(database);
        work.run();
        return rowsRead(database) - before;
    }

    private static long rowsRead(Database database) {
        return database.autoCommit(
                "counting",
                handle -> handle
                        .createQuery(
                                "show session status where variable_name in ('Handler_read_key', 'Handler_read_next',"
                                        + " 'Handler_read_prev', 'Handler_read_first', 'Handler_read_last', 'Handler_read_rnd_next')")
                        .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
                        .list()
                        .stream()
                        .mapToLong(Map.Entry::getValue)
                        .sum());
    }
}
