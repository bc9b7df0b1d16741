package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.job.InvalidDefinition;
import dev.rowlock.job.StoredDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** The jobs of a run: every kind of command with every policy that the product accepts, chosen by the seed. */
final class Workload {

    private static final ObjectMapper JSON = new ObjectMapper();
    static final String NAMESPACE = "chaos";

    private final Random random;
    private final Path marks;
    private final List<String> refused = new ArrayList<>();

    Workload(long seed, Path marks) {
        this.random = new Random(seed);
        this.marks = marks;
    }

    /** A job as it is created; edits change it later. */
    record Planned(String name, Command command, ObjectNode definition) {

        String path() {
            return "/api/v1/jobs/" + NAMESPACE + "/" + name;
        }

        String key() {
            return NAMESPACE + "/" + name;
        }
    }

    /** So many jobs; the first ones are one of each kind. */
    List<Planned> jobs(int count) {
        List<Planned> jobs = new ArrayList<>();
        Command[] all = Command.values();
        for (int i = 0; i < count; i++) {
            Command command = i < all.length ? all[i] : Command.weighted(random);
            jobs.add(job(command, String.format(java.util.Locale.ROOT, "%03d-%s", i, command)));
        }
        return jobs;
    }

    /** What the product has refused: policies that it does not have yet. */
    List<String> refused() {
        return refused;
    }

    private Planned job(Command command, String name) {
        ObjectNode definition = JSON.createObjectNode()
                .put("namespace", NAMESPACE)
                .put("name", name)
                .put("schedule", command.schedule(random))
                .put("command", MarkLog.around(command.body(random)))
                .put("killGrace", "1s")
                .put("onLost", random.nextInt(3) == 0 ? "FAIL" : "RERUN");
        definition.putObject("env").put("CHAOS", marks.toString());
        command.settings(definition);
        TreeMap<String, String> wanted = new TreeMap<>();
        wanted.put("overlap", pick("SKIP", "SKIP", "SKIP", "QUEUE", "ALLOW", "REPLACE"));
        wanted.put("misfire", pick("RUN_ONCE", "RUN_ONCE", "SKIP", "RUN_ALL"));
        wanted.forEach((field, value) -> addIfAccepted(definition, field, value));
        if (random.nextInt(3) == 0) {
            ObjectNode retry = definition.deepCopy();
            retry.putObject("retry").put("max", 2).put("backoff", "1s").put("maxBackoff", "3s");
            if (isAccepted(retry, "retry")) {
                definition.set("retry", retry.get("retry"));
            }
        }
        if (random.nextInt(6) == 0) {
            addIfAccepted(definition, "startDeadline", "4s");
        }
        if (random.nextInt(6) == 0) {
            addIfAccepted(definition, "jitter", "2s");
        }
        return new Planned(name, command, definition);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private void addIfAccepted(ObjectNode definition, String field, String value) {
        ObjectNode with = definition.deepCopy().put(field, value);
        if (isAccepted(with, field + " " + value)) {
            definition.put(field, value);
        }
    }

    private boolean isAccepted(ObjectNode definition, String what) {
        try {
            StoredDefinition.parse(definition);
            return true;
        } catch (InvalidDefinition e) {
            if (!refused.contains(what)) {
                refused.add(what);
            }
            return false;
        }
    }
}
