package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * Column of a table.
 *
 * @param wide whether only {@code -o wide} shows it
 * @param right whether it is a number
 */
public record Column(String title, boolean wide, boolean right, Value value) {

    /** Cell of a row in this column. */
    @FunctionalInterface
    public interface Value {
        Cell of(JsonNode row, Moments moments);
    }

    /** Makes a column of a field, whatever it is; {@code a.b} is a field within another. */
    public static Column text(String title, String path) {
        return new Column(title, false, false, (row, moments) -> Cell.of(at(row, path)));
    }

    public static Column number(String title, String path) {
        return new Column(title, false, true, (row, moments) -> Cell.of(at(row, path)));
    }

    public static Column of(String title, Function<JsonNode, Cell> value) {
        return new Column(title, false, false, (row, moments) -> value.apply(row));
    }

    /** Makes a column of a time, as the clocks show it here. */
    public static Column time(String title, String path) {
        return new Column(title, false, false, (row, moments) -> moment(at(row, path), moments::absolute));
    }

    /** Makes a column of how far away a time is. */
    public static Column distance(String title, String path) {
        return new Column(title, false, true, (row, moments) -> moment(at(row, path), moments::relative));
    }

    /** Returns the cell of a time that may not be there. */
    public static Cell moment(JsonNode time, Function<Instant, String> shown) {
        return Moments.parse(time.asText()).map(t -> Cell.of(shown.apply(t))).orElse(Cell.NONE);
    }

    /** Makes a column of how long something took, which the API says in milliseconds. */
    public static Column millis(String title, String path) {
        return new Column(
                title,
                false,
                true,
                (row, moments) -> at(row, path).isNumber()
                        ? Cell.of(Moments.length(Duration.ofMillis(at(row, path).asLong())))
                        : Cell.NONE);
    }

    /** Makes a column of an outcome, a result, or a state. */
    public static Column outcome(String title, String path) {
        return new Column(title, false, false, (row, moments) -> outcome(at(row, path)));
    }

    /** Returns the cell of an outcome. */
    public static Cell outcome(JsonNode outcome) {
        return outcome.isTextual() ? new Cell(outcome.asText(), Tone.ofOutcome(outcome.asText())) : Cell.NONE;
    }

    /** Returns this column for {@code -o wide} alone. */
    public Column whenWide() {
        return new Column(title, true, right, value);
    }

    static JsonNode at(JsonNode row, String path) {
        JsonNode at = row;
        for (String name : path.split("\\.", -1)) {
            at = at.path(name);
        }
        return at;
    }
}
