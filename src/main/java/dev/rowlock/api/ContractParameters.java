package dev.rowlock.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a request says in its path, query and headers, as the contract tells it. */
final class ContractParameters {

    private static final Pattern IN_PATH = Pattern.compile("\\{([a-z]+)}");
    private static final String UNKNOWN = "text";

    private ContractParameters() {}

    static void write(Endpoints.Route route, JsonNode about, ObjectNode said, ArrayNode parameters) {
        IN_PATH.matcher(route.path())
                .results()
                .map(found -> found.group(1))
                .forEach(name -> parameters.add(
                        parameter(name, "path", said.path("path").path(name).asText(UNKNOWN))));
        for (String name : new TreeSet<>(route.parameters())) {
            parameters.add(
                    parameter(name, "query", about.path("query").path(name).asText(UNKNOWN)));
        }
        for (JsonNode name : about.path("headers")) {
            parameters.add(parameter(
                    name.asText(),
                    "header",
                    said.path("headers").path(name.asText()).asText(UNKNOWN)));
        }
    }

    /** A header of an answer. */
    static ObjectNode header(ObjectNode said, String name) {
        ObjectNode header = JsonNodeFactory.instance.objectNode();
        return describe(header, said.path("headers").path(name).asText(UNKNOWN));
    }

    private static ObjectNode parameter(String name, String in, String type) {
        ObjectNode parameter =
                JsonNodeFactory.instance.objectNode().put("name", name).put("in", in);
        if (in.equals("path")) {
            parameter.put("required", true);
        }
        return describe(parameter, type);
    }

    private static ObjectNode describe(ObjectNode parameter, String type) {
        ObjectNode schema = ContractTypes.schema(type);
        if (schema.has("description")) {
            parameter.set("description", schema.remove("description"));
        }
        return parameter.set("schema", schema);
    }
}
