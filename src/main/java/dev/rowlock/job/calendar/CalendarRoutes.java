package dev.rowlock.job.calendar;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.calendar.CalendarView;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.field.Times;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.EntityTags;
import dev.rowlock.http.Json;
import dev.rowlock.http.NamePages;
import dev.rowlock.http.Parameters;
import dev.rowlock.job.calendar.Calendars.SavedCalendar;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Set;

/** Routes of {@code /calendars}. */
public record CalendarRoutes(Calendars calendars, long maxBody) {

    private static final String ONE = "/calendars/{calendar}";
    /** Room for as many dates as a calendar may have, each with a name. */
    private static final long DATES = 2L << 20;
    /** Memory of the jobs being compared, a few at a time, and of the answer. */
    private static final long ANSWER = 8L << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET, "/calendars", Permission.of(VIEWER, NONE), Set.of("limit", "cursor"), this::list);
        endpoints.api(HandlerType.GET, ONE, Permission.of(VIEWER, NONE), Set.of(), this::get);
        endpoints.large(
                HandlerType.PUT,
                ONE,
                Permission.of(EDITOR, CLUSTER),
                Set.of("force", "dryRun"),
                ANSWER,
                largestBody(),
                (ctx, parameters, part) -> put(ctx, parameters));
        endpoints.api(HandlerType.DELETE, ONE, Permission.of(EDITOR, CLUSTER), Set.of(), this::delete);
    }

    private long largestBody() {
        return Math.max(maxBody, DATES);
    }

    private Calendars calendars(Context ctx) {
        return calendars.by(Callers.of(ctx)).when(EntityTags.precondition(ctx));
    }

    private void list(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, 1000, 100);
        NamePages.answer(
                ctx,
                "calendars",
                calendars.list(NamePages.after(parameters, "calendars"), limit + 1),
                limit,
                CalendarView::name,
                CalendarRoutes::inShort);
    }

    private void get(Context ctx, Parameters parameters) {
        answer(ctx, 200, calendars.get(parameters.calendar()));
    }

    private void put(Context ctx, Parameters parameters) {
        String name = parameters.calendar();
        boolean dryRun = parameters.flag("dryRun");
        boolean force = parameters.flag("force");
        CalendarDefinition sent = CalendarDefinition.parse(Json.largeObject(ctx, largestBody()));
        if (dryRun) {
            Json.answer(ctx, 200, Json.tree(calendars(ctx).plan(name, sent)));
            return;
        }
        SavedCalendar saved = calendars(ctx).put(name, sent, force);
        if (saved.created()) {
            ctx.header("Location", "/api/v1/calendars/" + name);
        }
        answer(ctx, saved.created() ? 201 : 200, saved.calendar());
    }

    private void delete(Context ctx, Parameters parameters) {
        calendars(ctx).delete(parameters.calendar());
        ctx.status(204);
    }

    private static void answer(Context ctx, int status, CalendarView calendar) {
        ObjectNode node = calendar.definition().json();
        EntityTags.answer(ctx, status, about(calendar, node), String.valueOf(calendar.version()));
    }

    /** Returns a calendar without its dates, of which there may be many. */
    private static ObjectNode inShort(CalendarView calendar) {
        ObjectNode node = calendar.definition().json();
        node.put("closed", calendar.definition().closed().size());
        node.put("open", calendar.definition().open().size());
        return about(calendar, node);
    }

    private static ObjectNode about(CalendarView calendar, ObjectNode node) {
        return node.put("name", calendar.name())
                .put("version", calendar.version())
                .put("jobs", calendar.jobs())
                .put("createdAt", Times.text(calendar.createdAt()))
                .put("updatedAt", Times.text(calendar.updatedAt()));
    }
}
