package dev.rowlock.cli.systemd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Units as {@code systemctl cat} prints them: in front of each fragment, a comment with its path. */
final class Units {

    private static final Pattern PATH =
            Pattern.compile("# /(?:\\S*/)?([^/\\s]+\\.(?:timer|service))(\\.d/[^/\\s]+\\.conf)?(?: \\(.*\\))?");

    private final Map<String, Unit> byName = new LinkedHashMap<>();
    private boolean isLeft;

    /** @param ofUser whether they are of a user's own systemd */
    static Units read(String text, boolean ofUser) {
        Units units = new Units();
        Unit unit = null;
        StringBuilder line = new StringBuilder();
        for (String raw : text.split("\r?\n", -1)) {
            String said = raw.strip();
            Matcher path = PATH.matcher(said);
            if (line.isEmpty() && path.matches()) {
                unit = units.byName.computeIfAbsent(path.group(1), name -> new Unit(name, ofUser));
                unit.begin(path.group(2) != null);
            } else if (!said.startsWith("#") && !said.startsWith(";")) {
                boolean goesOn = said.endsWith("\\");
                line.append(goesOn ? said.substring(0, said.length() - 1) + " " : said);
                if (!goesOn) {
                    units.isLeft |= unit == null && line.toString().strip().equals("[Timer]");
                    if (unit != null) {
                        unit.add(line.toString().strip());
                    }
                    line.setLength(0);
                }
            }
        }
        return units;
    }

    /** Returns true if there is a timer that no path names. */
    boolean isLeft() {
        return isLeft;
    }

    /** Returns all timers that were read, including templates. */
    List<Unit> timers() {
        List<Unit> timers = new ArrayList<>();
        for (String name : byName.keySet()) {
            Unit timer = name.endsWith(".timer") ? find(name) : null;
            if (timer != null && timer.isWhole()) {
                timers.add(timer);
            }
        }
        return timers;
    }

    /** Returns true if a template has an instance among what was read. */
    boolean hasInstance(Unit template) {
        String stem = template.name().replaceFirst("@\\.timer$", "@");
        return byName.keySet().stream()
                .anyMatch(name -> name.startsWith(stem) && name.endsWith(".timer") && !name.equals(template.name()));
    }

    /** Returns a unit of this name, if need be from its template; null if there is none. */
    @Nullable
    Unit find(String name) {
        Unit unit = byName.get(name);
        Unit template = name.contains("@") ? byName.get(name.replaceFirst("@.*(?=\\.[a-z]+$)", "@")) : null;
        if (unit == null) {
            return template == null ? null : template.as(name);
        }
        return unit.isWhole() || template == null || template == unit
                ? unit
                : template.as(name).with(unit);
    }
}
