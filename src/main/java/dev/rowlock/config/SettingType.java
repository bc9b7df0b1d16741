package dev.rowlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
 * Type of a setting's values.
 *
 * @param allowed ends the sentence "allowed is …"
 * @param reader null for what is not allowed
 * @param near ends a sentence about such a value, with what may be meant; empty for nothing
 */
record SettingType<T>(String allowed, Function<FoundValue, @Nullable T> reader, Function<FoundValue, String> near) {

    private static final String OF_THIS_HOST = ", in letters that the locale of this process has (LC_ALL=C.UTF-8: all)";
    /** No leading zeros: YAML 1.1 reads 010 as 8, and YAML 1.2 as 10. */
    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,9}");

    private static final Pattern SIZE = Pattern.compile("(0|[1-9][0-9]{0,14}) ?(KiB|MiB|GiB|)");
    private static final Pattern COMMAND = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");

    SettingType(String allowed, Function<FoundValue, @Nullable T> reader) {
        this(allowed, reader, found -> "");
    }

    static SettingType<String> text(String allowed, String pattern) {
        return new SettingType<>(allowed, found -> {
            String text = found.text();
            // YAML reads 1e3 as 1000: what is meant as text has to say so.
            boolean quoted = found.variable() != null || found.value().isTextual();
            return text != null && quoted && text.matches(pattern) ? text : null;
        });
    }

    static SettingType<String> path() {
        SettingType<String> text = text("a path" + OF_THIS_HOST, "[^\\p{Cntrl}]{1,4096}");
        return new SettingType<>(text.allowed(), found -> {
            String path = text.reader().apply(found);
            return path != null && isPath(path) ? path : null;
        });
    }

    /** Accepts a list of directories. */
    static SettingType<List<String>> paths() {
        SettingType<List<String>> list = list(
                "a list of absolute paths of directories, such as [/run/secrets], or text with commas" + OF_THIS_HOST,
                "/[^\\p{Cntrl},]*");
        return new SettingType<>(list.allowed(), found -> {
            List<String> paths = list.reader().apply(found);
            return paths != null && paths.stream().allMatch(SettingType::isPath) ? paths : null;
        });
    }

    private static boolean isPath(String text) {
        try {
            Path unused = Path.of(text);
            return true;
        } catch (InvalidPathException e) { // Java cannot name such a file here
            return false;
        }
    }

    static SettingType<Boolean> bool() {
        return scalar("true or false", text -> text.matches("true|false") ? Boolean.valueOf(text) : null);
    }

    /** Accepts a constant of an enumeration, written as in the code. */
    static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
        List<E> values = List.of(type.getEnumConstants());
        String allowed = values.stream().map(Enum::name).collect(Collectors.joining(" or "));
        return scalar(
                allowed,
                text -> values.stream()
                        .filter(value -> value.name().equals(text))
                        .findFirst()
                        .orElse(null));
    }

    /** Accepts a constant of an enumeration, in lower case. */
    static <E extends Enum<E>> SettingType<E> word(Class<E> type) {
        List<E> values = List.of(type.getEnumConstants());
        Function<E, String> name = value -> value.name().toLowerCase(Locale.ROOT);
        String allowed = values.stream().map(name).collect(Collectors.joining(" or "));
        return scalar(
                allowed,
                text -> values.stream()
                        .filter(value -> name.apply(value).equals(text))
                        .findFirst()
                        .orElse(null));
    }

    static SettingType<Integer> whole(int min, int max) {
        return scalar("a whole number from " + min + " to " + max, text -> {
            long number = WHOLE.matcher(text).matches() ? Long.parseLong(text) : -1;
            return number >= min && number <= max ? (int) number : null;
        });
    }

    /** Accepts a duration such as {@code 250ms}, {@code 90s} or {@code 1h30m}; a plain 0 if {@code min} is zero. */
    static SettingType<Duration> duration(Duration min, Duration max) {
        String allowed = "a duration from " + Durations.format(min) + " to " + Durations.format(max)
                + ", written like 250ms, 90s, 5m, 1h30m or 30d";
        return scalar(
                allowed,
                text -> Durations.parse(text.equals("0") ? "0s" : text)
                        .filter(duration -> duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0)
                        .orElse(null));
    }

    /** Accepts a duration, or 0 for none. */
    static SettingType<Duration> durationOrNone(Duration min, Duration max) {
        SettingType<Duration> some = duration(min, max);
        return new SettingType<>(
                "0, or " + some.allowed(),
                found -> found.text() != null && found.text().matches("0(ms|s|m|h|d)?")
                        ? Duration.ZERO
                        : some.reader().apply(found));
    }

    static SettingType<String> zone() {
        SettingType<String> named = scalar(
                "a time zone of the IANA database, such as Europe/Berlin", text -> Zones.isNamed(text) ? text : null);
        return new SettingType<>(named.allowed, named.reader, found -> Zones.near(String.valueOf(found.text())));
    }

    /** Accepts a number of bytes such as {@code 65536}, {@code 64KiB} or {@code 10MiB}. */
    static SettingType<Long> size(String min, String max) {
        long least = bytes(min, Long.MAX_VALUE);
        long most = bytes(max, Long.MAX_VALUE);
        return scalar("a size from " + min + " to " + max + ", written like 65536, 64KiB or 10MiB", text -> {
            long bytes = bytes(text, most);
            return bytes >= least ? bytes : null;
        });
    }

    /** Parses a size; returns -1 if the text is none, or one beyond the limit. */
    private static long bytes(String text, long most) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return -1;
        }
        int shift = 10 * List.of("", "KiB", "MiB", "GiB").indexOf(size.group(2));
        long number = Long.parseLong(size.group(1));
        return number <= most >> shift ? number << shift : -1;
    }

    /** Accepts a YAML list, or text with commas. */
    static SettingType<List<String>> list(String allowed, String item) {
        return new SettingType<>(allowed, found -> {
            List<String> items = new ArrayList<>();
            if (found.value().isArray()) {
                found.value().forEach(node -> items.add(node.isTextual() ? node.asText() : ""));
            } else if (found.text() != null) {
                List.of(found.text().split(",", -1)).forEach(part -> items.add(part.strip()));
            } else {
                return null;
            }
            return items.stream().allMatch(text -> text.matches(item)) ? List.copyOf(items) : null;
        });
    }

    /** Accepts a YAML map, or text like {@code zone=a,disk=ssd}. */
    static SettingType<Map<String, String>> labels() {
        String allowed = "a map of labels, or text like zone=a,disk=ssd; a name begins with a letter or digit and has"
                + " up to 63 of A-Z a-z 0-9 . _ / -, a value up to 63 characters";
        return new SettingType<>(allowed, found -> {
            Map<String, String> labels = found.value().isObject() ? labelsOf(found.value()) : labelsOf(found.text());
            return labels != null && labels.entrySet().stream().allMatch(SettingType::isLabel)
                    ? Map.copyOf(labels)
                    : null;
        });
    }

    /** Accepts a YAML map of commands, or text like {@code page=/usr/local/bin/page,log=logger}. */
    static SettingType<Map<String, String>> commands() {
        String allowed = "a map of commands for bash, such as {page: /usr/local/bin/page}; a name has 1 to 64 of"
                + " A-Z a-z 0-9 . _ -, a command up to 4096 characters";
        return new SettingType<>(allowed, found -> {
            Map<String, String> commands = found.value().isObject() ? labelsOf(found.value()) : labelsOf(found.text());
            return commands != null
                            && commands.entrySet().stream()
                                    .allMatch(command ->
                                            COMMAND.matcher(command.getKey()).matches()
                                                    && !command.getValue().isBlank()
                                                    && command.getValue().length() <= 4096)
                    ? Map.copyOf(commands)
                    : null;
        });
    }

    /** Accepts a YAML map, or text like {@code ops=operator;team-a=editor:a,b}. */
    static SettingType<Map<String, GroupRoleConfig>> groupRoles() {
        String allowed = "a map from groups to viewer, operator, editor or admin, and after a colon namespaces, such as"
                + " {ops: operator, team-a: \"editor:billing,shared\"}, or text like"
                + " ops=operator;team-a=editor:billing,shared";
        return new SettingType<>(allowed, GroupRoles::read);
    }

    private static <T> SettingType<T> scalar(String allowed, Function<String, @Nullable T> reader) {
        return new SettingType<>(allowed, found -> found.text() == null ? null : reader.apply(found.text()));
    }

    private static boolean isLabel(Map.Entry<String, String> label) {
        return LABEL.matcher(label.getKey()).matches()
                && label.getValue().length() <= 63
                && label.getValue().chars().noneMatch(Character::isISOControl);
    }

    private static @Nullable Map<String, String> labelsOf(JsonNode map) {
        Map<String, String> labels = new TreeMap<>();
        map.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return map.properties().stream().allMatch(label -> label.getValue().isValueNode()) ? labels : null;
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
