package dev.rowlock.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What can be typed at each place, as a shell has to know it to complete it. */
final class CommandModel {

    /** What a value is, by what the help calls it; a node is asked for most of them. */
    private static final Map<String, String> KINDS = Map.of(
            "[NAMESPACE/]NAME", "jobs",
            "NAMESPACE", "namespaces",
            "NODE", "nodes",
            "GROUP", "groups",
            "FILE", "files",
            "FILE|DIR|-", "files",
            "FILE|-", "files",
            "DIR", "files");

    private final Map<String, Place> places = new LinkedHashMap<>();

    /**
     * A command, or the words in front of one.
     *
     * @param below the words that may follow, with what they do
     * @param argument the kind of what else may follow; empty: nothing that is known
     */
    record Place(Map<String, String> below, List<Choice> options, String argument) {}

    /**
     * An option.
     *
     * @param kind of its value; null: it takes none
     */
    record Choice(List<String> names, @Nullable String kind, String about) {}

    /** @param whole with all commands */
    CommandModel(CommandLine whole) {
        add("", whole);
        List<Choice> everywhere = options(CommandSpec.forAnnotatedObject(new RemoteOptions()));
        place("").options().addAll(everywhere);
    }

    /** By the words that lead there, with blanks in between; the empty one is the beginning. */
    Map<String, Place> places() {
        return places;
    }

    private Place place(String path) {
        Place place = places.get(path);
        if (place == null) {
            throw new IllegalStateException(path);
        }
        return place;
    }

    private void add(String path, CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        Map<String, String> below = new TreeMap<>();
        String argument = spec.positionalParameters().stream()
                .map(CommandModel::kind)
                .map(kind -> path.startsWith("secret ") && kind.equals("jobs") ? "secrets" : kind)
                .findFirst()
                .orElse("");
        places.put(path, new Place(below, options(spec), argument));
        for (Map.Entry<String, CommandLine> next : line.getSubcommands().entrySet()) {
            CommandSpec its = next.getValue().getCommandSpec();
            if (!its.usageMessage().hidden()) {
                below.put(next.getKey(), about(its.usageMessage().description()));
                add(path.isEmpty() ? next.getKey() : path + " " + next.getKey(), next.getValue());
            }
        }
    }

    private static List<Choice> options(CommandSpec spec) {
        List<Choice> options = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                String kind = option.arity().max() == 0 ? null : kind(option);
                options.add(new Choice(List.of(option.names()), kind, about(option.description())));
            }
        }
        return options;
    }

    private static String kind(ArgSpec of) {
        Iterable<String> candidates = of.completionCandidates();
        if (candidates != null) {
            List<String> words = new ArrayList<>();
            candidates.forEach(word -> words.add(word.toLowerCase(Locale.ROOT)));
            return "words:" + String.join(" ", words);
        }
        if (of instanceof OptionSpec option && option.longestName().equals("--context")) {
            return "contexts";
        }
        return KINDS.getOrDefault(of.paramLabel(), "none");
    }

    /** The first sentence, without what a shell could take for something else. */
    private static String about(String[] description) {
        String whole = String.join(" ", description).replaceAll("\\$\\{[^}]*}", "");
        return whole.replaceFirst("(?s)[.;:] .*", "")
                .replaceFirst("\\.$", "")
                .replace('\'', '\u2019')
                .replaceAll("[\"`\\\\$]", "")
                .strip();
    }
}
