package dev.rowlock.alert.store;

import dev.rowlock.db.SizedRows;
import java.util.List;
import java.util.function.Function;

/**
 * First rows of a list.
 *
 * @param more whether others follow that were left out for their size
 */
public record Cut<T>(List<T> rows, boolean more) {

    static <T, O> Cut<O> of(SizedRows<T> read, Function<? super T, O> form) {
        return new Cut<>(read.rows().stream().<O>map(form).toList(), read.cut());
    }
}
