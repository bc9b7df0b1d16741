package dev.rowlock.api;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.ADMIN;

import dev.rowlock.access.Permission;
import dev.rowlock.control.AuditTrail;
import dev.rowlock.control.HeapShare;
import dev.rowlock.job.AuditEntry;
import dev.rowlock.job.AuditFilter;
import dev.rowlock.job.Times;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /audit}: who changed what. */
record AuditRoutes(AuditTrail audit, HeapShare heap) {

    private static final Set<String> FILTERS =
            Set.of("who", "action", "kind", "namespace", "name", "since", "until", "limit", "cursor");

    /** A page of a million characters, or one row more, as a tree and as text. */
    private static final long PAGE = 12 << 20;

    void register(Endpoints endpoints) {
        endpoints.api(HandlerType.GET, "/audit", Permission.of(ADMIN, NAMED), FILTERS, this::list);
    }

    private void list(Context ctx, Parameters parameters) throws IOException {
        Parameters.all(
                () -> parameters.text("who"),
                () -> parameters.word("action", AuditTrail.ACTIONS),
                () -> kind(parameters),
                () -> parameters.text("namespace"),
                () -> parameters.text("name"),
                () -> parameters.instant("since"),
                () -> parameters.instant("until"),
                () -> after(parameters),
                () -> parameters.number("limit", 1, 1000, 100));
        Callers.requireNamespace(ctx, parameters);
        int limit = parameters.number("limit", 1, 1000, 100);
        AuditFilter filter = new AuditFilter(
                parameters.text("who"),
                parameters.word("action", AuditTrail.ACTIONS),
                kind(parameters),
                parameters.text("namespace"),
                parameters.text("name"),
                Callers.of(ctx).namespaces(),
                parameters.instant("since"),
                parameters.instant("until"),
                after(parameters),
                limit + 1);
        try (HeapShare.Part part = heap.take(PAGE)) {
            AuditTrail.Page page = audit.page(filter, limit);
            List<AuditEntry> entries = page.entries();
            @Nullable String cursor = page.more() ? cursor(entries.get(entries.size() - 1)) : null;
            Json.send(ctx, part, Json.page(entries, Json::tree, cursor));
        }
    }

    /** The database cannot compare other letters with this column. */
    private static @Nullable String kind(Parameters parameters) {
        String kind = parameters.text("kind");
        if (kind != null && !kind.matches("[a-z]{1,16}")) {
            throw ApiProblem.of(400, "kind", "must be a word such as job or token, not '" + kind + "'");
        }
        return kind;
    }

    private static AuditFilter.@Nullable Position after(Parameters parameters) {
        String[] parts = parameters.cursor(2);
        if (parts == null) {
            return null;
        }
        Instant at = Parameters.instantOf(parts[0]);
        if (at == null || !parts[1].matches("[0-9]{1,18}")) {
            throw Parameters.brokenCursor();
        }
        return new AuditFilter.Position(at, Long.parseLong(parts[1]));
    }

    private static String cursor(AuditEntry last) {
        return Parameters.cursorOf(Times.text(last.at()), Long.toString(last.id()));
    }
}
