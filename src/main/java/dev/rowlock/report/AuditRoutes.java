package dev.rowlock.report;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.ADMIN;

import dev.rowlock.access.Permission;
import dev.rowlock.audit.AuditFilter;
import dev.rowlock.audit.AuditFilter.AuditPosition;
import dev.rowlock.field.Times;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.MeantTimes;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.report.AuditTrail.AuditPage;
import dev.rowlock.schedule.preview.Previews;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /audit}: who changed what. */
public record AuditRoutes(AuditTrail audit, Previews times, RequestMemory heap) {

    private static final Set<String> FILTERS =
            Set.of("who", "action", "kind", "namespace", "name", "since", "until", "zone", "limit", "cursor");

    /** Memory of a page of a million characters, or one row more, as a tree and as text. */
    private static final long PAGE = 12 << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(HandlerType.GET, "/audit", Permission.of(ADMIN, NAMED), FILTERS, this::list);
    }

    private void list(Context ctx, Parameters parameters) throws IOException {
        Parameters.all(
                () -> parameters.text("who"),
                () -> parameters.word("action", AuditTrail.ACTIONS),
                () -> kind(parameters),
                () -> parameters.text("namespace"),
                () -> parameters.text("name"),
                () -> parameters.time("since"),
                () -> parameters.time("until"),
                parameters::zone,
                () -> after(parameters),
                () -> parameters.number("limit", 1, 1000, 100));
        Callers.requireNamespace(ctx, parameters);
        int limit = parameters.number("limit", 1, 1000, 100);
        MeantTimes meant = new MeantTimes(ctx, parameters, times::now, () -> Parameters.UTC);
        AuditFilter filter = new AuditFilter(
                parameters.text("who"),
                parameters.word("action", AuditTrail.ACTIONS),
                kind(parameters),
                parameters.text("namespace"),
                parameters.text("name"),
                Callers.of(ctx).namespaces(),
                meant.past("since"),
                meant.past("until"),
                after(parameters),
                limit + 1);
        try (MemoryShare part = heap.take(Callers.of(ctx).name(), PAGE)) {
            AuditPage page = audit.page(filter, limit);
            @Nullable String cursor = page.next() == null ? null : cursor(page.next());
            Json.send(ctx, part, Json.page(page.entries(), Json::tree, cursor));
        }
    }

    /** Returns the kind to look for. The database cannot compare other letters with this column. */
    private static @Nullable String kind(Parameters parameters) {
        String kind = parameters.text("kind");
        if (kind != null && !kind.matches("[a-z-]{1,16}")) {
            throw ApiProblem.of(400, "kind", "must be a word such as job or alert-rule, not '" + kind + "'");
        }
        return kind;
    }

    private static @Nullable AuditPosition after(Parameters parameters) {
        String[] parts = parameters.cursor("audit", 2);
        if (parts == null) {
            return null;
        }
        Instant at = Parameters.instantOf(parts[0]);
        if (at == null || !parts[1].matches("[0-9]{1,18}")) {
            throw Parameters.brokenCursor();
        }
        return new AuditPosition(at, Long.parseLong(parts[1]));
    }

    private static String cursor(AuditPosition last) {
        return Parameters.cursorOf("audit", Times.text(last.at()), Long.toString(last.id()));
    }
}
