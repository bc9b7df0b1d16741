package dev.rowlock.control;

import dev.rowlock.job.AuditEntry;
import dev.rowlock.job.AuditFilter;
import dev.rowlock.job.AuditFilter.Position;
import dev.rowlock.store.audit.AuditAction;
import dev.rowlock.store.audit.AuditQueries;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who changed what, for people to read. Thread-safe. */
public final class AuditTrail {

    /** What may have been done. */
    public static final List<String> ACTIONS =
            Arrays.stream(AuditAction.values()).map(AuditAction::word).toList();

    private final AuditQueries queries;

    public AuditTrail(AuditQueries queries) {
        this.queries = queries;
    }

    /** @param next behind which older ones follow; null: there are none */
    public record Page(List<AuditEntry> entries, @Nullable Position next) {}

    /**
     * The newest that are asked for: at most as many as the limit, fewer if they are large. Where what is asked for may
     * be rare, a search ends before it has looked at everything, and says where.
     *
     * @param filter with a limit that is higher by one
     */
    public Page page(AuditFilter filter, int limit) {
        AuditQueries.Page found = queries.page(filter);
        boolean more = found.entries().size() > limit;
        List<AuditEntry> shown = more ? found.entries().subList(0, limit) : found.entries();
        if (more || found.cut()) {
            AuditEntry last = shown.get(shown.size() - 1);
            return new Page(shown, new Position(last.at(), last.id()));
        }
        return new Page(shown, found.reached());
    }
}
