package dev.rowlock.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Place of a value in an object. Problems are collected, so that a person sees all of them at once.
 *
 * @param path empty: the whole object
 * @param nearest by path, what would be accepted in place of what is out of range
 */
public record Place(String path, List<FieldProblem> problems, Map<String, JsonNode> nearest) {

    public Place(String path, List<FieldProblem> problems) {
        this(path, problems, new HashMap<>());
    }

    /** Reports a problem here; returns null, for callers without a value to return. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public // nothing is cast but null
    <T> @Nullable T refuse(String message) {
        problems.add(new FieldProblem(path, message));
        return null;
    }

    /** Reports a value that is out of range, with the nearest one. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public // nothing is cast but null
    <T> @Nullable T refuse(String message, JsonNode instead) {
        nearest.put(path, instead);
        return refuse(message);
    }

    public Place field(String name) {
        return new Place(path.isEmpty() ? name : path + "." + name, problems, nearest);
    }

    public Place element(int index) {
        return new Place(path + "[" + index + "]", problems, nearest);
    }

    /** Returns whether a field was refused, or something in it: what was read of it is not what a person meant. */
    public boolean isRefused(String name) {
        String field = field(name).path;
        return problems.stream()
                .map(FieldProblem::field)
                .anyMatch(
                        wrong -> wrong.equals(field) || wrong.startsWith(field + ".") || wrong.startsWith(field + "["));
    }

    /** Names the kind of a value, for people. */
    public static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "a string";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case ARRAY -> "a list";
            case OBJECT -> "an object";
            default -> "null";
        };
    }
}
