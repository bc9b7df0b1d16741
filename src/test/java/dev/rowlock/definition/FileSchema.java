package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.calendar.CalendarDefinition;
import java.util.Map;

/** JSON Schema of files with jobs, so that editors complete and check them; {@code config} has it. */
public final class FileSchema {

    private static final String JOB = "#/definitions/job";

    private FileSchema() {}

    /** Draft 7, which editors understand; made of the fields that the API checks. */
    public static ObjectNode make() {
        ObjectNode schema = FieldSchemas.object();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "Jobs of Rowlock");
        schema.put("description", "a job, a list of jobs, or jobs with defaults, in each document of a file");
        ObjectNode isList = schema.putObject("if");
        isList.put("type", "array");
        schema.putObject("then").putObject("items").put("$ref", JOB);
        ObjectNode otherwise = schema.putObject("else");
        ObjectNode either = otherwise.putObject("if");
        either.putArray("anyOf").add(required("jobs")).add(required("defaults")).add(required("calendars"));
        otherwise.putObject("then").put("$ref", "#/definitions/jobs");
        otherwise.putObject("else").put("$ref", JOB);
        ObjectNode definitions = schema.putObject("definitions");
        ObjectNode job = FieldSchemas.of(JobFields.TABLE);
        definitions.set("job", job(job));
        definitions.set("jobs", jobs());
        definitions.set("defaults", defaults(job));
        return schema;
    }

    private static ObjectNode required(String name) {
        ObjectNode schema = FieldSchemas.object();
        schema.putArray("required").add(name);
        return schema;
    }

    /** What else is required may stand in the defaults. */
    private static ObjectNode job(ObjectNode job) {
        ObjectNode copy = job.deepCopy();
        copy.putArray("required").add("name");
        ObjectNode properties = (ObjectNode) copy.get("properties");
        properties.putObject("$schema").put("type", "string").put("description", "of this file, for editors");
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            if (property.getValue().path("readOnly").asBoolean()) {
                ((ObjectNode) property.getValue()).put("doNotSuggest", true);
            }
        }
        return copy;
    }

    private static ObjectNode jobs() {
        ObjectNode schema = FieldSchemas.object().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("$schema").put("type", "string").put("description", "of this file, for editors");
        properties.putObject("defaults").put("$ref", "#/definitions/defaults");
        properties
                .putObject("calendars")
                .put("type", "object")
                .put("description", "which days are open, by the name of the calendar")
                .set("additionalProperties", FieldSchemas.of(CalendarDefinition.TABLE));
        properties
                .putObject("jobs")
                .put("type", "array")
                .put("description", "each may say otherwise than the defaults")
                .putObject("items")
                .put("$ref", JOB);
        return schema;
    }

    private static ObjectNode defaults(ObjectNode job) {
        ObjectNode copy = job.deepCopy();
        copy.remove("required");
        copy.put("description", "what is in force for all jobs that do not say otherwise");
        ObjectNode properties = (ObjectNode) copy.get("properties");
        properties.remove("name");
        properties
                .properties()
                .removeIf(field -> field.getValue().path("readOnly").asBoolean());
        properties.properties().forEach(field -> ((ObjectNode) field.getValue()).remove("default"));
        return copy;
    }
}
