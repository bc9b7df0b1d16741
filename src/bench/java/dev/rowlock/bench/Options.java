package dev.rowlock.bench;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was asked for on the command line, as {@code --name value}. */
final class Options {

    private static final String MISSING = "";

    private final Map<String, String> given = new LinkedHashMap<>();
    private final Set<String> known = new HashSet<>();

    Options(List<String> arguments) {
        int at = 0;
        while (at < arguments.size()) {
            String name = arguments.get(at++);
            if (!name.startsWith("--")) {
                throw new IllegalArgumentException("\"" + name + "\": options are written --name value");
            }
            boolean valued = at < arguments.size() && !arguments.get(at).startsWith("--");
            given.put(name.substring(2), valued ? arguments.get(at++) : MISSING);
        }
    }

    String text(String name, String otherwise) {
        known.add(name);
        String text = given.getOrDefault(name, otherwise);
        if (text.equals(MISSING)) {
            throw new IllegalArgumentException("--" + name + " needs a value");
        }
        return text;
    }

    /** At least one. */
    int number(String name, int otherwise) {
        return whole(name, text(name, Integer.toString(otherwise)), 1);
    }

    /** Seconds: zero or more. */
    int seconds(String name, int otherwise) {
        return whole(name, text(name, Integer.toString(otherwise)), 0);
    }

    List<Integer> numbers(String name, String otherwise) {
        return Arrays.stream(text(name, otherwise).split(",", -1))
                .map(text -> whole(name, text, 1))
                .toList();
    }

    Contender.Command command() {
        String text = text("command", "noop");
        return switch (text) {
            case "noop" -> Contender.Command.NOOP;
            case "true" -> Contender.Command.TRUE;
            default -> throw new IllegalArgumentException("--command must be noop or true, not \"" + text + "\"");
        };
    }

    private static int whole(String name, String text, int least) {
        try {
            int number = Integer.parseInt(text.replace("_", ""));
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " must be a whole number, not \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("--" + name + " must be at least " + least + ", not " + text);
    }

    List<String> list(String name, String otherwise) {
        String text = text(name, otherwise);
        return text.equals("none") ? List.of() : Arrays.asList(text.split(","));
    }

    /** To be called when everything was asked for. */
    void refuseUnknown() {
        given.keySet().stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("--" + name + " is not an option here; there are " + known);
        });
    }
}
