package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Policies for a job, such that they make sense together. What is drawn names every field, with null for what is not
 * asked for, so that it is a merge patch too.
 */
final class PolicyDraw {

    static final List<String> GROUPS = List.of("narrow", "pair", "wide");
    static final List<String> ZONES = List.of("north", "south", "west");
    static final List<String> DISKS = List.of("ssd", "nvme", "tape");
    static final List<String> TIERS = List.of("gold", "silver", "lead");

    /** The variable by which a command tells which definition it runs with. */
    static final String EDITION = "CHAOS_EDITION";

    private static final List<String> SELECTORS = List.of(
            "zone=north",
            "zone!=south",
            "disk in (ssd, nvme)",
            "disk notin (tape)",
            "gpu",
            "!gpu",
            "zone in (north,west), disk!=tape",
            "zone==south,!gpu");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Random random;
    private final Set<Policy> policies;

    PolicyDraw(Random random, Set<Policy> policies) {
        this.random = random;
        this.policies = policies;
    }

    /** For a job that its name does not make manual: no schedule, no policy of occurrences. */
    ObjectNode draw(Command command) {
        ObjectNode drawn = JSON.createObjectNode();
        boolean scheduled = command != Command.MANUAL;
        overlap(drawn);
        if (policies.contains(Policy.MISFIRE)) {
            misfire(drawn, scheduled);
        }
        if (policies.contains(Policy.RETRY)) {
            retry(drawn);
        }
        lateness(drawn, scheduled);
        if (policies.contains(Policy.PRIORITY)) {
            drawn.put("priority", in(4) ? random.nextInt(201) - 100 : 0);
        }
        places(drawn);
        if (policies.contains(Policy.HOW)) {
            how(drawn);
        }
        drawn.putObject("env").put(EDITION, Integer.toString(random.nextInt(1_000_000)));
        return drawn;
    }

    /** What is drawn once for a job and stays. */
    void addLasting(ObjectNode definition, Command command) {
        definition.putObject("labels").put("tier", pick(TIERS));
        if (policies.contains(Policy.BROADCAST) && command != Command.SECOND && in(8)) {
            definition.put("broadcast", true);
            if (in(2)) {
                definition.put("broadcastParallel", 1 + random.nextInt(2));
            }
            definition.put("stopOnFailure", in(3));
        }
        if (policies.contains(Policy.MAX_RUNS) && command != Command.MANUAL && in(12)) {
            definition.put("maxRuns", 3 + random.nextInt(12));
        }
    }

    private void overlap(ObjectNode drawn) {
        String overlap = policies.contains(Policy.OVERLAP)
                ? pick(List.of("SKIP", "SKIP", "QUEUE", "QUEUE", "ALLOW", "REPLACE"))
                : "SKIP";
        boolean limited = overlap.equals("QUEUE") || (overlap.equals("ALLOW") && in(2));
        drawn.put("overlap", overlap);
        drawn.put("overlapLimit", limited ? Integer.valueOf(1 + random.nextInt(5)) : null);
    }

    private void misfire(ObjectNode drawn, boolean scheduled) {
        boolean manyAtATime =
                List.of("QUEUE", "ALLOW").contains(drawn.get("overlap").textValue());
        String misfire = pick(List.of("RUN_ONCE", "SKIP", manyAtATime ? "RUN_ALL" : "RUN_ONCE"));
        drawn.put("misfire", misfire);
        drawn.put("catchUpLimit", misfire.equals("RUN_ALL") && in(2) ? Integer.valueOf(2 + random.nextInt(6)) : null);
        drawn.put("misfireThreshold", scheduled && in(3) ? "3s" : null);
    }

    private void retry(ObjectNode drawn) {
        if (!in(3)) {
            drawn.putNull("retry");
            return;
        }
        ObjectNode retry =
                drawn.putObject("retry").put("max", 1 + random.nextInt(3)).put("backoff", "1s");
        retry.put("maxBackoff", in(2) ? "3s" : "1s").put("onTimeout", random.nextBoolean());
    }

    private void lateness(ObjectNode drawn, boolean scheduled) {
        if (policies.contains(Policy.DEADLINE)) {
            drawn.put("startDeadline", in(5) ? "4s" : null);
        }
        if (policies.contains(Policy.JITTER)) {
            drawn.put("jitter", scheduled && in(6) ? "2s" : null);
        }
    }

    private void places(ObjectNode drawn) {
        if (policies.contains(Policy.GROUP)) {
            drawn.put("group", in(4) ? pick(GROUPS) : null);
        }
        if (policies.contains(Policy.NODES)) {
            drawn.put("nodes", in(5) ? pick(SELECTORS) : "");
        }
        if (policies.contains(Policy.MAX_PER_NODE)) {
            drawn.put("maxPerNode", in(6) ? Integer.valueOf(1 + random.nextInt(2)) : null);
        }
    }

    private void how(ObjectNode drawn) {
        drawn.put("nice", in(4) ? Integer.valueOf(random.nextInt(10)) : null);
        drawn.put("umask", in(4) ? "027" : null);
        if (in(6)) {
            drawn.putObject("limits").put("openFiles", 256).put("cpuTime", "1m");
        } else {
            drawn.putNull("limits");
        }
    }

    private boolean in(int times) {
        return random.nextInt(times) == 0;
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
