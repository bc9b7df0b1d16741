package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The jobs of a run: every kind of command with every policy, chosen by the seed. */
final class Workload {

    private static final ObjectMapper JSON = new ObjectMapper();
    static final String NAMESPACE = "chaos";

    private final Random random;
    private final Path marks;
    private final PolicyDraw draw;
    private final ScheduleDraw schedules;

    Workload(long seed, Path marks, Set<Policy> policies) {
        this.random = new Random(seed);
        this.draw = new PolicyDraw(new Random(seed * 13 + 7), policies);
        this.schedules = new ScheduleDraw(new Random(seed * 29 + 17), policies);
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

    private Planned job(Command command, String name) {
        ObjectNode definition = JSON.createObjectNode()
                .put("namespace", NAMESPACE)
                .put("name", name)
                .put("schedule", command.schedule(random))
                .put("command", MarkLog.around(command.body(random)))
                .put("killGrace", "1s")
                .put("onLost", random.nextInt(3) == 0 ? "FAIL" : "RERUN");
        command.settings(definition);
        draw.addLasting(definition, command);
        definition.setAll(draw.draw(command));
        definition.withObject("/env").put("CHAOS", marks.toString());
        schedules.addTo(definition, command);
        return new Planned(name, command, definition);
    }
}
