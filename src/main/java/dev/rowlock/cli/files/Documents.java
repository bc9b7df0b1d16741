package dev.rowlock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.Located;
import dev.rowlock.yaml.Located.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs of one file. A document is a job, a list of jobs, or an object with {@code jobs}, {@code calendars} and
 * {@code defaults}; one with {@code defaults} alone, before all jobs, is for the whole file.
 */
final class Documents {

    private static final Set<String> CONTAINER = Set.of("$schema", "defaults", "calendars", "jobs");

    private final List<String> problems;
    private final ObjectNode calendars;
    private final List<Located> jobs = new ArrayList<>();
    private Located ofFile = new Located(Trees.object(), Map.of("", new Position("", 1, 1)));

    /**
     * @param problems what is wrong is added to them
     * @param calendars those of the file are added to them, by their names
     */
    Documents(List<String> problems, ObjectNode calendars) {
        this.problems = problems;
        this.calendars = calendars;
    }

    List<Located> jobs(List<Located> documents) {
        documents.stream().filter(document -> !document.tree().isNull()).forEach(this::document);
        return jobs;
    }

    private void document(Located document) {
        JsonNode tree = document.tree();
        if (tree.isArray()) {
            list(document, tree, "", ofFile);
        } else if (tree.has("jobs") || tree.has("defaults") || tree.has("calendars")) {
            container(document);
        } else {
            job(document, ofFile);
        }
    }

    private void container(Located document) {
        JsonNode tree = document.tree();
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            if (!CONTAINER.contains(field.getKey())) {
                wrong(
                        document,
                        field.getKey(),
                        "does not belong beside jobs, calendars and defaults; " + field.getKey()
                                + " for all jobs of a file goes into defaults");
            }
        }
        Located defaults = ofFile;
        if (tree.get("defaults") instanceof ObjectNode said) {
            defaults = over(ofFile, document.part(said, "defaults"));
            if (said.has("name")) {
                wrong(document, "defaults.name", "cannot be a default: each job has its own");
            }
        } else if (tree.hasNonNull("defaults")) {
            wrong(document, "defaults", "must be an object with fields of a job");
        }
        calendars(document, tree.path("calendars"));
        if (tree.path("jobs").isArray()) {
            list(document, tree.path("jobs"), "jobs", defaults);
        } else if (tree.hasNonNull("jobs")) {
            wrong(document, "jobs", "must be a list of jobs, each with a dash in front");
        } else if (!tree.has("jobs") && !tree.has("defaults")) {
            return; // calendars alone
        } else if (!tree.has("jobs") && !jobs.isEmpty()) {
            wrong(document, "defaults", "without jobs is for the whole file, and belongs before its first job");
        } else if (!tree.has("jobs")) {
            ofFile = defaults;
        }
    }

    private void calendars(Located document, JsonNode said) {
        if (!said.isMissingNode() && !said.isNull() && !said.isObject()) {
            wrong(document, "calendars", "must be an object: the definition of each calendar below its name");
        }
        for (Map.Entry<String, JsonNode> each : said.properties()) {
            if (calendars.has(each.getKey())) {
                wrong(document, "calendars." + each.getKey(), "is there twice; name each calendar once");
            }
            calendars.set(each.getKey(), each.getValue());
        }
    }

    private void list(Located document, JsonNode list, String path, Located defaults) {
        for (int i = 0; i < list.size(); i++) {
            job(document.part(list.get(i), Located.element(path, i)), defaults);
        }
    }

    private void job(Located job, Located defaults) {
        if (!(job.tree() instanceof ObjectNode said)) {
            wrong(job, "", "must be a job: an object with name, schedule and command");
        } else if (!said.path("name").isTextual() || said.path("name").asText().isEmpty()) {
            boolean number = said.path("name").isValueNode() && said.hasNonNull("name");
            wrong(job, "name", number ? "must be a text; put it into quotes" : "is required: what the job is called");
        } else {
            said.remove("$schema");
            jobs.add(over(defaults, job));
        }
    }

    private void wrong(Located of, String field, String what) {
        problems.add(of.at(field) + ": " + (field.isEmpty() ? "this" : field) + " " + what);
    }

    /** Returns a job with defaults, as RFC 7396 puts them together: objects by their fields; null removes a default. */
    private static Located over(Located defaults, Located job) {
        Map<String, Position> places = new HashMap<>(defaults.places());
        places.putAll(job.places());
        ObjectNode tree = defaults.tree().deepCopy();
        merge(tree, (ObjectNode) job.tree());
        return new Located(tree, places);
    }

    private static void merge(ObjectNode to, ObjectNode from) {
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            if (field.getValue().isNull()) {
                to.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode more) {
                ObjectNode merged = to.get(field.getKey()) instanceof ObjectNode there ? there : Trees.object();
                merge(merged, more);
                to.set(field.getKey(), merged);
            } else {
                to.set(field.getKey(), field.getValue());
            }
        }
    }
}
