package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.ReadinessChecks;
import dev.rowlock.control.ReadinessChecks.Check;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Whether the process lives, and whether it can do its work; answered in less than a second, whatever hangs. */
final class HealthRoutes {

    private static final Duration PATIENCE = Duration.ofMillis(700);

    private final ReadinessChecks readiness;
    private final Executor worker;
    private @Nullable FutureTask<List<Check>> asked;

    /** @param worker runs one question at a time */
    HealthRoutes(ReadinessChecks readiness, Executor worker) {
        this.readiness = readiness;
        this.worker = worker;
    }

    void register(Endpoints endpoints) {
        endpoints.open(
                "/livez",
                ctx -> Json.answer(
                        ctx, 200, JsonNodeFactory.instance.objectNode().put("live", true)));
        endpoints.open("/readyz", this::ready);
    }

    private void ready(Context ctx) {
        List<Check> checks = checks();
        boolean ready = checks.stream().allMatch(Check::ok);
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("ready", ready);
        node.set("checks", Json.tree(checks));
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
    private synchronized FutureTask<List<Check>> question() {
        if (asked == null || asked.isDone()) {
            asked = new FutureTask<>(readiness::checks);
            worker.execute(asked);
        }
        return asked;
    }
}
