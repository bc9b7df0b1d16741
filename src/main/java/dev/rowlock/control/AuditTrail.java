package dev.rowlock.control;

import dev.rowlock.job.AuditEntry;
import dev.rowlock.job.AuditFilter;
import dev.rowlock.store.audit.AuditAction;
import dev.rowlock.store.audit.AuditQueries;
import java.util.Arrays;
import java.util.List;

/** Who changed what, for people to read. Thread-safe. */
public final class AuditTrail {

    /** What may have been done. */
    public static final List<String> ACTIONS =
            Arrays.stream(AuditAction.values()).map(AuditAction::word).toList();

    private final AuditQueries queries;

    public AuditTrail(AuditQueries queries) {
        this.queries = queries;
    }

    /** @param more whether older ones follow */
    public record Page(List<AuditEntry> entries, boolean more) {}

    /** The newest that are asked for: at most as many as the filter's limit, fewer if they are large. */
    public Page page(AuditFilter filter, int limit) {
        AuditQueries.Page found = queries.page(filter);
        boolean more = found.cut() || found.entries().size() > limit;
        List<AuditEntry> shown =
                found.entries().size() > limit ? found.entries().subList(0, limit) : found.entries();
        return new Page(shown, more);
    }
}
