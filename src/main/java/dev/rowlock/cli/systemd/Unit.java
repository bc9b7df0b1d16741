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

/** Unit with all its fragments, as systemd puts them together: an empty value forgets what was said before it. */
final class Unit {

    private static final Pattern SPECIFIER = Pattern.compile("%([%a-zA-Z])");

    /** Specifiers of the system's manager, which root runs. */
    private static final Map<String, String> OF_SYSTEM = Map.of(
            "h",
            "/root",
            "u",
            "root",
            "U",
            "0",
            "t",
            "/run",
            "S",
            "/var/lib",
            "C",
            "/var/cache",
            "L",
            "/var/log",
            "E",
            "/etc",
            "T",
            "/tmp",
            "V",
            "/var/tmp");

    private final String name;
    private final boolean ofUser;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Set<String> emptied = new TreeSet<>();
    private final Set<String> unresolved = new TreeSet<>();
    private String section = "";
    private boolean isWhole;

    /** @param ofUser whether it is of a user's own systemd, of which nobody here knows whose */
    Unit(String name, boolean ofUser) {
        this.name = name;
        this.ofUser = ofUser;
    }

    String name() {
        return name;
    }

    /** Begins a fragment. */
    void begin(boolean isDropIn) {
        section = "";
        isWhole |= !isDropIn;
    }

    /** Returns true if there is more of it than what is dropped into it. */
    boolean isWhole() {
        return isWhole;
    }

    /** Takes a line without continuation. */
    void add(String line) {
        if (line.startsWith("[") && line.endsWith("]")) {
            section = line.substring(1, line.length() - 1);
            return;
        }
        int sign = line.indexOf('=');
        if (sign > 0) {
            String value = line.substring(sign + 1).strip();
            String key = section + "." + line.substring(0, sign).strip();
            List<String> all = values.computeIfAbsent(key, name -> new ArrayList<>());
            if (value.isEmpty()) {
                all.clear();
                emptied.add(key);
            } else {
                all.add(value);
            }
        }
    }

    /** Returns a copy of this unit under the name of an instance. */
    Unit as(String instance) {
        Unit unit = new Unit(instance, ofUser);
        values.forEach((key, all) -> unit.values.put(key, new ArrayList<>(all)));
        unit.isWhole = isWhole;
        return unit;
    }

    /** Adds a drop-in to this unit, and returns it. */
    Unit with(Unit dropIn) {
        dropIn.values.forEach((key, all) -> {
            List<String> to = values.computeIfAbsent(key, name -> new ArrayList<>());
            if (dropIn.emptied.contains(key)) {
                to.clear();
            }
            to.addAll(all);
        });
        return this;
    }

    /** Returns all values of {@code Section.Key}. */
    List<String> all(String key) {
        return values.getOrDefault(key, List.of()).stream().map(this::resolved).toList();
    }

    /** Returns the last value; null if there is none. */
    @Nullable
    String last(String key) {
        List<String> all = all(key);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    boolean isTrue(String key) {
        String value = last(key);
        return value != null && value.matches("(?i)1|yes|y|true|t|on");
    }

    /** Returns the keys of a section that have values. */
    Set<String> keys(String of) {
        Set<String> keys = new TreeSet<>();
        values.forEach((key, all) -> {
            if (key.startsWith(of + ".") && !all.isEmpty()) {
                keys.add(key.substring(of.length() + 1));
            }
        });
        return keys;
    }

    /** Returns the sections that have keys. */
    Set<String> sections() {
        Set<String> sections = new TreeSet<>();
        values.keySet().forEach(key -> sections.add(key.substring(0, key.indexOf('.'))));
        return sections;
    }

    /** Returns the specifiers that only a host could resolve, among the values that were read. */
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
                String known = ofUser ? null : OF_SYSTEM.get(letter);
                if (known != null) {
                    yield known;
                }
                unresolved.add("%" + letter);
                yield "%" + letter;
            }
        };
    }
}
