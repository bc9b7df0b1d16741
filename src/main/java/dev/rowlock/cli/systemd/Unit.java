package dev.rowlock.cli.systemd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A unit with all its fragments, as systemd puts them together: an empty value forgets what was said before it. */
final class Unit {

    private static final Pattern SPECIFIER = Pattern.compile("%([%a-zA-Z])");

    private final String name;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Set<String> unresolved = new TreeSet<>();
    private String section = "";

    Unit(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Takes a line that is whole. */
    void add(String line) {
        if (line.startsWith("[") && line.endsWith("]")) {
            section = line.substring(1, line.length() - 1);
            return;
        }
        int sign = line.indexOf('=');
        if (sign > 0) {
            String value = line.substring(sign + 1).strip();
            List<String> all = values.computeIfAbsent(
                    section + "." + line.substring(0, sign).strip(), key -> new ArrayList<>());
            if (value.isEmpty()) {
                all.clear();
            } else {
                all.add(value);
            }
        }
    }

    /** The same unit under the name of an instance. */
    Unit as(String instance) {
        Unit unit = new Unit(instance);
        values.forEach((key, all) -> unit.values.put(key, new ArrayList<>(all)));
        return unit;
    }

    /** All values of {@code Section.Key}. */
    List<String> all(String key) {
        return values.getOrDefault(key, List.of()).stream().map(this::resolved).toList();
    }

    /** The last value; null: none. */
    @Nullable
    String last(String key) {
        List<String> all = all(key);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    boolean isTrue(String key) {
        String value = last(key);
        return value != null && value.matches("(?i)1|yes|y|true|t|on");
    }

    /** The keys of a section that say something. */
    Set<String> keys(String of) {
        Set<String> keys = new TreeSet<>();
        values.forEach((key, all) -> {
            if (key.startsWith(of + ".") && !all.isEmpty()) {
                keys.add(key.substring(of.length() + 1));
            }
        });
        return keys;
    }

    /** Specifiers that only a host could resolve, among what was asked for. */
    Set<String> unresolved() {
        return unresolved;
    }

    private String resolved(String text) {
        Matcher matcher = SPECIFIER.matcher(text);
        StringBuilder resolved = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(specifier(matcher.group(1))));
        }
        return matcher.appendTail(resolved).toString();
    }

    private String specifier(String letter) {
        String stem = name.replaceFirst("\\.[a-z]+$", "");
        String instance = stem.contains("@") ? stem.substring(stem.indexOf('@') + 1) : "";
        return switch (letter) {
            case "%" -> "%";
            case "n" -> name;
            case "N" -> stem;
            case "p", "P" -> stem.replaceFirst("@.*", "");
            case "i" -> instance;
            case "I" -> instance.replace('-', '/');
            default -> {
                unresolved.add("%" + letter);
                yield "%" + letter;
            }
        };
    }
}
