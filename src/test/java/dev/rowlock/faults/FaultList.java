package dev.rowlock.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reader of the list of faults; the list itself tells its form. */
final class FaultList {

    static final Path FILE = Path.of("src", "test", "faults", "faults.txt");
    static final List<String> AREAS =
            List.of("engine", "store", "task", "exec", "schedule", "api", "access", "cli", "page");

    private static final List<String> KEYS =
            List.of("id", "area", "origin", "kind", "says", "file", "text", "with", "tests");

    private FaultList() {}

    static List<Fault> read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    /** Parses entries, each a block of lines; what is not understood is named with its line. */
    static List<Fault> parse(String text) {
        List<Fault> faults = new ArrayList<>();
        Map<String, String> entry = new LinkedHashMap<>();
        String key = null;
        int number = 0;
        for (String line : (text + "\n\n").split("\n", -1)) {
            number++;
            if (line.startsWith("#")) {
                continue;
            }
            if (line.isBlank()) {
                if (!entry.isEmpty()) {
                    faults.add(fault(entry, number));
                }
                entry = new LinkedHashMap<>();
                key = null;
            } else if (Character.isWhitespace(line.charAt(0)) && key != null) {
                entry.merge(key, line.strip(), (before, further) -> (before + "\n" + further).strip());
            } else {
                key = keyOf(line, number);
                if (entry.put(key, line.substring(key.length() + 1).strip()) != null) {
                    throw wrong(number, "has " + key + " twice");
                }
            }
        }
        requireUnique(faults);
        return List.copyOf(faults);
    }

    private static String keyOf(String line, int number) {
        String key = line.substring(0, Math.max(0, line.indexOf(':')));
        if (!KEYS.contains(key)) {
            throw wrong(number, "begins with none of " + KEYS);
        }
        return key;
    }

    private static Fault fault(Map<String, String> entry, int number) {
        for (String key : KEYS.subList(0, KEYS.size() - 1)) {
            if (!entry.containsKey(key) || (entry.get(key).isEmpty() && !key.equals("with"))) {
                throw wrong(number, "ends an entry without " + key);
            }
        }
        if (!AREAS.contains(entry.get("area"))) {
            throw wrong(number, "ends an entry of an area that is none of " + AREAS);
        }
        return new Fault(
                entry.get("id"),
                entry.get("area"),
                entry.get("origin"),
                entry.get("kind"),
                entry.get("says"),
                entry.get("file"),
                entry.get("text"),
                entry.get("with"),
                Arrays.stream(entry.getOrDefault("tests", "").split(",\\s*", -1))
                        .filter(name -> !name.isBlank())
                        .toList());
    }

    private static void requireUnique(List<Fault> faults) {
        Set<String> ids = new HashSet<>();
        for (Fault fault : faults) {
            if (!ids.add(fault.id())) {
                throw new IllegalArgumentException("two faults have the id " + fault.id());
            }
        }
    }

    private static IllegalArgumentException wrong(int line, String what) {
        return new IllegalArgumentException("line " + line + " of the list of faults " + what);
    }
}
