package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.exec.process.Uptime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What operators do besides {@link FurtherRequests}: freezes, backfills, calendars, and schedules of several lines.
 * Drawn from a source of its own, so that what earlier seeds draw stays what it was.
 */
final class LaterRequests {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A request that nobody answered may still be carried out, by a node that was frozen, for so long. */
    private static final long MAY_COME_LATE_MILLIS = 25_000;

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;
    private final ScheduleDraw schedules;
    private final FreezeOperator freezes;
    private final BackfillOperator backfills;
    private final boolean isUsed;
    private final boolean tells;
    private final List<Action> actions = new ArrayList<>();
    private long lastActed;

    /** One request, or some that belong together. */
    private interface Action {
        void take() throws InterruptedException;
    }

    LaterRequests(Operators operators, List<Workload.Planned> jobs, Set<Policy> policies, Random random) {
        this.operators = operators;
        this.jobs = jobs;
        this.random = random;
        this.schedules = new ScheduleDraw(random, policies);
        this.freezes = new FreezeOperator(operators, jobs, random);
        this.backfills = new BackfillOperator(operators, jobs, random);
        offer(policies.contains(Policy.FREEZES), freezes::act, 2);
        offer(policies.contains(Policy.BACKFILLS), backfills::act, 2);
        offer(policies.contains(Policy.CALENDARS), () -> operators.arranging().changeCalendar(random), 1);
        offer(policies.contains(Policy.LINES), this::edit, 1);
        this.tells = policies.contains(Policy.FINISH_BY);
        this.isUsed = policies.contains(Policy.FREEZES) || policies.contains(Policy.BACKFILLS);
    }

    /** A rule that tells of what has not finished in time; its messages are for nobody. */
    void begin() throws InterruptedException {
        if (tells) {
            put("/api/v1/alerts/channels/nobody", "{\"type\": \"command\", \"destination\": \"none\"}");
            put("/api/v1/alerts/rules/late", "{\"when\": [\"NOT_FINISHED_BY\"], \"channels\": [\"nobody\"]}");
        }
    }

    private void put(String path, String body) throws InterruptedException {
        int status = operators.send("PUT", path, body);
        if (status != 201) {
            throw new IllegalStateException("PUT " + path + " was answered " + status + operators.lastAnswer());
        }
    }

    private void offer(boolean wanted, Action action, int times) {
        for (int i = 0; wanted && i < times; i++) {
            actions.add(action);
        }
    }

    void act() throws InterruptedException {
        if (!actions.isEmpty() && random.nextInt(3) > 0) {
            actions.get(random.nextInt(actions.size())).take();
            lastActed = Uptime.millis();
        }
    }

    /** Ends what holds anything. False: try again. */
    boolean restore() throws InterruptedException {
        boolean isNone = !isUsed || (freezes.restore() && Uptime.millis() - lastActed > MAY_COME_LATE_MILLIS);
        return isNone && (!isUsed || backfills.restore());
    }

    private void edit() throws InterruptedException {
        Workload.Planned job = jobs.get(random.nextInt(jobs.size()));
        if (job.command() != Command.MANUAL) {
            ObjectNode patch = JSON.createObjectNode();
            String onClosed = job.definition().path("onClosed").asText("SKIP");
            patch.set(
                    "schedule",
                    schedules.lines(job.command(), Set.of("SKIP", "RUN").contains(onClosed)));
            operators.send("PATCH", job.path(), patch.toString());
        }
    }
}
