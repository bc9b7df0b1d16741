package dev.rowlock.report;

import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.AuditEntry;
import dev.rowlock.audit.AuditFilter;
import dev.rowlock.audit.AuditFilter.AuditPosition;
import dev.rowlock.audit.AuditQueries;
import dev.rowlock.audit.AuditQueries.AuditRows;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Audit entries for people. Thread-safe. */
public final class AuditTrail {

    /** Words for actions in the audit. */
    public static final List<String> ACTIONS =
            Arrays.stream(AuditAction.values()).map(AuditAction::word).toList();

    private final AuditQueries queries;

    public AuditTrail(AuditQueries queries) {
        this.queries = queries;
    }

    /** @param next behind which older ones follow; null: there are none */
    public record AuditPage(
            List<AuditEntry> entries, @Nullable AuditPosition next) {}

    /**
     * Returns the newest entries: as many as the limit, fewer if they are large. A search for rare ones ends before it
     * has looked at everything, and says where.
     *
     * @param filter with a limit that is higher by one
     */
    public AuditPage page(AuditFilter filter, int limit) {
        AuditRows found = queries.page(filter);
        boolean more = found.entries().size() > limit;
        List<AuditEntry> shown = more ? found.entries().subList(0, limit) : found.entries();
        if (more || found.cut()) {
            AuditEntry last = shown.get(shown.size() - 1);
            return new AuditPage(shown, new AuditPosition(last.at(), last.id()));
        }
        return new AuditPage(shown, found.reached());
    }
}
