package dev.rowlock.audit;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filter of audit entries, newest first; null means any.
 *
 * @param namespace what belongs to it
 * @param name of the job or whatever was changed
 * @param within the namespaces that may be seen; empty: all, and what belongs to none
 * @param since from then on
 * @param until before it
 * @param after the last row of the page before
 */
public record AuditFilter(
        @Nullable String who,
        @Nullable String action,
        @Nullable String kind,
        @Nullable String namespace,
        @Nullable String name,
        Set<String> within,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable AuditPosition after,
        int limit) {

    public AuditFilter {
        within = Set.copyOf(within);
    }

    /** Position in the order of rows. */
    public record AuditPosition(Instant at, long id) {}
}
