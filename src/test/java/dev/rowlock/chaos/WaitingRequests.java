package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.exec.process.Uptime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Operators who stop tasks that wait, or delete their jobs. */
final class WaitingRequests {

    /** What lets a task wait by policy; a pause is none of these. */
    private static final Set<String> HOLDS = Set.of("OVERLAP", "GROUP", "NODE", "FREEZE");

    private static final Set<String> AGAIN = Set.of("RETRY", "RECOVERY");

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;

    WaitingRequests(Operators operators, List<Workload.Planned> jobs, Random random) {
        this.operators = operators;
        this.jobs = jobs;
        this.random = random;
    }

    /** One of those that wait, whatever for: any hold is as likely as any other, however many it has. */
    void act() throws InterruptedException {
        String path = "/api/v1/tasks?namespace=" + Workload.NAMESPACE + "&state=IDLE&limit=500";
        long at = Uptime.millis();
        if (operators.send("GET", path, "") != 200) {
            return;
        }
        List<JsonNode> waiting = new ArrayList<>();
        operators.lastAnswer().path("items").forEach(task -> {
            if (!whatFor(task).isEmpty()) {
                waiting.add(task);
            }
        });
        if (waiting.isEmpty()) {
            return;
        }
        List<String> reasons = waiting.stream()
                .map(WaitingRequests::whatFor)
                .distinct()
                .sorted()
                .toList();
        String reason = reasons.get(random.nextInt(reasons.size()));
        List<JsonNode> alike =
                waiting.stream().filter(task -> whatFor(task).equals(reason)).toList();
        JsonNode one = alike.get(random.nextInt(alike.size()));
        if (random.nextBoolean()) {
            int unused = operators.kill(one.path("id").longValue());
        } else {
            delete(one.path("job").asText(), waiting, at);
        }
    }

    /** Empty: it does not wait by policy. */
    private static String whatFor(JsonNode task) {
        String hold = task.path("hold").asText("");
        return HOLDS.contains(hold)
                ? hold
                : AGAIN.contains(task.path("cause").asText())
                        ? task.path("cause").asText()
                        : "";
    }

    private void delete(String name, List<JsonNode> waiting, long at) throws InterruptedException {
        for (Workload.Planned job : jobs) {
            if (job.name().equals(name)) {
                waiting.stream()
                        .filter(task -> task.path("job").asText().equals(name))
                        .forEach(task -> operators.asked().waiting.add(Asked.Waiting.of(task, at)));
                operators.recreate(job, random);
            }
        }
    }
}
