package dev.rowlock.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Role;
import dev.rowlock.control.AuditTrail;
import dev.rowlock.explain.Explanation;
import dev.rowlock.job.AlertCondition;
import dev.rowlock.job.Cause;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.RequestSchemas;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What bodies and answers look like: the tables that check bodies, the enums, and {@code answers.yaml}. */
final class ContractSchemas {

    private final ObjectNode answers;
    private final ObjectNode schemas = JsonNodeFactory.instance.objectNode();

    private ContractSchemas(ObjectNode answers) {
        this.answers = answers;
    }

    /** Each under its name. */
    static ObjectNode all(ObjectNode answers) {
        return new ContractSchemas(answers).all();
    }

    private ObjectNode all() {
        RequestSchemas.all().forEach(schemas::set);
        ObjectNode nothing = schemas.putObject("Nothing").put("type", "object").put("maxProperties", 0);
        nothing.put("description", "no body, or an empty object");
        words("Role", Arrays.stream(Role.values()).map(Role::word).toList());
        words("Outcome", names(Outcome.values()));
        words("Cause", names(Cause.values()));
        words("Verdict", names(Explanation.Verdict.values()));
        words("StepOfExplanation", names(Explanation.What.values()));
        words("AlertCondition", names(AlertCondition.values()));
        words("AuditAction", AuditTrail.ACTIONS);
        answers.fieldNames().forEachRemaining(this::answer);
        schemas.properties().removeIf(schema -> answers.path(schema.getKey()).has("_base"));
        return schemas;
    }

    private void words(String name, List<String> words) {
        schemas.set(name, ContractTypes.words(words));
    }

    private static List<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    private ObjectNode answer(String name) {
        if (schemas.get(name) instanceof ObjectNode known) {
            return known;
        }
        if (!(answers.get(name) instanceof ObjectNode declared)) {
            throw new IllegalStateException("there is no answer called " + name);
        }
        ObjectNode schema = schemas.putObject(name).put("type", "object");
        declared.properties().forEach(field -> add(schema, field.getKey(), field.getValue()));
        if (declared.has("_only")) {
            Set<String> only = Set.of(declared.get("_only").asText().split(" "));
            schema.withObjectProperty("properties").retain(only);
            schema.putArray("required");
            only.stream().sorted().forEach(schema.withArrayProperty("required")::add);
        }
        return schema;
    }

    private void add(ObjectNode schema, String key, JsonNode value) {
        switch (key) {
            case "_" -> schema.put("description", value.asText());
            case "_only", "_base" -> {} // when all are there
            case "_from" -> include(schema, answer(value.asText()));
            case "_fields" -> includeSent(schema, schemas.path(value.asText()));
            default -> ContractTypes.field(schema, key, value.asText());
        }
    }

    private static void include(ObjectNode schema, ObjectNode other) {
        ObjectNode properties = schema.withObjectProperty("properties");
        other.path("properties")
                .properties()
                .forEach(
                        field -> properties.set(field.getKey(), field.getValue().deepCopy()));
        other.path("required").forEach(schema.withArrayProperty("required")::add);
    }

    /** As answers show what was sent: all of its fields, and nothing that is only read. */
    private static void includeSent(ObjectNode schema, JsonNode body) {
        body.path("properties").properties().forEach(field -> {
            if (!field.getValue().path("readOnly").asBoolean()) {
                schema.withObjectProperty("properties")
                        .set(field.getKey(), field.getValue().deepCopy());
                schema.withArrayProperty("required").add(field.getKey());
            }
        });
    }
}
