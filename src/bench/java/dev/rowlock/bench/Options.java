package dev.rowlock.bench;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was asked for on the command line, as {@code --name value}. */
final class Options {

    private final Map<String, String> given = new LinkedHashMap<>();
    private final Set<String> known = new HashSet<>();

    Options(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!name.startsWith("--") || i + 1 == arguments.size()) {
                throw new IllegalArgumentException("\"" + name + "\": options are written --name value");
            }
            given.put(name.substring(2), arguments.get(i + 1));
        }
    }

    String text(String name, String otherwise) {
        known.add(name);
        return given.getOrDefault(name, otherwise);
    }

    int number(String name, int otherwise) {
        String text = text(name, Integer.toString(otherwise));
        try {
            return Integer.parseInt(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " must be a whole number, not \"" + text + "\"", e);
        }
    }

    List<String> list(String name, String otherwise) {
        String text = text(name, otherwise);
        return text.equals("none") || text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    }

    /** To be called when everything was asked for. */
    void refuseUnknown() {
        given.keySet().stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("--" + name + " is not an option here; there are " + known);
        });
    }
}
