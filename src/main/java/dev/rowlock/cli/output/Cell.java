package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;

/** Cell of a table. */
public record Cell(String text, Tone tone) {

    /** Cell with nothing to be said. */
    public static final Cell NONE = new Cell("-", Tone.FAINT);

    public static Cell of(String text) {
        return text.isEmpty() ? NONE : new Cell(text, Tone.PLAIN);
    }

    /** Returns the cell of a field, whatever it is: lists with commas, maps as {@code name=value}. */
    public static Cell of(JsonNode value) {
        return of(plain(value));
    }

    static String plain(JsonNode value) {
        if (value.isArray()) {
            StringBuilder list = new StringBuilder();
            value.forEach(element -> list.append(list.isEmpty() ? "" : ",").append(plain(element)));
            return list.toString();
        }
        if (value.isObject()) {
            StringBuilder map = new StringBuilder();
            value.properties()
                    .forEach(field -> map.append(map.isEmpty() ? "" : ",")
                            .append(field.getKey())
                            .append('=')
                            .append(plain(field.getValue())));
            return map.toString();
        }
        return value.isNull() || value.isMissingNode() ? "" : printable(value.asText());
    }

    /** Returns a text as one line of a table, in which nothing commands the terminal. */
    public static String printable(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '\t') {
                line.append("\\t");
            } else if (Character.isISOControl(c)) {
                line.append('?');
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }
}
