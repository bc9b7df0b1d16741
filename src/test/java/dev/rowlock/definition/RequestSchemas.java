package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.TokenRequest;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.AlertSilence;
import dev.rowlock.cluster.NodePatch;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.field.FieldTable;
import dev.rowlock.freeze.FreezeRequest;
import dev.rowlock.job.PlanRequest;
import dev.rowlock.job.version.RollbackRequest;
import dev.rowlock.schedule.preview.PreviewRequest;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.backfill.BackfillRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON Schemas of the bodies that people send, made of the tables that check them, as the contract must have them. */
final class RequestSchemas {

    private RequestSchemas() {}

    /** Each under its name; objects within objects are part of theirs. */
    static Map<String, ObjectNode> all() {
        Map<String, ObjectNode> all = new LinkedHashMap<>();
        ObjectNode job = FieldSchemas.of(JobFields.TABLE);
        all.put("NewJob", job);
        all.put("JobDefinition", optional(job, "name"));
        ObjectNode patch = patch(job);
        // Only what a newer version has stored, which it removes; anything else is refused.
        patch.putObject("additionalProperties").put("type", "null");
        all.put("JobPatch", patch);
        all.put("Pause", FieldSchemas.of(Pause.TABLE));
        all.put("JobsMatching", FieldSchemas.of(JobsMatching.TABLE));
        all.put("JobsToPause", joined(FieldSchemas.of(JobsMatching.TABLE), FieldSchemas.of(Pause.TABLE)));
        all.put("RunRequest", FieldSchemas.of(Overrides.TABLE));
        all.put("PlanRequest", plan());
        all.put("RollbackRequest", FieldSchemas.of(RollbackRequest.TABLE));
        all.put("PreviewRequest", FieldSchemas.of(PreviewRequest.TABLE));
        all.put("BackfillRequest", FieldSchemas.of(BackfillRequest.TABLE));
        all.put("RerunRequest", FieldSchemas.of(RerunRequest.TABLE));
        all.put("GroupDefinition", FieldSchemas.of(GroupDefinition.TABLE));
        all.put("GroupPatch", patch(FieldSchemas.of(GroupDefinition.TABLE)));
        all.put("CalendarDefinition", FieldSchemas.of(CalendarDefinition.TABLE));
        all.put("NodePatch", node());
        all.put("AlertChannelDefinition", FieldSchemas.of(AlertChannel.TABLE));
        all.put("AlertRuleDefinition", FieldSchemas.of(AlertRule.TABLE));
        all.put("SilenceRequest", FieldSchemas.of(AlertSilence.TABLE));
        all.put("FreezeRequest", withFor(FreezeRequest.TABLE, "how long it lasts, such as 2h, unless until says so"));
        all.put("FreezeChange", withFor(FreezeRequest.CHANGE, "how long it lasts from now on, such as 1h"));
        all.put("TokenRequest", require(FieldSchemas.of(TokenRequest.TABLE), "name", "role"));
        all.put("TokenRotation", FieldSchemas.of(TokenRequest.ROTATION));
        return all;
    }

    /** A field that no component of a record can be named after. */
    private static ObjectNode withFor(FieldTable<?> table, String about) {
        ObjectNode schema = FieldSchemas.of(table);
        ObjectNode lasts = ((ObjectNode) schema.get("properties")).putObject("for");
        lasts.putArray("type").add("string").add("null");
        lasts.put("maxLength", 100).put("description", about);
        return schema;
    }

    private static ObjectNode node() {
        ObjectNode schema = FieldSchemas.object().put("type", "object");
        schema.put("additionalProperties", false).put("minProperties", 1);
        ObjectNode properties = schema.putObject("properties");
        ObjectNode labels = properties.putObject(NodePatch.LABELS);
        labels.put("description", "a merge patch: null removes a label; null as a whole: as configured again");
        labels.putArray("type").add("object").add("null");
        labels.putObject("additionalProperties").putArray("type").add("string").add("null");
        ObjectNode slots = (ObjectNode) FieldSchemas.tree(NodePatch.SLOTS.schema());
        FieldSchemas.orNull(slots);
        slots.put("description", "how many tasks it executes; null: as configured again");
        properties.set(NodePatch.CAPACITY, slots);
        return schema;
    }

    private static ObjectNode plan() {
        ObjectNode plan = FieldSchemas.of(PlanRequest.TABLE);
        ObjectNode jobs =
                ((ObjectNode) plan.get("properties")).putObject("jobs").put("type", "array");
        jobs.put("maxItems", PlanRequest.MOST_JOBS).put("description", "each as POST /jobs takes it");
        jobs.putObject("items").put("$ref", "#/components/schemas/NewJob");
        ObjectNode calendars = ((ObjectNode) plan.get("properties")).putObject("calendars");
        calendars.putArray("type").add("object").add("null");
        calendars.putObject("additionalProperties").put("$ref", "#/components/schemas/CalendarDefinition");
        calendars.put("maxProperties", PlanRequest.MOST_CALENDARS);
        calendars.put("description", "by their names; they are put in force before the jobs");
        return require(plan, "jobs");
    }

    /** A merge patch: null means the default, and what is left out stays as it is, at any depth. */
    private static ObjectNode patch(ObjectNode schema) {
        ObjectNode patch = schema.deepCopy();
        patch.remove("required");
        for (JsonNode property : patch.path("properties")) {
            patchField((ObjectNode) property);
        }
        return patch;
    }

    private static void patchField(ObjectNode field) {
        field.remove("default");
        field.setAll(patch(field));
        field.remove("required");
        if (field.get("additionalProperties") instanceof ObjectNode values) {
            patchField(values);
        }
        boolean canBeNull = field.path("type").toString().contains("null");
        if (!canBeNull) {
            FieldSchemas.orNull(field);
        }
    }

    private static ObjectNode joined(ObjectNode one, ObjectNode other) {
        ((ObjectNode) one.get("properties")).setAll((ObjectNode) other.get("properties"));
        return one;
    }

    private static ObjectNode optional(ObjectNode schema, String name) {
        ObjectNode copy = schema.deepCopy();
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (JsonNode one : copy.path("required")) {
            if (!one.asText().equals(name)) {
                required.add(one);
            }
        }
        copy.set("required", required);
        return copy;
    }

    private static ObjectNode require(ObjectNode schema, String... names) {
        ArrayNode required = schema.withArray("required");
        List.of(names).forEach(required::add);
        return schema;
    }
}
