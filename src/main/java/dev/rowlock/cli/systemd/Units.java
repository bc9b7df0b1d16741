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
            Pattern.compile("# (/.*/)?([^/]+\\.(?:timer|service))(?:\\.d/[^/]+\\.conf)?(?: \\(.*\\))?");

    private final Map<String, Unit> byName = new LinkedHashMap<>();

    static Units read(String text) {
        Units units = new Units();
        Unit unit = null;
        StringBuilder line = new StringBuilder();
        for (String raw : text.split("\r?\n", -1)) {
            String said = raw.strip();
            Matcher path = PATH.matcher(said);
            if (line.isEmpty() && path.matches()) {
                unit = units.byName.computeIfAbsent(path.group(2), Unit::new);
            } else if (!said.startsWith("#") && !said.startsWith(";")) {
                boolean goesOn = said.endsWith("\\");
                line.append(goesOn ? said.substring(0, said.length() - 1) + " " : said);
                if (!goesOn) {
                    if (unit != null) {
                        unit.add(line.toString().strip());
                    }
                    line.setLength(0);
                }
            }
        }
        return units;
    }

    List<Unit> timers() {
        List<Unit> timers = new ArrayList<>();
        byName.values().stream()
                .filter(unit -> unit.name().endsWith(".timer") && !unit.name().contains("@."))
                .forEach(timers::add);
        return timers;
    }

    /** A unit of this name, if need be from its template; null: there is none. */
    @Nullable
    Unit find(String name) {
        Unit unit = byName.get(name);
        Unit template = byName.get(name.replaceFirst("@.+(?=\\.[a-z]+$)", "@"));
        return unit != null || template == null ? unit : template.as(name);
    }
}
