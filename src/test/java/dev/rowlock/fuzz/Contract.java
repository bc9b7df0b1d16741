package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.fuzz.Operation.Parameter;
import dev.rowlock.support.OpenApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a server says of itself at {@code /openapi.yaml}: all of its routes, so that none is forgotten here. */
final class Contract {

    private final OpenApi contract;
    private final List<Operation> operations = new ArrayList<>();

    private Contract(OpenApi contract) {
        this.contract = contract;
        contract.calls().forEach(call -> operations.add(operation(call.method(), call.path(), call.said())));
    }

    static Contract of(String yaml) {
        return new Contract(OpenApi.of(yaml));
    }

    List<Operation> operations() {
        return operations;
    }

    /** The schema that is meant, where only its name stands. */
    JsonNode resolved(JsonNode schema) {
        return contract.resolved(schema);
    }

    private static Operation operation(String method, String path, JsonNode said) {
        List<Parameter> parameters = new ArrayList<>();
        said.path("parameters")
                .forEach(one -> parameters.add(
                        new Parameter(one.path("name").asText(), one.path("in").asText(), one.path("schema"))));
        Set<Integer> statuses = new TreeSet<>();
        said.path("responses").fieldNames().forEachRemaining(status -> statuses.add(Integer.valueOf(status)));
        JsonNode media = said.at("/requestBody/content/application~1json");
        return new Operation(
                method,
                path,
                text(said.path("x-rowlock-role")),
                text(said.path("x-rowlock-namespace")),
                parameters,
                media.isMissingNode() ? null : media.path("schema"),
                media.has("example") ? media.get("example") : null,
                statuses);
    }

    private static @Nullable String text(JsonNode node) {
        return node.isTextual() ? node.asText() : null;
    }
}
