package dev.rowlock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Scripts that make a shell complete commands: the tables come from the commands, the rest from a file each. */
final class Completion {

    private final Map<String, CommandModel.CommandPlace> places;

    Completion(CommandModel model) {
        places = model.places();
    }

    /**
     * Returns the script of a shell.
     *
     * @param shell bash, zsh or fish
     */
    String script(String shell) {
        return resource("completion." + shell)
                .replace("@TABLES@\n", shell.equals("fish") ? fish() : tables() + resource("completion.sh"));
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Completion.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes functions that bash and zsh both understand. */
    private String tables() {
        StringBuilder words = new StringBuilder("_rowlock_words() {\n  case $1 in\n");
        StringBuilder options = new StringBuilder("_rowlock_options() {\n  case $1 in\n");
        StringBuilder kinds = new StringBuilder("_rowlock_kind() {\n  case \"$1|$2\" in\n");
        places.forEach((path, place) -> {
            if (!place.below().isEmpty()) {
                words.append(row(path, String.join("\n", place.below().keySet())));
            }
            options.append(row(
                    path,
                    place.options().stream()
                            .map(option -> option.names().get(option.names().size() - 1))
                            .collect(Collectors.joining("\n"))));
            kinds(path, place).forEach((what, kind) -> kinds.append(row(what, kind)));
        });
        return words + "  esac\n}\n" + options + "  esac\n}\n" + kinds + "  esac\n}\n";
    }

    private static Map<String, String> kinds(String path, CommandModel.CommandPlace place) {
        Map<String, String> kinds = new LinkedHashMap<>();
        for (CommandModel.CommandOption option : place.options()) {
            if (option.kind() != null) {
                option.names().forEach(name -> kinds.put(path + "|" + name, option.kind()));
            }
        }
        if (!place.argument().isEmpty()) {
            kinds.put(path + "|", place.argument());
        }
        return kinds;
    }

    private static String row(String when, String what) {
        return "    '" + when + "') echo '" + what + "' ;;\n";
    }

    private String fish() {
        List<String> lines = new ArrayList<>();
        lines.add("set -g __rowlock_places "
                + places.keySet().stream()
                        .filter(path -> !path.isEmpty())
                        .map(path -> "'" + path + "'")
                        .collect(Collectors.joining(" ")));
        places.forEach((path, place) -> {
            String at = "complete -c rowlock -n \"__rowlock_at '" + path + "'\"";
            place.below().forEach((word, about) -> lines.add(at + " -a '" + word + "' -d '" + about + "'"));
            place.options().forEach(option -> lines.add(at + fish(option)));
            if (!place.argument().isEmpty()) {
                lines.add(at + fish(place.argument()));
            }
        });
        return String.join("\n", lines) + "\n";
    }

    private static String fish(CommandModel.CommandOption option) {
        StringBuilder line = new StringBuilder();
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.kind() != null) {
            line.append(" -r").append(fish(option.kind()));
        }
        return line.append(" -d '").append(option.about()).append("'").toString();
    }

    private static String fish(String kind) {
        return switch (kind) {
            case "files" -> " -F";
            case "none" -> "";
            default ->
                kind.startsWith("words:")
                        ? " -a '" + kind.substring("words:".length()) + "'"
                        : " -a '(__rowlock_live " + kind + ")'";
        };
    }
}
