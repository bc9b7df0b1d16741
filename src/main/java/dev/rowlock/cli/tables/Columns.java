package dev.rowlock.cli.tables;

import dev.rowlock.cli.imports.Draft;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Remarks on columns that no import knows, such as those of a later version or of a fork. */
final class Columns {

    private Columns() {}

    /** @param read those that are carried over, or of which something is said elsewhere */
    static void sayOthers(Map<String, String> row, Set<String> read, Draft draft) {
        Set<String> others = new TreeSet<>();
        row.forEach((column, value) -> {
            if (!read.contains(column) && !value.isBlank() && !value.equals("0")) {
                others.add(column);
            }
        });
        draft.leaveOut(others);
    }
}
