package dev.rowlock.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.report.ReadinessChecks.Check;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Liveness of the process and readiness of the node, answered in less than a second, whatever hangs. */
public final class HealthRoutes {

    private static final Duration PATIENCE = Duration.ofMillis(700);

    /** Headers that proxies add. */
    private static final List<String> PASSED_ON =
            List.of("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via");

    /** Loopback address as Java and Jetty write it. */
    private static final List<String> LOOPBACK_6 = List.of("::1", "[::1]", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]");

    private static final String DRAINING = "draining";
    private static final int WAITING = 4;

    private final ReadinessChecks readiness;
    private final Executor worker;
    private final Semaphore waiting = new Semaphore(WAITING);
    private @Nullable FutureTask<List<Check>> asked;
    private volatile @Nullable List<Check> last;

    /** @param worker runs one question at a time, on a thread that no request can take */
    public HealthRoutes(ReadinessChecks readiness, Executor worker) {
        this.readiness = readiness;
        this.worker = worker;
    }

    public void register(Endpoints endpoints) {
        endpoints.health(
                "/livez",
                ctx -> Json.answer(
                        ctx, 200, JsonNodeFactory.instance.objectNode().put("live", true)));
        endpoints.health("/readyz", this::ready);
    }

    private void ready(Context ctx) {
        List<Check> checks = isFromThisHost(ctx) ? checks() : forStrangers(checks());
        boolean ready = checks.stream().allMatch(Check::ok);
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("ready", ready);
        node.set("checks", Json.tree(checks));
        Json.answer(ctx, ready ? 200 : 503, node);
    }

    /**
     * Returns whether the request comes from this host and through no proxy: whoever is on the host may read the log,
     * too.
     */
    private static boolean isFromThisHost(Context ctx) {
        String from = ctx.req().getRemoteAddr();
        boolean isLocal = (from.startsWith("127.") || LOOPBACK_6.contains(from))
                || from.equals(ctx.req().getLocalAddr());
        return isLocal && PASSED_ON.stream().allMatch(header -> ctx.header(header) == null);
    }

    /** Returns only whether the node is ready: the reasons name jobs, accounts, hosts and values of settings. */
    private static List<Check> forStrangers(List<Check> checks) {
        boolean ready = checks.stream().allMatch(Check::ok);
        boolean drained =
                checks.stream().anyMatch(check -> !check.ok() && check.message().startsWith(DRAINING));
        String message = ready ? "ready" : drained ? DRAINING : "not ready; ask on its host to learn why";
        return List.of(new Check("node", ready, message));
    }

    /**
     * Returns the checks. Few requests wait for an answer, so that many take no threads; the others get the last one.
     */
    private List<Check> checks() {
        if (!waiting.tryAcquire()) {
            List<Check> known = last;
            return known != null ? known : List.of(new Check("node", false, "too many ask whether this node is ready"));
        }
        try {
            last = asked();
            return last;
        } finally {
            waiting.release();
        }
    }

    private List<Check> asked() {
        try {
            return question().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return List.of(new Check(
                    "node", false, "this node has not said within " + PATIENCE.toMillis() + " ms whether it is ready"));
        } catch (ExecutionException e) {
            throw new IllegalStateException("whether this node is ready cannot be told", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(new Check("node", false, "this node is stopping"));
        }
    }

    /** Returns the question to wait for. One that hangs is not asked again. */
    private synchronized FutureTask<List<Check>> question() {
        if (asked == null || asked.isDone()) {
            asked = new FutureTask<>(readiness::checks);
            worker.execute(asked);
        }
        return asked;
    }
}
