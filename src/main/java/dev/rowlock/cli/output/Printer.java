package dev.rowlock.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/**
 * Writes answers to standard output in one format.
 *
 * @param out nothing else is written there
 */
public record Printer(PrintStream out, Format format, boolean colour, Moments moments) {

    /** What the API answers for one thing: all of it, with {@code view} for its name. */
    public void one(JsonNode thing, View view) {
        switch (format) {
            case NAME -> line(view.name().apply(thing));
            case JSON, YAML -> tree(thing);
            default ->
                new Details(moments, colour, format == Format.WIDE).of(thing).forEach(this::line);
        }
    }

    /** For what has no name. */
    public void tree(JsonNode thing) {
        try (JsonGenerator to = format == Format.YAML ? Generators.yaml(kept()) : Generators.json(kept())) {
            Trees.write(thing, to);
            finish(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A list that comes piece by piece. */
    public Rows rows(View view) {
        return format == Format.JSON || format == Format.YAML
                ? new TreeRows(generator())
                : new TableRows(this, format == Format.NAME ? null : new Table(view.columns(format)), view);
    }

    private JsonGenerator generator() {
        try {
            return format == Format.YAML ? Generators.yaml(kept()) : Generators.json(kept());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void finish(JsonGenerator to) throws IOException {
        to.flush();
        if (format == Format.JSON) {
            out.write('\n');
        }
    }

    /** One line for people or programs. */
    public void line(String text) {
        out.print(text + "\n");
    }

    /** Whether nobody reads it any more, as after {@code | head}. */
    public boolean isCut() {
        return out.checkError();
    }

    /** Standard output, which outlives whoever writes to it. */
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

    /** The rows of a list, in the order in which they come. */
    public interface Rows {

        /** A page of them: nothing of it is kept afterwards. */
        void page(JsonNode items);

        /** There are no more. */
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
}
