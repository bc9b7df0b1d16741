package dev.rowlock.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Type of a field: how its values are read from JSON, checked, written and described to people. */
public final class FieldType<T> {

    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final String words;
    private final Reader<T> reader;
    private final Function<T, JsonNode> writer;
    private final Map<String, Object> schema;

    /** Reader of a value; returns null after it has reported what is wrong. */
    @FunctionalInterface
    public interface Reader<T> {
        @Nullable
        T read(JsonNode value, Place place);
    }

    public FieldType(String words, Reader<T> reader, Function<T, JsonNode> writer) {
        this(words, reader, writer, Map.of());
    }

    private FieldType(String words, Reader<T> reader, Function<T, JsonNode> writer, Map<String, Object> schema) {
        this.words = words;
        this.reader = reader;
        this.writer = writer;
        this.schema = schema;
    }

    /** Returns this type with its JSON Schema, which must admit all accepted values. */
    public FieldType<T> shown(Map<String, Object> said) {
        return new FieldType<>(words, reader, writer, said);
    }

    /** Returns the JSON Schema; of an object, {@code whole} is the table of its fields. */
    public Map<String, Object> schema() {
        return schema;
    }

    /** Returns a description of accepted values, for people. */
    public String words() {
        return words;
    }

    /** Reads a value; null if it is wrong, which has then been reported, or if it says nothing. */
    public @Nullable T read(JsonNode value, Place place) {
        return reader.read(value, place);
    }

    public JsonNode write(T value) {
        return writer.apply(value);
    }

    /** Accepts well-formed text of at most so many bytes of UTF-8. */
    public static FieldType<String> text(int maxBytes) {
        return new FieldType<>(
                        "text of at most " + maxBytes + " bytes",
                        (value, place) -> text(value, maxBytes, place),
                        TextNode::valueOf)
                .shown(Map.of("type", "string", "maxLength", maxBytes));
    }

    public static FieldType<Boolean> flag() {
        return new FieldType<>(
                        "`true` or `false`",
                        (value, place) -> value.isBoolean()
                                ? Boolean.valueOf(value.booleanValue())
                                : place.refuse("must be true or false, not " + Place.kind(value)),
                        BooleanNode::valueOf)
                .shown(Map.of("type", "boolean"));
    }

    public static FieldType<Integer> number(int min, int max) {
        String range = "whole number from " + min + " to " + max;
        return new FieldType<>(
                        "a " + range,
                        (value, place) -> {
                            if (!value.isIntegralNumber()) {
                                return place.refuse("must be a " + range);
                            }
                            long number = Math.max(min, Math.min(max, value.longValue()));
                            return value.canConvertToLong() && number == value.longValue()
                                    ? Integer.valueOf((int) number)
                                    : place.refuse("must be a " + range, IntNode.valueOf((int) number));
                        },
                        IntNode::valueOf)
                .shown(Map.of("type", "integer", "minimum", min, "maximum", max));
    }

    public static FieldType<Set<Integer>> numbers(int min, int max) {
        FieldType<Integer> number = number(min, max);
        String words = "a list of at least one whole number from " + min + " to " + max;
        return new FieldType<>(
                        words,
                        (value, place) -> {
                            if (!value.isArray() || value.isEmpty()) {
                                return place.refuse("must be " + words + ", such as [0, 3]");
                            }
                            Set<Integer> numbers = new TreeSet<>();
                            for (int i = 0; i < value.size(); i++) {
                                Integer element = number.read(value.get(i), place.element(i));
                                if (element != null) {
                                    numbers.add(element);
                                }
                            }
                            return Collections.unmodifiableSet(numbers);
                        },
                        numbers -> {
                            ArrayNode list = JsonNodeFactory.instance.arrayNode();
                            new TreeSet<>(numbers).forEach(list::add);
                            return list;
                        })
                .shown(Map.of("type", "array", "minItems", 1, "items", number.schema()));
    }

    public static FieldType<Duration> duration(String from, String to) {
        String range = "from " + from + " to " + to;
        Duration min = Durations.parse(from).orElseThrow();
        Duration max = Durations.parse(to).orElseThrow();
        return written(
                "a duration " + range,
                "90s",
                (text, place) -> {
                    Duration duration = Durations.parse(text).orElse(null);
                    if (duration == null) {
                        return place.refuse("'" + text + "' is not a duration; write it like 90s, 5m, 1h30m or 1d");
                    }
                    boolean isShort = duration.compareTo(min) < 0;
                    return isShort || duration.compareTo(max) > 0
                            ? place.refuse("must be " + range + ", not " + text, TextNode.valueOf(isShort ? from : to))
                            : duration;
                },
                Durations::format);
    }

    public static FieldType<Instant> instant() {
        return written(
                "a time such as `2026-12-01T03:00:00Z`",
                "2026-12-01T03:00:00Z",
                (text, place) -> {
                    TimeText time = TimeText.parse(text).orElse(null);
                    if (time == null || !time.isWhole()) {
                        return place.refuse("'" + text + (time == null ? "' is not a time" : "' is no whole time")
                                + "; write it like 2026-12-01T03:00:00Z or 2026-12-01 03:00 +01:00");
                    }
                    Instant t = time.at(EARLIEST, ZoneOffset.UTC, TimeText.Towards.PAST)
                            .truncatedTo(ChronoUnit.MILLIS);
                    return t.isBefore(EARLIEST) || !t.isBefore(LATEST)
                            ? place.refuse("must lie between the years 1970 and 9998")
                            : t;
                },
                Times::text);
    }

    /** Accepts a zone by its name, which is kept as it was sent. */
    public static FieldType<String> zone() {
        return written(
                "a time zone of the IANA database",
                "Europe/Berlin",
                (text, place) -> Zones.isNamed(text) ? text : place.refuse(Zones.problem(text)),
                name -> name);
    }

    public static <E extends Enum<E>> FieldType<E> word(Class<E> type) {
        List<String> all =
                Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
        return written(
                        all.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", ")),
                        all.get(0),
                        (text, place) -> all.contains(text)
                                ? Enum.valueOf(type, text)
                                : place.refuse("'" + text + "' is not one of " + String.join(", ", all)
                                        + Suggestion.of(text, all)),
                        Enum::name)
                .shown(Map.of("type", "string", "enum", all));
    }

    /** Accepts an object with fields of its own. An unknown field is refused: misspelt, it would mean its default. */
    public static <R extends Record> FieldType<R> object(String words, FieldTable<R> table) {
        return new FieldType<>(
                words,
                (value, place) -> {
                    if (!(value instanceof ObjectNode object)) {
                        return place.refuse("must be an object, not " + Place.kind(value));
                    }
                    int problems = place.problems().size();
                    table.refuseUnknown(object, Set.of(), place);
                    R read = table.read(object, place);
                    return place.problems().size() == problems ? read : null;
                },
                table::write,
                Map.of("whole", table));
    }

    /** @param check answers what is wrong with a value, or null */
    public FieldType<T> checked(String inWords, Function<T, @Nullable String> check) {
        return then(inWords, (read, place) -> {
            String problem = check.apply(read);
            return problem == null ? read : place.refuse(problem);
        });
    }

    /** Returns this type with values translated; null: nothing is written. */
    public FieldType<T> meant(Function<T, @Nullable T> as) {
        return then(words, (read, place) -> as.apply(read));
    }

    private FieldType<T> then(String inWords, BiFunction<T, Place, @Nullable T> next) {
        return new FieldType<>(
                inWords,
                (value, place) -> {
                    T read = reader.read(value, place);
                    return read == null ? null : next.apply(read, place);
                },
                writer,
                schema);
    }

    /** @param such an acceptable value */
    public static <T> FieldType<T> written(
            String words, String such, BiFunction<String, Place, @Nullable T> parser, Function<T, String> printer) {
        return new FieldType<>(
                        words,
                        (value, place) -> {
                            String text = value.isTextual()
                                    ? text(value, 100, place)
                                    : place.refuse(
                                            "must be a string such as \"" + such + "\", not " + Place.kind(value));
                            return text == null ? null : parser.apply(text, place);
                        },
                        value -> TextNode.valueOf(printer.apply(value)))
                .shown(Map.of("type", "string", "maxLength", 100, "examples", List.of(such)));
    }

    public static @Nullable String text(JsonNode value, int maxBytes, Place place) {
        if (!value.isTextual()) {
            return place.refuse("must be a string, not " + Place.kind(value));
        }
        String text = value.textValue();
        if (text.indexOf('\0') >= 0) {
            return place.refuse("must not contain a NUL character");
        }
        try {
            int bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
            return bytes > maxBytes ? place.refuse("must be at most " + maxBytes + " bytes long, not " + bytes) : text;
        } catch (CharacterCodingException e) {
            return place.refuse("is not well-formed Unicode: it has half of a surrogate pair");
        }
    }
}
