package dev.rowlock.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rows of exported tables, by the names of their columns in lower case; what is null is not there. */
public final class TableText {

    private final String text;
    private final char separator;
    private int at;

    private TableText(String text) {
        this.text = text;
        String head = text.lines().findFirst().orElse("");
        separator = head.indexOf('\t') >= 0 ? '\t' : head.indexOf(';') >= 0 ? ';' : ',';
    }

    /**
     * Reads rows as JSON (a list of objects, or several of them), or as CSV with the names of the columns in the first
     * line.
     *
     * @throws IOException it is neither
     */
    public static List<Map<String, String>> read(String text) throws IOException {
        String start = text.stripLeading();
        if (start.startsWith("[") || start.startsWith("{")) {
            List<Map<String, String>> rows = new ArrayList<>();
            collect(Trees.json(new ByteArrayInputStream(start.getBytes(StandardCharsets.UTF_8))), rows);
            return rows;
        }
        return new TableText(text.replaceFirst("^\ufeff", "")).rows();
    }

    private static void collect(JsonNode node, List<Map<String, String>> rows) {
        boolean isRow = node instanceof ObjectNode object
                && object.properties().stream()
                        .noneMatch(field -> field.getValue().isArray());
        if (!isRow) {
            node.forEach(part -> collect(part, rows));
            return;
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!field.getValue().isNull() && field.getValue().isValueNode()) {
                row.put(
                        field.getKey().toLowerCase(Locale.ROOT),
                        field.getValue().asText());
            }
        }
        rows.add(row);
    }

    private List<Map<String, String>> rows() throws IOException {
        List<String> head = line();
        List<Map<String, String>> rows = new ArrayList<>();
        while (at < text.length()) {
            List<String> values = line();
            if (values.size() == 1 && values.get(0).isEmpty()) {
                continue;
            }
            if (values.size() != head.size()) {
                throw new IOException("a row has " + values.size() + " values, and the first line " + head.size()
                        + " names of columns, near: " + String.join(",", values));
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < values.size(); i++) {
                if (!values.get(i).equals("\\N") && !values.get(i).equals("NULL")) {
                    row.put(head.get(i).strip().toLowerCase(Locale.ROOT), values.get(i));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    /** Reads the values of a line; one in quotes may have separators, line breaks and doubled quotes in it. */
    private List<String> line() {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean isQuoted = false;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (isQuoted) {
                boolean isDoubled = c == '"' && at < text.length() && text.charAt(at) == '"';
                at += isDoubled ? 1 : 0;
                isQuoted = c != '"' || isDoubled;
                if (isQuoted) {
                    value.append(c);
                }
            } else if (c == '"' && value.isEmpty()) {
                isQuoted = true;
            } else if (c == separator) {
                values.add(value.toString());
                value.setLength(0);
            } else if (c == '\n') {
                break;
            } else if (c != '\r') {
                value.append(c);
            }
        }
        values.add(value.toString());
        return values;
    }
}
