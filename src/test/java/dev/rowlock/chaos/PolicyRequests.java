package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Overlap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators do to jobs by their policies: change them, pause for a while, kill, and run once in another way. */
final class PolicyRequests {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Overlap> OVERLAPS = List.of(Overlap.values());

    private final Operators operators;
    private final List<String> nodes;
    private final Random random;
    private final PolicyDraw draw;
    private final List<Action> actions = new ArrayList<>();

    /** One request about a job, or some. */
    private interface Action {
        void about(Workload.Planned job) throws InterruptedException;
    }

    PolicyRequests(Operators operators, List<String> nodes, Set<Policy> policies, Random random) {
        this.operators = operators;
        this.nodes = nodes;
        this.random = random;
        this.draw = new PolicyDraw(random, policies);
        offer(policies.contains(Policy.EDITS), this::edit, 3);
        offer(policies.contains(Policy.PAUSES), this::pause, 1);
        offer(policies.contains(Policy.PAUSES), this::pauseMany, 1);
        offer(policies.contains(Policy.PAUSES), this::resumeMany, 1);
        offer(policies.contains(Policy.KILLS), this::kill, 1);
        offer(policies.contains(Policy.RUNS), this::run, 4);
    }

    private void offer(boolean wanted, Action action, int times) {
        for (int i = 0; wanted && i < times; i++) {
            actions.add(action);
        }
    }

    void act(Workload.Planned job) throws InterruptedException {
        if (!actions.isEmpty()) {
            actions.get(random.nextInt(actions.size())).about(job);
        }
    }

    private void edit(Workload.Planned job) throws InterruptedException {
        operators.send("PATCH", job.path(), draw.draw(job.command()).toString());
    }

    private void pause(Workload.Planned job) throws InterruptedException {
        operators.send("POST", job.path() + "/pause", forAWhile().toString());
    }

    private void pauseMany(Workload.Planned job) throws InterruptedException {
        ObjectNode body = forAWhile();
        body.setAll(many());
        operators.send("POST", "/api/v1/jobs/pause", body.toString());
    }

    private void resumeMany(Workload.Planned job) throws InterruptedException {
        operators.send("POST", "/api/v1/jobs/resume", many().toString());
    }

    private ObjectNode forAWhile() {
        return JSON.createObjectNode()
                .put(
                        "until",
                        Instant.now().plusMillis(2000 + random.nextInt(6000)).toString())
                .put("reason", "for a while");
    }

    private ObjectNode many() {
        ObjectNode filter = JSON.createObjectNode().put("namespace", Workload.NAMESPACE);
        filter.putObject("labels").put("tier", PolicyDraw.TIERS.get(random.nextInt(PolicyDraw.TIERS.size())));
        return filter;
    }

    private void kill(Workload.Planned job) throws InterruptedException {
        operators.killAll(job);
    }

    /** Each mark of such a run bears the key of the request, and a sign if its command is another. */
    private void run(Workload.Planned job) throws InterruptedException {
        String key = UUID.randomUUID().toString();
        ObjectNode asked = JSON.createObjectNode();
        asked.putObject("env").put("CHAOS_RUN", key);
        boolean otherCommand = random.nextInt(3) == 0;
        if (otherCommand) {
            asked.put("command", "CHAOS_RUN=$CHAOS_RUN+; " + MarkLog.around("pass " + random.nextInt(4)));
        }
        @Nullable String node = random.nextInt(3) == 0 ? nodes.get(random.nextInt(nodes.size())) : null;
        if (node != null) {
            asked.put("node", node);
        }
        @Nullable Overlap overlap = random.nextInt(2) == 0 ? OVERLAPS.get(random.nextInt(OVERLAPS.size())) : null;
        if (overlap != null) {
            asked.put("overlap", overlap.name());
        }
        operators.run(job, asked.toString(), new Operators.Run(job.key(), key, 0, node, overlap, otherCommand));
    }
}
