package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import java.util.List;

/**
 * Jobs that run nothing, and whose history tells when they would have run. What they would run is what they read, so
 * that it is kept as it is and stands in the output of each run.
 */
public final class Shadow {

    /** Label that shadows bear. */
    public static final String LABEL = "shadow";

    /** Fields that are kept, as they say when. */
    private static final List<String> WHEN = List.of(
            "namespace",
            "name",
            "description",
            "schedule",
            "zone",
            "daylightSaving",
            "misfire",
            "startDeadline",
            "startAt",
            "endAt",
            "maxRuns",
            "jitter",
            "broadcast",
            "paused");

    private static final int LONGEST = 65_536;

    private Shadow() {}

    static ObjectNode of(ObjectNode job) {
        ObjectNode shadow = Trees.object();
        for (String field : WHEN) {
            if (job.has(field)) {
                shadow.set(field, job.get(field));
            }
        }
        ObjectNode labels = job.get("labels") instanceof ObjectNode own ? own.deepCopy() : Trees.object();
        shadow.set("labels", labels.put(LABEL, "true"));
        shadow.put("shell", "none");
        shadow.putArray("command").add("cat");
        shadow.put("overlap", "ALLOW"); // no run of it takes long enough to be in the way of another
        String command = command(job.path("command"));
        shadow.put("stdin", command.substring(0, Math.min(LONGEST, command.length())));
        return shadow;
    }

    /** Returns what a job would run, as a shadow of it keeps it. */
    public static String command(JsonNode command) {
        if (command.isTextual()) {
            return command.textValue();
        }
        StringBuilder words = new StringBuilder();
        command.forEach(word -> words.append(words.isEmpty() ? "" : " ").append(word.asText()));
        return words.toString();
    }
}
