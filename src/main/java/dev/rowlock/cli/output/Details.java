package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One thing, a field a line, with fields within fields by their path. What says nothing is left out.
 *
 * @param all whether that is shown, too
 */
record Details(Moments moments, boolean colour, boolean all) {

    List<String> of(JsonNode thing) {
        List<Map.Entry<String, Cell>> fields = new ArrayList<>();
        add("", thing, fields);
        int width = fields.stream().mapToInt(f -> f.getKey().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, Cell> field : fields) {
            String name = Tone.FAINT.paint(field.getKey() + ":", colour);
            Cell value = field.getValue();
            lines.add(name
                    + " ".repeat(width - field.getKey().length() + 2)
                    + value.tone().paint(value.text(), colour));
        }
        return lines;
    }

    private void add(String path, JsonNode value, List<Map.Entry<String, Cell>> fields) {
        if (value.isObject()) {
            value.properties()
                    .forEach(f -> add(path.isEmpty() ? f.getKey() : path + "." + f.getKey(), f.getValue(), fields));
        } else if (value.isArray() && value.size() > 0 && value.get(0).isObject()) {
            for (int i = 0; i < value.size(); i++) {
                add(path + "[" + i + "]", value.get(i), fields);
            }
        } else if (all || !Cell.plain(value).isEmpty()) {
            fields.add(Map.entry(path, cell(value)));
        }
    }

    private Cell cell(JsonNode value) {
        return Moments.parse(value.asText())
                .map(t -> Cell.of(moments.absolute(t) + " (" + moments.relative(t) + ")"))
                .orElseGet(() -> {
                    Tone tone = Tone.ofOutcome(value.asText());
                    return tone == Tone.PLAIN ? Cell.of(value) : Column.outcome(value);
                });
    }
}
