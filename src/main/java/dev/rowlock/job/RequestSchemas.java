package dev.rowlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What JSON Schema can say of each body that people send: made of the tables that check them. */
public final class RequestSchemas {

    private RequestSchemas() {}

    /** Each under its name; objects within objects are part of theirs. */
    public static Map<String, ObjectNode> all() {
        Map<String, ObjectNode> all = new LinkedHashMap<>();
        ObjectNode job = JobFields.TABLE.schema();
        all.put("NewJob", job);
        all.put("JobDefinition", optional(job, "name"));
        ObjectNode patch = patch(job);
        // Only what a newer version has stored, which it removes; anything else is refused.
        patch.putObject("additionalProperties").put("type", "null");
        all.put("JobPatch", patch);
        all.put("Pause", Pause.TABLE.schema());
        all.put("JobsMatching", JobsMatching.TABLE.schema());
        all.put("JobsToPause", joined(JobsMatching.TABLE.schema(), Pause.TABLE.schema()));
        all.put("RunRequest", Overrides.TABLE.schema());
        all.put("PlanRequest", plan());
        all.put("RollbackRequest", RollbackRequest.TABLE.schema());
        all.put("PreviewRequest", PreviewRequest.TABLE.schema());
        all.put("RerunRequest", RerunRequest.TABLE.schema());
        all.put("GroupDefinition", GroupDefinition.TABLE.schema());
        all.put("GroupPatch", patch(GroupDefinition.TABLE.schema()));
        all.put("NodePatch", NodePatch.schema());
        all.put("AlertChannelDefinition", AlertChannel.TABLE.schema());
        all.put("AlertRuleDefinition", AlertRule.TABLE.schema());
        all.put("SilenceRequest", AlertSilence.TABLE.schema());
        all.put("TokenRequest", require(TokenRequest.TABLE.schema(), "name", "role"));
        all.put("TokenRotation", TokenRequest.ROTATION.schema());
        return all;
    }

    private static ObjectNode plan() {
        ObjectNode plan = PlanRequest.TABLE.schema();
        ObjectNode jobs =
                ((ObjectNode) plan.get("properties")).putObject("jobs").put("type", "array");
        jobs.put("maxItems", PlanRequest.MOST_JOBS).put("description", "each as POST /jobs takes it");
        jobs.putObject("items").put("$ref", "#/components/schemas/NewJob");
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
