package dev.rowlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Typed reading of one JSON object; what is wrong is collected, so that a person sees all of it at once. */
final class Fields {

    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final ObjectNode node;
    private final List<FieldProblem> problems = new ArrayList<>();

    Fields(ObjectNode node) {
        this.node = node;
    }

    List<FieldProblem> problems() {
        return problems;
    }

    void refuse(String field, String message) {
        problems.add(new FieldProblem(field, message));
    }

    /** The value of a field; null if it is absent or JSON's null, which mean the same. */
    @Nullable
    JsonNode value(String field) {
        JsonNode value = node.get(field);
        return value == null || value.isNull() ? null : value;
    }

    /** A string of well-formed text within {@code maxBytes} of UTF-8; null if absent or wrong. */
    @Nullable
    String text(String field, int maxBytes) {
        JsonNode value = value(field);
        return value == null ? null : text(field, value, maxBytes);
    }

    private @Nullable String text(String path, JsonNode value, int maxBytes) {
        if (!value.isTextual()) {
            refuse(path, "must be a string, not " + kind(value));
            return null;
        }
        String text = value.textValue();
        String problem = Texts.problem(text, maxBytes);
        if (problem != null) {
            refuse(path, problem);
            return null;
        }
        return text;
    }

    boolean flag(String field, boolean otherwise) {
        JsonNode value = value(field);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            refuse(field, "must be true or false, not " + kind(value));
            return otherwise;
        }
        return value.booleanValue();
    }

    int number(String field, int min, int max, int otherwise) {
        JsonNode value = value(field);
        return value == null ? otherwise : number(field, value, min, max, otherwise);
    }

    private int number(String path, JsonNode value, int min, int max, int otherwise) {
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
            refuse(path, "must be a whole number from " + min + " to " + max);
            return otherwise;
        }
        return value.intValue();
    }

    Set<Integer> numbers(String field, int min, int max, int otherwise) {
        JsonNode value = value(field);
        Set<Integer> numbers = new TreeSet<>();
        if (value == null) {
            numbers.add(otherwise);
        } else if (!value.isArray() || value.isEmpty()) {
            refuse(
                    field,
                    "must be a list of at least one whole number from " + min + " to " + max + ", such as [0, 3]");
        } else {
            for (int i = 0; i < value.size(); i++) {
                numbers.add(number(field + "[" + i + "]", value.get(i), min, max, otherwise));
            }
        }
        return numbers;
    }

    @Nullable
    Duration duration(String field, Duration min, Duration max) {
        String text = text(field, 100);
        if (text == null) {
            return null;
        }
        Duration duration = Durations.parse(text).orElse(null);
        if (duration == null) {
            refuse(field, "'" + text + "' is not a duration; write it like 90s, 5m, 1h30m, 500ms or 1d");
        } else if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            refuse(field, "must be from " + Durations.format(min) + " to " + Durations.format(max) + ", not " + text);
            return null;
        }
        return duration;
    }

    @Nullable
    Instant instant(String field) {
        String text = text(field, 100);
        if (text == null) {
            return null;
        }
        try {
            Instant t = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
            if (!t.isBefore(EARLIEST) && t.isBefore(LATEST)) {
                return t;
            }
            refuse(field, "must lie between the years 1970 and 9998");
        } catch (DateTimeException e) {
            refuse(
                    field,
                    "'" + text + "' is not a time; write it like 2026-12-01T03:00:00Z or 2026-12-01T03:00:00+01:00");
        }
        return null;
    }

    <E extends Enum<E>> E word(String field, Class<E> type, E otherwise) {
        String text = text(field, 100);
        if (text == null) {
            return otherwise;
        }
        for (E word : type.getEnumConstants()) {
            if (word.name().equals(text)) {
                return word;
            }
        }
        String words = Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
        refuse(field, "'" + text + "' is not one of " + words + suggestion(text, List.of(words.split(", "))));
        return otherwise;
    }

    /** @param check answers what is wrong with an entry, or null */
    Map<String, String> map(String field, int maxBytes, BiFunction<String, String, @Nullable String> check) {
        JsonNode value = value(field);
        Map<String, String> map = new TreeMap<>();
        if (value == null) {
            return map;
        }
        if (!(value instanceof ObjectNode object)) {
            refuse(field, "must be an object of strings, not " + kind(value));
            return map;
        }
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String path = field + "." + entry.getKey();
            String text = text(path, entry.getValue(), maxBytes);
            String problem = text == null ? null : check.apply(entry.getKey(), text);
            if (problem != null) {
                refuse(path, problem);
            } else if (text != null) {
                map.put(entry.getKey(), text);
            }
        }
        return map;
    }

    void refuseUnknown(String what, List<String> known) {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                String near = suggestion(name, known);
                refuse(name, "is not a field of " + what + (near.isEmpty() ? "" : near));
            }
        }
    }

    static String suggestion(String text, List<String> known) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(k -> Math.abs(wanted.length() - k.length()) <= 3) // whoever sends a kibibyte means none of them
                .filter(k -> Spelling.distance(wanted, k.toLowerCase(Locale.ROOT))
                        <= Math.max(1, Math.min(3, k.length() / 3)))
                .findFirst()
                .map(k -> "; did you mean '" + k + "'?")
                .orElse("");
    }

    static String kind(JsonNode value) {
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
