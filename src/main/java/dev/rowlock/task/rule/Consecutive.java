package dev.rowlock.task.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Grouping of rows that follow each other, for which one row of history may stand: whatever lies between others runs by
 * itself.
 */
final class Consecutive {

    private Consecutive() {}

    /**
     * Groups rows.
     *
     * @param follow whether the second comes right after the first
     */
    static <T> List<List<T>> of(List<T> rows, BiPredicate<T, T> follow) {
        List<List<T>> groups = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= rows.size(); i++) {
            if (i == rows.size() || !follow.test(rows.get(i - 1), rows.get(i))) {
                groups.add(rows.subList(from, i));
                from = i;
            }
        }
        return groups;
    }
}
