package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.WrongFiles;
import dev.rowlock.yaml.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies of requests, made of what was typed. */
public final class Bodies {

    private Bodies() {}

    /** Leaves out what was not given. */
    public static ObjectNode put(ObjectNode body, String field, @Nullable Object value) {
        if (value instanceof Integer number) {
            body.put(field, number);
        } else if (value != null) {
            body.put(field, value.toString());
        }
        return body;
    }

    /** Leaves out what was not given. */
    public static ObjectNode put(ObjectNode body, String field, Map<String, String> values) {
        if (!values.isEmpty()) {
            ObjectNode map = body.putObject(field);
            values.forEach(map::put);
        }
        return body;
    }

    /** Puts labels that were given as {@code name=value}; a request has one value for each name. */
    public static ObjectNode labels(ObjectNode body, List<String> given) {
        for (String label : given) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw new CommandFailed(ExitCode.USAGE, "\"" + label + "\" must be NAME=VALUE, such as team=ops");
            }
            String name = label.substring(0, equals);
            String value = label.substring(equals + 1);
            ObjectNode labels = body.path("labels") instanceof ObjectNode known ? known : body.putObject("labels");
            String before = labels.path(name).asText(value);
            if (!before.equals(value)) {
                throw new CommandFailed(
                        ExitCode.USAGE,
                        "--label " + name + " is given as \"" + before + "\" and as \"" + value
                                + "\", and takes one value; use the command once for each");
            }
            labels.put(name, value);
        }
        return body;
    }

    /**
     * Sets fields by {@code path=value}, where a value is read as YAML, so that {@code 3} is a number, {@code null}
     * takes a field away, and {@code [0, 2]} is a list.
     */
    public static ObjectNode set(ObjectNode body, List<String> assignments) {
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new CommandFailed(
                        ExitCode.USAGE, "\"" + assignment + "\" must be FIELD=VALUE, such as timeout=30m");
            }
            String[] path = assignment.substring(0, equals).split("\\.", 2);
            ObjectNode into = path.length == 1
                    ? body
                    : body.path(path[0]) instanceof ObjectNode known ? known : body.putObject(path[0]);
            into.set(path[path.length - 1], value(path[0], assignment.substring(equals + 1)));
        }
        return body;
    }

    /** Returns the value of a field; schedules and commands are texts, whatever they look like, but for lists. */
    private static JsonNode value(String field, String text) {
        if (List.of("schedule", "command", "env", "labels", "description", "stdin")
                        .contains(field)
                && !text.equals("null")
                && !text.startsWith("{")
                && !(field.equals("schedule") && text.startsWith("["))) {
            return Trees.object().textNode(text);
        }
        try {
            JsonNode value = YamlText.one(field, text);
            return value.isMissingNode() ? Trees.object().textNode("") : value;
        } catch (WrongFiles e) {
            return Trees.object().textNode(text); // no YAML, so it is what it is
        }
    }

    /** Reads an object from a file of YAML or JSON; {@code -}: standard input. */
    public static ObjectNode file(Path file, InputStream in) {
        try {
            if (YamlText.one(file.toString(), text(file, in)) instanceof ObjectNode object) {
                return object;
            }
            throw new CommandFailed(ExitCode.FAILED, file + " must have one object in YAML or JSON");
        } catch (WrongFiles e) {
            throw new CommandFailed(ExitCode.FAILED, e.sentences());
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
        }
    }

    /** Reads a file; {@code -}: standard input. */
    public static String text(Path file, InputStream in) throws IOException {
        return TextReader.of(file.toString(), in);
    }
}
