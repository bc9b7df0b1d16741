package dev.rowlock.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.yaml.Located;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Printer of answers to standard output in one format.
 *
 * @param out nothing else is written there
 */
public record Printer(PrintStream out, Format format, boolean colour, Moments moments) {

    /** Writes one thing that the API answers: all of it, with {@code view} for its name. */
    public void one(JsonNode thing, View view) {
        switch (format) {
            case NAME -> line(view.name().apply(thing));
            case JSON, YAML -> tree(thing);
            default -> fields(thing);
        }
    }

    /** Writes a thing that has no name. */
    public void tree(JsonNode thing) {
        try (JsonGenerator to = generator()) {
            Trees.write(thing, to);
            finish(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins a list that comes piece by piece. */
    public Rows rows(View view) {
        return switch (format) {
            case JSON, YAML -> new TreeRows(generator());
            case NAME -> new NameRows(view);
            default -> new TableRows(view);
        };
    }

    private JsonGenerator generator() {
        try {
            return format == Format.YAML ? Generators.yaml(kept()) : Generators.json(kept());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void finish(JsonGenerator to) throws IOException {
        to.flush();
        if (format == Format.JSON) {
            out.write('\n');
        }
    }

    /** Prints one line for people or programs. */
    public void line(String text) {
        out.print(text + "\n");
    }

    /** Returns true if nobody reads it any more, as after {@code | head}. */
    public boolean isCut() {
        return out.checkError();
    }

    /** Returns standard output, which outlives whoever writes to it. */
    private OutputStream kept() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                out.write(b);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                out.write(bytes, from, length);
            }
        };
    }

    /** Rows of a list, in the order in which they come. */
    public interface Rows {

        /** Writes a page of rows; keeps nothing of it. */
        void page(JsonNode items);

        /** Ends the list. */
        void end();
    }

    private final class TreeRows implements Rows {

        private final JsonGenerator to;
        private boolean begun;

        TreeRows(JsonGenerator to) {
            this.to = to;
        }

        private void begin() throws IOException {
            if (!begun) {
                begun = true;
                to.writeStartObject();
                to.writeArrayFieldStart("items");
            }
        }

        @Override
        public void page(JsonNode items) {
            try {
                begin();
                for (JsonNode item : items) {
                    Trees.write(item, to);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void end() {
            try {
                begin();
                to.writeEndArray();
                to.writeEndObject();
                finish(to);
                to.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Rows that are names, one a line. */
    private final class NameRows implements Rows {

        private final View view;

        NameRows(View view) {
            this.view = view;
        }

        @Override
        public void page(JsonNode items) {
            items.forEach(item -> line(view.name().apply(item)));
        }

        @Override
        public void end() {}
    }

    /** Rows for people, with the titles of their columns in front. */
    private final class TableRows implements Rows {

        private final Table table;
        private boolean titled;

        TableRows(View view) {
            table = new Table(view.columns(format));
        }

        @Override
        public void page(JsonNode items) {
            table.read(items, moments);
            end();
            table.rows(colour).forEach(Printer.this::line);
        }

        @Override
        public void end() {
            if (!titled) {
                titled = true;
                line(table.title(colour));
            }
        }
    }

    /** Writes a field a line, with fields within fields by their path. What says nothing is for {@code -o wide}. */
    private void fields(JsonNode thing) {
        List<Map.Entry<String, Cell>> fields = new ArrayList<>();
        add("", thing, fields);
        int width = fields.stream().mapToInt(f -> f.getKey().length()).max().orElse(0);
        for (Map.Entry<String, Cell> field : fields) {
            String name = field.getKey() + ":";
            Cell value = field.getValue();
            line(Tone.FAINT.paint(name, colour)
                    + " ".repeat(width - name.length() + 3)
                    + value.tone().paint(value.text(), colour));
        }
    }

    private void add(String path, JsonNode value, List<Map.Entry<String, Cell>> fields) {
        if (value.isObject()) {
            value.properties().forEach(f -> add(Located.field(path, f.getKey()), f.getValue(), fields));
        } else if (value.isArray() && value.size() > 0 && value.get(0).isObject()) {
            for (int i = 0; i < value.size(); i++) {
                add(Located.element(path, i), value.get(i), fields);
            }
        } else if (format == Format.WIDE || !Cell.plain(value).isEmpty()) {
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
