package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.ReadinessChecks;
import dev.rowlock.control.ReadinessChecks.Check;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Whether the process lives, and whether it can do its work. Without a token and without the database; and in less than a second, even if what is
 * asked about hangs.
 */
final class HealthRoutes {

    private static final Duration PATIENCE = Duration.ofMillis(700);

    private final ReadinessChecks readiness;
    private final Executor beside;
    private @Nullable CompletableFuture<List<Check>> asked;

    /** @param beside runs one question at a time */
    HealthRoutes(ReadinessChecks readiness, Executor beside) {
        this.readiness = readiness;
        this.beside = beside;
    }

    void register(Endpoints endpoints) {
        endpoints.open("/livez", ctx -> {
            Json.answer(ctx, 200, JsonNodeFactory.instance.objectNode().put("live", true));
        });
        endpoints.open("/readyz", this::ready);
    }

    private void ready(Context ctx) {
        List<Check> checks = checks();
        boolean ready = checks.stream().allMatch(Check::ok);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("ready", ready);
        ArrayNode list = node.putArray("checks");
        for (Check check : checks) {
            list.addObject().put("name", check.name()).put("ok", check.ok()).put("message", check.message());
        }
        Json.answer(ctx, ready ? 200 : 503, node);
    }

    private List<Check> checks() {
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

    /** One that hangs is not asked a second time. */
    private synchronized CompletableFuture<List<Check>> question() {
        if (asked == null || asked.isDone()) {
            CompletableFuture<List<Check>> fresh = new CompletableFuture<>();
            asked = fresh;
            beside.execute(() -> {
                try {
                    fresh.complete(readiness.checks());
                } catch (Throwable e) { // whatever it is, somebody waits for it
                    fresh.completeExceptionally(e);
                }
            });
        }
        return asked;
    }
}
