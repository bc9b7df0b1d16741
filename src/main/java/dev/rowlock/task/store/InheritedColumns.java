package dev.rowlock.task.store;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Columns that a further attempt at an occurrence inherits from the one before it. */
public final class InheritedColumns {

    private static final List<String> COLUMNS =
            List.of("needs", "losses", "stops", "priority", "group_name", "selector", "jitter_ms", "overrides");

    private InheritedColumns() {}

    /** Returns these columns, each with a prefix. */
    public static String inherited(String prefix) {
        return COLUMNS.stream().map(prefix::concat).collect(Collectors.joining(", "));
    }

    /** Returns these columns except losses and stops, which a loss counts. */
    public static String inheritedByRecovery(String prefix) {
        return inheritedBut(Set.of("losses", "stops"), prefix);
    }

    /** Returns the columns of a node's part in a broadcast, which has a selector of its own. */
    static String inheritedByPart(String prefix) {
        return inheritedBut(Set.of("selector"), prefix);
    }

    private static String inheritedBut(Set<String> own, String prefix) {
        return COLUMNS.stream()
                .map(column -> (own.contains(column) ? "v." : prefix) + column)
                .collect(Collectors.joining(", "));
    }
}
