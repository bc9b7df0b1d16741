package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Overlap;
import dev.rowlock.exec.process.Uptime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators do besides {@link PolicyRequests}: reruns, deletions of what waits, stops of groups, and whatever else
 * came later. Drawn from a source of its own, so that what earlier seeds draw stays what it was.
 */
final class FurtherRequests {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** No job counts it as a success. */
    private static final int FAILURE = 7;

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;
    private final GroupStops stops;
    private final List<Action> actions = new ArrayList<>();

    /** One request, or some that belong together. */
    private interface Action {
        void take() throws InterruptedException;
    }

    FurtherRequests(Operators operators, List<Workload.Planned> jobs, Set<Policy> policies, Random random) {
        this.operators = operators;
        this.jobs = jobs;
        this.random = random;
        this.stops = new GroupStops(operators, random);
        RerunRequests reruns = new RerunRequests(operators, jobs, random, policies.contains(Policy.OVERLAP));
        WaitingRequests waiting = new WaitingRequests(operators, jobs, random);
        offer(policies.contains(Policy.RERUNS), reruns::act, 5);
        offer(policies.contains(Policy.DELETIONS), waiting::act, 2);
        offer(policies.contains(Policy.STOPPED_GROUPS) && policies.contains(Policy.GROUP), stops::begin, 2);
        offer(policies.contains(Policy.FULL_NODE), () -> operators.arranging().resizeOne(), 1);
        offer(policies.contains(Policy.FULL_NODE), this::fill, 2);
        offer(policies.contains(Policy.PAUSES_TOGETHER), this::pauseTogether, 1);
        offer(policies.contains(Policy.RETRIED_RUNS), this::runToRetry, 2);
    }

    private void offer(boolean wanted, Action action, int times) {
        for (int i = 0; wanted && i < times; i++) {
            actions.add(action);
        }
    }

    /** Something now and then, and what goes on with a group that was stopped. */
    void act() throws InterruptedException {
        stops.goOn();
        if (!actions.isEmpty() && random.nextInt(3) > 0) {
            actions.get(random.nextInt(actions.size())).take();
        }
    }

    private Workload.Planned any() {
        return jobs.get(random.nextInt(jobs.size()));
    }

    /** As many long runs as the small node has slots, and one that has to wait for one of them. */
    private void fill() throws InterruptedException {
        Optional<Map.Entry<String, Integer>> small = operators.arranging().small();
        if (small.isEmpty()) {
            return;
        }
        List<Workload.Planned> idle =
                jobs.stream().filter(job -> job.command() == Command.MANUAL).toList();
        for (int i = 0; i <= small.get().getValue(); i++) {
            Workload.Planned job = idle.isEmpty() ? any() : idle.get(random.nextInt(idle.size()));
            run(job, "pass " + (14 + random.nextInt(10)), small.get().getKey(), Overlap.ALLOW);
        }
    }

    /** A run that fails, of a job that asks for retries from now on. */
    private void runToRetry() throws InterruptedException {
        Workload.Planned job = any();
        ObjectNode patch = JSON.createObjectNode();
        patch.putObject("retry")
                .put("max", 1 + random.nextInt(3))
                .put("backoff", "1s")
                .put("maxBackoff", random.nextBoolean() ? "3s" : "1s");
        operators.send("PATCH", job.path(), patch.toString());
        Overlap overlap = random.nextBoolean() ? Overlap.ALLOW : Overlap.QUEUE;
        run(job, "pass " + random.nextInt(2) + "; (exit " + FAILURE + ")", null, overlap);
    }

    private void run(Workload.Planned job, String command, @Nullable String node, Overlap overlap)
            throws InterruptedException {
        String key = UUID.randomUUID().toString();
        ObjectNode asked = JSON.createObjectNode();
        asked.putObject("env").put("CHAOS_RUN", key);
        asked.put("command", "CHAOS_RUN=$CHAOS_RUN+; " + MarkLog.around(command));
        asked.put("overlap", overlap.name());
        if (node != null) {
            asked.put("node", node);
        }
        operators.run(job, asked.toString(), new Operators.Run(job.key(), key, 0, node, overlap, true));
    }

    /** Until a full second, at which many jobs fire. */
    private void pauseTogether() throws InterruptedException {
        Instant until = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3 + random.nextInt(4));
        ObjectNode body = JSON.createObjectNode()
                .put("namespace", Workload.NAMESPACE)
                .put("until", until.toString())
                .put("reason", "together");
        if (random.nextBoolean()) {
            body.putObject("labels").put("tier", PolicyDraw.TIERS.get(random.nextInt(PolicyDraw.TIERS.size())));
        }
        long from = Uptime.millis();
        int status = operators.send("POST", "/api/v1/jobs/pause", body.toString());
        if (status == 200 && operators.lastAnswer().path("failed").asInt() == 0) {
            operators.asked().pauses.add(new Asked.PauseOfMany(until, from, Uptime.millis()));
        }
    }
}
