package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;

/**
 * View of one kind of thing.
 *
 * @param name what {@code -o name} says: what other commands take for it
 */
public record View(Function<JsonNode, String> name, List<Column> columns) {

    public View(Function<JsonNode, String> name, Column... columns) {
        this(name, List.of(columns));
    }

    /** Makes the view of what is called by one field. */
    public static View named(String field, Column... columns) {
        return new View(row -> row.path(field).asText(), columns);
    }

    List<Column> columns(Format format) {
        return columns.stream()
                .filter(column -> !column.wide() || format == Format.WIDE)
                .toList();
    }
}
