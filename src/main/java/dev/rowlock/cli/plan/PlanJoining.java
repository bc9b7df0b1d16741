package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joining of several plans to one. */
final class PlanJoining {

    private PlanJoining() {}

    /**
     * Returns the plans as one. A single one stays as it was answered; several get no {@code etag}, as none stands for
     * all of them.
     */
    static JsonNode joined(List<JsonNode> plans) {
        if (plans.size() == 1) {
            return plans.get(0);
        }
        ObjectNode whole = Trees.object();
        whole.set("calendars", plans.get(0).path("calendars")); // each part names all of them
        ObjectNode summary = whole.putObject("summary");
        ArrayNode changes = whole.putArray("changes");
        Map<String, ObjectNode> hours = new LinkedHashMap<>();
        for (JsonNode plan : plans) {
            add(summary, plan.path("summary"));
            plan.path("changes").forEach(changes::add);
            for (JsonNode hour : plan.path("load")) {
                String at = hour.path("hour").asText();
                add(hours.computeIfAbsent(at, h -> Trees.object().put("hour", h)), hour);
            }
        }
        whole.putArray("load").addAll(hours.values());
        return whole;
    }

    private static void add(ObjectNode sum, JsonNode numbers) {
        for (Map.Entry<String, JsonNode> number : numbers.properties()) {
            if (number.getValue().isNumber()) {
                sum.put(
                        number.getKey(),
                        sum.path(number.getKey()).asLong() + number.getValue().asLong());
            }
        }
    }
}
