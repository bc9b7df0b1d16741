package dev.rowlock.alert.request;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.ADMIN;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.AlertFilter.AlertState;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.AlertSilence;
import dev.rowlock.alert.request.Alerts.JsonPage;
import dev.rowlock.alert.request.Alerts.SavedDefinition;
import dev.rowlock.alert.request.Alerts.Tagged;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.EntityTags;
import dev.rowlock.http.Json;
import dev.rowlock.http.NamePages;
import dev.rowlock.http.Parameters;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /alerts} and {@code /silences}. */
public record AlertRoutes(Alerts alerts, long maxBody) {

    private static final String CHANNELS = "/alerts/channels";
    private static final String CHANNEL = CHANNELS + "/{channel}";
    private static final String RULES = "/alerts/rules";
    private static final String RULE = RULES + "/{rule}";
    private static final String SILENCES = "/silences";
    private static final String SILENCE = SILENCES + "/{silence}";
    private static final Permission SEE = Permission.of(VIEWER, NONE);
    private static final Permission SEE_OWN = Permission.of(VIEWER, NAMED);
    private static final Permission RULE_ALL = Permission.of(ADMIN, CLUSTER);
    private static final Set<String> PAGE = Set.of("limit", "cursor");
    private static final int MOST = 500;

    public void register(Endpoints endpoints) {
        Set<String> none = Set.of();
        endpoints.api(
                HandlerType.GET,
                "/alerts",
                SEE_OWN,
                Set.of("state", "rule", "namespace", "job", "limit", "cursor"),
                this::list);
        endpoints.api(HandlerType.GET, CHANNELS, SEE, PAGE, (ctx, p) -> channels(ctx, p));
        endpoints.api(HandlerType.GET, CHANNEL, SEE, none, (ctx, p) -> answer(ctx, 200, by(ctx).channel(p.channel())));
        endpoints.api(HandlerType.PUT, CHANNEL, RULE_ALL, none, (ctx, p) -> putChannel(ctx, p.channel()));
        endpoints.api(HandlerType.DELETE, CHANNEL, RULE_ALL, none, (ctx, p) -> {
            changing(ctx).deleteChannel(p.channel());
            ctx.status(204);
        });
        endpoints.api(HandlerType.POST, CHANNEL + "/test", RULE_ALL, none, (ctx, p) -> test(ctx, p.channel()));
        endpoints.api(HandlerType.GET, RULES, SEE_OWN, PAGE, (ctx, p) -> rules(ctx, p));
        endpoints.api(HandlerType.GET, RULE, SEE_OWN, none, (ctx, p) -> answer(ctx, 200, by(ctx).rule(p.rule())));
        endpoints.api(HandlerType.PUT, RULE, RULE_ALL, none, (ctx, p) -> putRule(ctx, p.rule()));
        endpoints.api(HandlerType.DELETE, RULE, RULE_ALL, none, (ctx, p) -> {
            changing(ctx).deleteRule(p.rule());
            ctx.status(204);
        });
        registerSilences(endpoints);
    }

    private void registerSilences(Endpoints endpoints) {
        Set<String> none = Set.of();
        Permission change = Permission.of(OPERATOR, NAMED);
        endpoints.api(HandlerType.GET, SILENCES, SEE_OWN, PAGE, this::silences);
        endpoints.api(
                HandlerType.GET,
                SILENCE,
                SEE_OWN,
                none,
                (ctx, p) -> Json.answer(ctx, 200, by(ctx).silence(silence(ctx))));
        endpoints.api(HandlerType.POST, SILENCES, change, none, (ctx, p) -> {
            ObjectNode made = by(ctx).addSilence(AlertSilence.parse(body(ctx)));
            ctx.header("Location", "/api/v1/silences/" + made.path("id").asLong());
            Json.answer(ctx, 201, made);
        });
        endpoints.api(HandlerType.DELETE, SILENCE, change, none, (ctx, p) -> {
            by(ctx).deleteSilence(silence(ctx));
            ctx.status(204);
        });
    }

    private static long silence(Context ctx) {
        String text = ctx.pathParam("silence");
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new ApiProblem(404, "there is no silence '" + text + "': ids are whole numbers from 1");
        }
        return Long.parseLong(text);
    }

    private Alerts by(Context ctx) {
        return alerts.by(Callers.of(ctx));
    }

    private Alerts changing(Context ctx) {
        return by(ctx).when(EntityTags.precondition(ctx));
    }

    private static void answer(Context ctx, int status, Tagged tagged) {
        EntityTags.answer(ctx, status, tagged.json(), tagged.tag());
    }

    private ObjectNode body(Context ctx) {
        return Json.object(ctx, maxBody, List.of(Json.PLAIN));
    }

    private void list(Context ctx, Parameters parameters) {
        String state = parameters.word(
                "state", Arrays.stream(AlertState.values()).map(Enum::name).toList());
        int limit = parameters.number("limit", 1, MOST, 100);
        AlertFilter filter = new AlertFilter(
                state == null ? null : AlertState.valueOf(state),
                Set.of(),
                parameters.text("rule"),
                parameters.text("namespace"),
                parameters.text("job"),
                before(parameters, "alerts"),
                limit);
        page(ctx, "alerts", by(ctx).list(filter));
    }

    private void silences(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, MOST, 100);
        page(ctx, "silences", by(ctx).silences(before(parameters, "silences"), limit));
    }

    private void channels(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, MOST, 100);
        page(ctx, "channels", by(ctx).channels(NamePages.after(parameters, "channels"), limit));
    }

    private void rules(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, MOST, 100);
        page(ctx, "rules", by(ctx).rules(NamePages.after(parameters, "rules"), limit));
    }

    private void putChannel(Context ctx, String name) {
        saved(ctx, CHANNELS + "/" + name, changing(ctx).putChannel(name, AlertChannel.parse(body(ctx))));
    }

    private void putRule(Context ctx, String name) {
        saved(ctx, RULES + "/" + name, changing(ctx).putRule(name, AlertRule.parse(body(ctx))));
    }

    private static void saved(Context ctx, String path, SavedDefinition saved) {
        if (saved.created()) {
            ctx.header("Location", "/api/v1" + path);
        }
        answer(ctx, saved.created() ? 201 : 200, saved.saved());
    }

    private void test(Context ctx, String name) {
        String problem = by(ctx).test(name);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("sent", problem == null);
        answer.put("problem", problem);
        Json.answer(ctx, 200, answer);
    }

    private static void page(Context ctx, String list, JsonPage found) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ArrayNode items = page.putArray("items");
        found.items().forEach(items::add);
        page.put("nextCursor", found.next() == null ? null : Parameters.cursorOf(list, found.next()));
        Json.answer(ctx, 200, page);
    }

    private static @Nullable Long before(Parameters parameters, String list) {
        String[] cursor = parameters.cursor(list, 1);
        if (cursor == null) {
            return null;
        }
        if (!cursor[0].matches("[1-9][0-9]{0,17}")) {
            throw Parameters.brokenCursor();
        }
        return Long.valueOf(cursor[0]);
    }
}
