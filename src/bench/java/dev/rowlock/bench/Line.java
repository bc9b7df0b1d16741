package dev.rowlock.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One result: names and values in the order in which they were put. */
final class Line {

    final Map<String, Object> values = new LinkedHashMap<>();

    static Line of(String name, Object value) {
        return new Line().with(name, value);
    }

    Line with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    Line with(Line other) {
        values.putAll(other.values);
        return this;
    }

    static String text(Object value) {
        if (!(value instanceof Double number)) {
            return String.valueOf(value);
        }
        double size = Math.abs(number);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(e -> e.getKey() + "=" + text(e.getValue()).replace(' ', '_'))
                .collect(Collectors.joining(" "));
    }
}
