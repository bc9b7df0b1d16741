package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.Located;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Definitions as they are sent, and where each was read.
 *
 * @param calendars by their names
 * @param prune as the API takes it; null: no job goes
 * @param freeze likewise; null: none is asked about
 * @param force also if calendars leave jobs without any fire time
 */
record PlannedFiles(
        List<Located> jobs,
        ObjectNode calendars,
        @Nullable ObjectNode prune,
        int days,
        @Nullable ObjectNode freeze,
        boolean force) {

    PlannedFiles(List<Located> jobs, int days) {
        this(jobs, Trees.object(), null, days, null, false);
    }

    /** Number of jobs that the API plans at once. */
    static final int MOST = 1000;

    private static final Pattern PLACE = Pattern.compile("jobs\\[([0-9]{1,9})](?:\\.(.*))?");
    private static final Pattern MAP = Pattern.compile("(env|labels|secretEnv)\\.(.*)");

    /** Returns requests for them: several if there are too many jobs for one. */
    List<Ask> asks(String path) {
        return bodies().stream()
                .map(body ->
                        Ask.of("POST", path).with("force", force ? true : null).body(body))
                .toList();
    }

    private List<ObjectNode> bodies() {
        List<ObjectNode> bodies = new ArrayList<>();
        for (int from = 0; from < jobs.size() || bodies.isEmpty(); from += MOST) {
            ObjectNode body = Trees.object();
            var list = body.putArray("jobs");
            jobs.subList(from, Math.min(jobs.size(), from + MOST)).forEach(job -> list.add(job.tree()));
            if (!calendars.isEmpty()) {
                body.set("calendars", calendars);
            }
            if (prune != null) {
                body.set("prune", prune);
            }
            if (freeze != null) {
                body.set("freeze", freeze);
            }
            bodies.add(body.put("days", days));
        }
        return bodies;
    }

    /**
     * Returns what was refused, said of the files.
     *
     * @param part which of the bodies it was
     */
    List<String> sentences(RequestRefused refused, int part) {
        List<String> sentences = new ArrayList<>();
        for (JsonNode error : refused.errors()) {
            Matcher place = PLACE.matcher(error.path("field").asText());
            int job = place.matches() ? part * MOST + Integer.parseInt(place.group(1)) : jobs.size();
            if (job < jobs.size()) {
                String field = place.group(2) == null ? "" : place.group(2);
                sentences.add(
                        sentence(jobs.get(job), field, error.path("message").asText()));
            }
        }
        return sentences.isEmpty() || sentences.size() < refused.errors().size() ? refused.sentences() : sentences;
    }

    private static String sentence(Located job, String field, String message) {
        JsonNode value = job.tree();
        Matcher map = MAP.matcher(field);
        for (String name : map.matches() ? List.of(map.group(1), map.group(2)) : List.of(field.split("[.\\[\\]]+"))) {
            value = value.isArray() && name.matches("[0-9]{1,9}")
                    ? value.path(Integer.parseInt(name))
                    : value.path(name);
        }
        boolean isUnquoted = message.startsWith("must be a string") && value.isValueNode() && !value.isTextual();
        return job.at(field) + ": " + (field.isEmpty() ? "" : field + " ") + message
                + (isUnquoted ? "; put it in quotes" : "");
    }
}
