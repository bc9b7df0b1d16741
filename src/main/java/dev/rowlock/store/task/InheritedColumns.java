package dev.rowlock.store.task;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a further attempt at an occurrence takes over from the one before it. */
final class InheritedColumns {

    private static final List<String> COLUMNS =
            List.of("needs", "losses", "stops", "priority", "group_name", "selector", "jitter_ms", "overrides");

    private InheritedColumns() {}

    /** These columns, each with a prefix. */
    static String inherited(String prefix) {
        return COLUMNS.stream().map(prefix::concat).collect(Collectors.joining(", "));
    }

    /** The same, but for losses and stops, which a loss counts. */
    static String inheritedByRecovery(String prefix) {
        return inheritedBut(Set.of("losses", "stops"), prefix);
    }

    /** Those of a node's part in a broadcast, which has a selector of its own. */
    static String inheritedByPart(String prefix) {
        return inheritedBut(Set.of("selector"), prefix);
    }

    private static String inheritedBut(Set<String> own, String prefix) {
        return COLUMNS.stream()
                .map(column -> (own.contains(column) ? "v." : prefix) + column)
                .collect(Collectors.joining(", "));
    }
}
