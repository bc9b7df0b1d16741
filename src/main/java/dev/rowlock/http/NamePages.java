package dev.rowlock.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pages of lists in the order of names. */
public final class NamePages {

    private NamePages() {}

    /** Returns the name after which the page begins; null: the first page. */
    public static @Nullable String after(Parameters parameters, String list) {
        String[] cursor = parameters.cursor(list, 1);
        return cursor == null ? null : cursor[0];
    }

    /**
     * Answers with a page.
     *
     * @param items one more than {@code limit} if another page follows
     */
    public static <T> void answer(Context ctx, String list, List<T> items, int limit, Function<T, String> name) {
        answer(ctx, list, items, limit, name, Json::tree);
    }

    /**
     * Answers with a page.
     *
     * @param items one more than {@code limit} if another page follows
     * @param json each of them as it is shown
     */
    public static <T> void answer(
            Context ctx, String list, List<T> items, int limit, Function<T, String> name, Function<T, JsonNode> json) {
        List<T> shown = items.subList(0, Math.min(limit, items.size()));
        String cursor = items.size() > limit ? Parameters.cursorOf(list, name.apply(items.get(limit - 1))) : null;
        byte[] text = Json.page(shown, json, cursor);
        ctx.status(200).contentType(Json.PLAIN);
        Answers.whole(ctx, text);
    }
}
