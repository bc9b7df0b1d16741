package dev.rowlock.api;

import dev.rowlock.access.Caller;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers that many ask for at the same time, such as all whose page shows the same list. Who can do with one that is
 * some seconds old says so ({@code Cache-Control: max-age}, RFC 9111), and gets what was answered to somebody else who
 * sees the same namespaces, with its {@code Age}, and is told when to ask again ({@link RefreshPace}). Nobody else is
 * concerned. For use by several threads.
 */
final class SharedAnswers {

    /** What pages show that are kept up to date. */
    static final Set<String> PATHS = Set.of(
            "/overview",
            "/forecast",
            "/cluster",
            "/jobs",
            "/jobs/{ns}/{name}",
            "/jobs/{ns}/{name}/stats",
            "/jobs/{ns}/{name}/next",
            "/tasks",
            "/groups",
            "/groups/{name}",
            "/alerts");

    private static final Pattern MAX_AGE = Pattern.compile("max-age=([1-9]|[1-5][0-9]|60)");
    /** Of a page that moves on with the time, which is the same page still. */
    private static final Pattern TIMES = Pattern.compile("(since|until)=[^&]*");

    private static final int MOST = 24;
    private static final int LARGEST = 512 << 10;
    private static final Duration OLDEST = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Seconds. */
    static final String AGAIN = "Rowlock-Refresh-After";

    private static final String OFFER = "rowlock.shared-answer";

    private final LongSupplier nanoTime;
    private final LongSupplier statements;
    private final RefreshPace pace = new RefreshPace();
    private final Map<String, Shared> all = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Shared> eldest) {
            return size() > MOST;
        }
    };

    /** @param answer null in the end: it is not to be shared */
    private record Shared(long sinceNanos, CompletableFuture<@Nullable Answer> answer) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(byte[] text, @Nullable String tag) {}

    /** @param statements how many the database has been asked for until now */
    SharedAnswers(LongSupplier nanoTime, LongSupplier statements) {
        this.nanoTime = nanoTime;
        this.statements = statements;
    }

    /** Answers with what another was answered, if the request allows it and there is any, or as the handler does. */
    void answer(Context ctx, Caller caller, Handler handler) throws Exception {
        long most = seconds(ctx);
        if (most == 0) {
            handler.handle(ctx);
            return;
        }
        String key = key(caller, ctx, query(ctx));
        long nanos = nanoTime.getAsLong();
        String view = key(caller, ctx, TIMES.matcher(query(ctx)).replaceAll(""));
        ctx.header(AGAIN, Long.toString(pace.seconds(view, nanos)));
        Shared mine = new Shared(nanos, new CompletableFuture<>());
        Shared found = findOrPut(key, mine, Duration.ofSeconds(most).toNanos());
        if (found == null) {
            long before = statements.getAsLong();
            // Once it is made: while a slow client reads it, others ask for theirs.
            CompletableFuture<Void> unused =
                    mine.answer().thenRun(() -> pace.cost(view, statements.getAsLong() - before));
            make(ctx, key, mine, handler);
            return;
        }
        Answer answer = await(found);
        if (answer == null) {
            handler.handle(ctx);
            return;
        }
        if (answer.tag() != null) {
            ctx.header("ETag", answer.tag());
        }
        long age = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - found.sinceNanos());
        ctx.header("Age", Long.toString(age)).status(200).contentType(Json.PLAIN);
        ClientPace.of(ctx).write(ctx, answer.text());
    }

    private static String query(Context ctx) {
        return Objects.requireNonNullElse(ctx.queryString(), "");
    }

    private static String key(Caller caller, Context ctx, String query) {
        return new TreeSet<>(caller.namespaces()) + " " + ctx.path() + "?" + query;
    }

    /** Called with each whole answer before it is sent: who waits for it need not wait for this client. */
    static void offer(Context ctx, byte[] text) {
        Shared shared = ctx.attribute(OFFER);
        if (shared != null && ctx.statusCode() == 200 && text.length <= LARGEST) {
            shared.answer().complete(new Answer(text, ctx.res().getHeader("ETag")));
        }
    }

    private static long seconds(Context ctx) {
        String said = ctx.header("Cache-Control");
        Matcher asked = MAX_AGE.matcher(said == null ? "" : said);
        return asked.matches() ? Long.parseLong(asked.group(1)) : 0;
    }

    /** Null: there was none, and now it is this one. */
    private synchronized @Nullable Shared findOrPut(String key, Shared mine, long mostNanos) {
        all.values().removeIf(one -> mine.sinceNanos() - one.sinceNanos() > OLDEST.toNanos());
        Shared found = all.get(key);
        if (found != null && mine.sinceNanos() - found.sinceNanos() <= mostNanos) {
            return found;
        }
        all.put(key, mine);
        return null;
    }

    private void make(Context ctx, String key, Shared mine, Handler handler) throws Exception {
        ctx.attribute(OFFER, mine);
        try {
            handler.handle(ctx);
        } finally {
            ctx.attribute(OFFER, null);
            if (mine.answer().complete(null)) {
                synchronized (this) {
                    all.remove(key, mine);
                }
            }
        }
    }

    private static @Nullable Answer await(Shared found) throws InterruptedException {
        try {
            return found.answer().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null; // asked for by this request, then
        }
    }
}
