package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.exec.process.Uptime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Operators who have fire times of the last minute run, and cancel some of that in the middle. */
final class BackfillOperator {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ATTEMPTS = 5;
    private static final int REMEMBERED = 6;

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;
    private final Deque<Long> made = new ArrayDeque<>();

    BackfillOperator(Operators operators, List<Workload.Planned> jobs, Random random) {
        this.operators = operators;
        this.jobs = jobs.stream().filter(job -> job.command() != Command.MANUAL).toList();
        this.random = random;
    }

    void act() throws InterruptedException {
        if (!made.isEmpty() && random.nextInt(4) == 0) {
            long id = random.nextBoolean() ? made.removeFirst() : made.removeLast();
            boolean unused = cancel(id);
        } else if (!jobs.isEmpty()) {
            ask(jobs.get(random.nextInt(jobs.size())));
        }
    }

    /** Repeats it under its key until somebody has taken it, as the documentation says one may. */
    private void ask(Workload.Planned job) throws InterruptedException {
        boolean isFrequent = job.command() == Command.SECOND;
        Instant until =
                Instant.ofEpochMilli(Instant.now().toEpochMilli() - 50 - random.nextInt(isFrequent ? 2000 : 20_000));
        Instant from = until.minusMillis((isFrequent ? 1000 : 10_000) + random.nextInt(isFrequent ? 10_000 : 60_000));
        boolean all = random.nextBoolean();
        boolean newestFirst = random.nextInt(3) == 0;
        int parallel = random.nextBoolean() ? 1 : 2 + random.nextInt(2);
        ObjectNode body = JSON.createObjectNode()
                .put("from", from.toString())
                .put("until", until.toString())
                .put("only", all ? "ALL" : "NOT_SUCCEEDED")
                .put("order", newestFirst ? "NEWEST_FIRST" : "OLDEST_FIRST")
                .put("parallel", parallel)
                .put("priority", random.nextInt(3) == 0 ? 50 : -50);
        String key = UUID.randomUUID().toString();
        long asked = Uptime.millis();
        int status = 0;
        for (int tried = 0;
                tried < ATTEMPTS && status / 100 != 2 && status / 100 != 4 && !operators.isOver();
                tried++) {
            status = operators.send("POST", job.path() + "/backfill", body.toString(), "Idempotency-Key", key);
        }
        JsonNode answer = status / 100 == 2 ? operators.lastAnswer() : JSON.createObjectNode();
        long id = answer.path("id").asLong();
        operators
                .asked()
                .backfills
                .add(new Asked.Backfill(
                        job.key(), id, from, until, all, answer.path("toRun").asInt(), asked, Uptime.millis(), status));
        if (id > 0) {
            made.addLast(id);
            if (made.size() > REMEMBERED) {
                made.removeFirst();
            }
        }
    }

    private boolean cancel(long id) throws InterruptedException {
        long asked = Uptime.millis();
        boolean answered = operators.send("DELETE", "/api/v1/backfills/" + id, "") == 200;
        operators.asked().cancels.add(new Asked.Cancel(id, asked, answered ? Uptime.millis() : DrawnFreeze.NEVER));
        return answered;
    }

    /** Cancels all that go on. False: try again. */
    boolean restore() throws InterruptedException {
        if (operators.send("GET", "/api/v1/backfills?limit=100", "") != 200) {
            return false;
        }
        boolean none = true;
        List<Long> left = new ArrayList<>();
        for (JsonNode backfill : operators.lastAnswer().path("items")) {
            if (backfill.path("state").textValue().equals("RUNNING")) {
                left.add(backfill.path("id").longValue());
            }
        }
        for (long id : left) {
            none &= cancel(id);
        }
        return none;
    }
}
