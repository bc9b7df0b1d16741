package dev.rowlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a setting may hold.
 *
 * @param allowed ends the sentence "allowed is …"
 * @param reader null for what is not allowed
 */
record SettingType<T>(String allowed, Function<Found, @Nullable T> reader) {

    private static final Pattern DURATION =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1000, 1};
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}) ?(KiB|MiB|GiB)?");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

    static SettingType<String> text(String allowed, Pattern pattern) {
        return new SettingType<>(allowed, found -> {
            String text = found.text();
            // YAML reads 0123 as 83: what is meant as text has to say so.
            boolean quoted = found.variable() != null || found.value().isTextual();
            return text != null && quoted && pattern.matcher(text).matches() ? text : null;
        });
    }

    static SettingType<Boolean> bool() {
        return new SettingType<>("true or false", found -> {
            String text = found.text();
            return "true".equals(text) ? Boolean.TRUE : "false".equals(text) ? Boolean.FALSE : null;
        });
    }

    /** One of the names of an enumeration, as they are written there. */
    static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
        List<E> values = List.of(type.getEnumConstants());
        String allowed = values.stream().map(Enum::name).collect(Collectors.joining(" or "));
        return new SettingType<>(
                allowed,
                found -> values.stream()
                        .filter(value -> value.name().equals(found.text()))
                        .findFirst()
                        .orElse(null));
    }

    static SettingType<Integer> whole(int min, int max) {
        return new SettingType<>("a whole number from " + min + " to " + max, found -> {
            String text = found.text();
            if (text == null || !text.matches("\\d{1,10}")) {
                return null;
            }
            long number = Long.parseLong(text);
            return number >= min && number <= max ? (int) number : null;
        });
    }

    /** A duration such as {@code 250ms}, {@code 90s} or {@code 1h30m}; a plain 0 where {@code min} is zero. */
    static SettingType<Duration> duration(Duration min, Duration max) {
        String allowed = "a duration from " + Durations.text(min) + " to " + Durations.text(max)
                + ", written like 250ms, 90s, 5m, 1h30m or 30d";
        return new SettingType<>(allowed, found -> {
            Duration duration = duration(found.text());
            return duration != null && duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0 ? duration : null;
        });
    }

    private static @Nullable Duration duration(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long millis = 0;
        for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
            String digits = matcher.group(unit + 1);
            millis += digits == null ? 0 : Long.parseLong(digits) * UNIT_MILLIS[unit];
        }
        return Duration.ofMillis(millis);
    }

    /** A number of bytes such as {@code 65536}, {@code 64KiB} or {@code 10MiB}. */
    static SettingType<Long> size(String min, String max) {
        long least = size(min).longValue();
        long most = size(max).longValue();
        String allowed = "a size from " + min + " to " + max + ", written like 65536, 64KiB or 10MiB";
        return new SettingType<>(allowed, found -> {
            String text = found.text();
            if (text == null || !SIZE.matcher(text).matches()) {
                return null;
            }
            BigInteger bytes = size(text);
            return bytes.bitLength() < Long.SIZE && bytes.longValue() >= least && bytes.longValue() <= most
                    ? bytes.longValue()
                    : null;
        });
    }

    private static BigInteger size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        String unit = matcher.group(2) == null ? "" : matcher.group(2).toUpperCase(Locale.ROOT);
        int shift = 10 * List.of("", "KIB", "MIB", "GIB").indexOf(unit);
        return new BigInteger(matcher.group(1)).shiftLeft(shift);
    }

    /** A YAML list, or text with commas. */
    static SettingType<List<String>> list(String allowed, Pattern item) {
        return new SettingType<>(allowed, found -> {
            List<String> items = new ArrayList<>();
            if (found.value().isArray()) {
                found.value().forEach(node -> items.add(node.isTextual() ? node.asText() : ""));
            } else if (found.text() != null) {
                for (String part : found.text().split(",", -1)) {
                    items.add(part.strip());
                }
            } else {
                return null;
            }
            return items.stream().allMatch(text -> item.matcher(text).matches()) ? List.copyOf(items) : null;
        });
    }

    /** A YAML map, or text like {@code zone=a,disk=ssd}. */
    static SettingType<Map<String, String>> labels() {
        String allowed =
                "a map of labels, or text like zone=a,disk=ssd; a name begins with a letter or digit and has up to 63 of"
                        + " A-Z a-z 0-9 . _ / -, a value up to 63 characters";
        return new SettingType<>(allowed, found -> {
            Map<String, String> labels = found.value().isObject() ? labelsOf(found.value()) : labelsOf(found.text());
            return labels != null && labels.entrySet().stream().allMatch(SettingType::isLabel)
                    ? Map.copyOf(labels)
                    : null;
        });
    }

    private static boolean isLabel(Map.Entry<String, String> label) {
        return LABEL.matcher(label.getKey()).matches()
                && label.getValue().length() <= 63
                && label.getValue().chars().noneMatch(Character::isISOControl);
    }

    private static @Nullable Map<String, String> labelsOf(JsonNode map) {
        Map<String, String> labels = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            if (!entry.getValue().isValueNode()) {
                return null;
            }
            labels.put(entry.getKey(), entry.getValue().asText());
        }
        return labels;
    }

    private static @Nullable Map<String, String> labelsOf(@Nullable String text) {
        if (text == null) {
            return null;
        }
        Map<String, String> labels = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", 2);
            if (pair.length < 2 || labels.put(pair[0].strip(), pair[1].strip()) != null) {
                return null;
            }
        }
        return labels;
    }
}
