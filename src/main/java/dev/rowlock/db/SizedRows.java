package dev.rowlock.db;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;

/**
 * First rows of an answer, as many as may be held in memory at once: definitions are large, so a number of rows alone
 * bounds nothing.
 *
 * @param weight of all of them together
 * @param cut whether there are more rows, left out for their size
 */
public record SizedRows<T>(List<T> rows, long weight, boolean cut) {

    /**
     * Fetch size at which the driver reads row by row; otherwise it reads the whole answer before it returns the first
     * one.
     */
    private static final int ROW_BY_ROW = Integer.MIN_VALUE;

    /**
     * Reads rows until they weigh {@code most} or more together, at least one. The rest of the answer still crosses the
     * network: ask for no more rows than may well fit.
     */
    public static <T> SizedRows<T> read(Query query, RowMapper<T> mapper, ToIntFunction<T> weigher, long most) {
        List<T> rows = new ArrayList<>();
        long weight = 0;
        try (ResultIterator<T> found =
                query.setFetchSize(ROW_BY_ROW).map(mapper).iterator()) {
            while (found.hasNext()) {
                if (weight >= most) {
                    return new SizedRows<>(rows, weight, true);
                }
                T row = found.next();
                rows.add(row);
                weight += weigher.applyAsInt(row);
            }
        }
        return new SizedRows<>(rows, weight, false);
    }
}
