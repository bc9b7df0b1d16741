package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Misfire;
import dev.rowlock.definition.Overlap;
import dev.rowlock.exec.process.Uptime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Operators who have run again what went wrong, kill some of that, and ask for it again. */
final class RerunRequests {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** All that may be asked for. */
    private static final List<String> OUTCOMES = List.of("FAILED", "LOST", "MISSED", "TIMED_OUT");

    private static final List<Overlap> OVERLAPS = List.of(Overlap.values());

    private static final int REMEMBERED = 10;
    private static final int ATTEMPTS = 5;

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;
    private final boolean anyOverlap;
    private final Deque<Again> made = new ArrayDeque<>();
    private final Deque<Again> killed = new ArrayDeque<>();

    /** A run that was made of what had ended like this, at that fire time. */
    private record Again(String job, long task, Instant fire, String outcome) {}

    /** @param anyOverlap whether the overlap of jobs may be changed before */
    RerunRequests(Operators operators, List<Workload.Planned> jobs, Random random, boolean anyOverlap) {
        this.anyOverlap = anyOverlap;
        this.operators = operators;
        this.jobs = jobs;
        this.random = random;
    }

    void act() throws InterruptedException {
        int what = random.nextInt(5);
        if (what == 0 && !killed.isEmpty()) {
            Again again = killed.removeFirst();
            ask(again.job, again.fire, again.fire.plusMillis(1), Set.of(again.outcome), 1);
        } else if (what < 3 && !made.isEmpty()) {
            kill(made.removeLast());
        } else if (what == 3) {
            Workload.Planned job = jobs.get(random.nextInt(jobs.size()));
            Instant now = Instant.now();
            ask(job.key(), now.minusSeconds(10 + random.nextInt(50)), now, Set.copyOf(OUTCOMES), 1 + random.nextInt(4));
        } else {
            one();
        }
    }

    /**
     * Of all that went wrong lately, one, after its job was mended at times: then it takes so long that the next
     * occurrence comes while it runs again, whatever becomes of that.
     */
    private void one() throws InterruptedException {
        String outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
        String path = "/api/v1/tasks?namespace=" + Workload.NAMESPACE + "&limit=30&outcome=" + outcome;
        if (operators.send("GET", path, "") != 200) {
            return;
        }
        JsonNode items = operators.lastAnswer().path("items");
        if (items.isEmpty()) {
            return;
        }
        JsonNode task = items.get(random.nextInt(items.size()));
        Instant fire = Instant.parse(task.path("fireTime").asText());
        String name = task.path("job").asText();
        if (random.nextBoolean()) {
            mend(name);
        }
        ask(Workload.NAMESPACE + "/" + name, fire, fire.plusMillis(1), Set.of(outcome), 1);
    }

    private void mend(String name) throws InterruptedException {
        ObjectNode patch = JSON.createObjectNode().put("command", MarkLog.around("pass " + (4 + random.nextInt(8))));
        Overlap overlap = OVERLAPS.get(random.nextInt(OVERLAPS.size()));
        if (anyOverlap) { // with what goes with each of them
            patch.put("overlap", overlap.name()).putNull("overlapLimit");
            patch.put("misfire", Misfire.RUN_ONCE.name()).putNull("catchUpLimit");
        }
        for (Workload.Planned job : jobs) {
            if (job.name().equals(name)) {
                operators.send("PATCH", job.path(), patch.toString());
            }
        }
    }

    private static Again again(String job, JsonNode run) {
        return new Again(
                job,
                run.path("id").longValue(),
                Instant.parse(run.path("fireTime").asText()),
                run.path("outcome").asText());
    }

    /** It may have begun by now, or be waiting still. */
    private void kill(Again again) throws InterruptedException {
        if (operators.kill(again.task) / 100 == 2) {
            remember(killed, again);
        }
    }

    private static void remember(Deque<Again> all, Again one) {
        all.addLast(one);
        if (all.size() > REMEMBERED) {
            all.removeFirst();
        }
    }

    /** Repeats it under its key until somebody has taken it, as the documentation says one may. */
    private void ask(String job, Instant since, Instant until, Set<String> outcomes, int limit)
            throws InterruptedException {
        ObjectNode body = JSON.createObjectNode()
                .put("job", job)
                .put("since", since.toString())
                .put("until", until.toString())
                .put("limit", limit);
        ArrayNode list = body.putArray("outcome");
        outcomes.forEach(list::add);
        String key = UUID.randomUUID().toString();
        long from = Uptime.millis();
        Map<Long, Long> byOriginal = new HashMap<>();
        Map<Long, String> leftOut = new HashMap<>();
        boolean answered = false;
        for (int tried = 0; tried < ATTEMPTS && !answered && !operators.isOver(); tried++) {
            answered =
                    operators.send("POST", "/api/v1/tasks/rerun", body.toString(), "Idempotency-Key", key) / 100 == 2;
        }
        if (answered) {
            JsonNode answer = operators.lastAnswer();
            for (JsonNode run : answer.path("created")) {
                byOriginal.put(run.path("original").longValue(), run.path("id").longValue());
                if (run.path("occurrences").asInt() == 1) {
                    remember(made, again(job, run));
                }
            }
            for (JsonNode left : answer.path("leftOut")) {
                leftOut.put(left.path("task").longValue(), left.path("reason").asText());
            }
        }
        operators.asked().reruns.add(new Asked.Rerun(job, outcomes, limit, from, Uptime.millis(), byOriginal, leftOut));
    }
}
