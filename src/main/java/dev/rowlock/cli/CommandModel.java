package dev.rowlock.cli;

import dev.rowlock.cli.call.RemoteOptions;
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

/** Words that can be typed at each place, as a shell has to know them to complete them. */
final class CommandModel {

    /** Kinds of values, by their names in the help; a node is asked for most of them. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("[NAMESPACE/]NAME", "jobs"),
            Map.entry("[NAMESPACE/]JOB", "jobs"),
            Map.entry("NAMESPACE/NAME", "jobs"),
            Map.entry("NAMESPACE", "namespaces"),
            Map.entry("NAME[=VALUE]", "labels"),
            Map.entry("NODE", "nodes"),
            Map.entry("GROUP", "groups"),
            Map.entry("CALENDAR", "calendars"),
            Map.entry("TOKEN", "tokens"),
            Map.entry("RULE", "rules"),
            Map.entry("CHANNEL", "channels"),
            Map.entry("ZONE", "zones"),
            Map.entry("FILE", "files"),
            Map.entry("FILE|DIR|-", "files"),
            Map.entry("FILE|-", "files"),
            Map.entry("LOG|-", "files"),
            Map.entry("DIR", "files"));

    /** Options whose values are of another kind than the others with the same word in the help. */
    private static final Map<String, String> OPTIONS = Map.of(
            "--context", "contexts",
            "--label", "labels",
            "--prune-label", "labels",
            "--token", "none");

    /** Commands whose first argument is of another kind than the others with the same word in the help. */
    private static final Map<String, String> ARGUMENTS = Map.of(
            "secret get", "secrets",
            "secret set", "secrets",
            "secret delete", "secrets",
            "token add", "none",
            "config use-context", "contexts",
            "config set-context", "contexts");

    private final Map<String, CommandPlace> places = new LinkedHashMap<>();

    /**
     * Place of a command, or of the words in front of one.
     *
     * @param below the words that may follow, with what they do
     * @param argument the kind of what else may follow; empty: nothing that is known
     */
    record CommandPlace(Map<String, String> below, List<CommandOption> options, String argument) {}

    /**
     * Option with the kind of its value.
     *
     * @param kind of its value; null: it takes none
     */
    record CommandOption(List<String> names, @Nullable String kind, String about) {}

    /** @param whole with all commands */
    CommandModel(CommandLine whole) {
        add("", whole);
    }

    /** Returns them by the words that lead there, with blanks in between; the empty one is the beginning. */
    Map<String, CommandPlace> places() {
        return places;
    }

    private void add(String path, CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        Map<String, String> below = new TreeMap<>();
        String argument = spec.positionalParameters().stream()
                .findFirst()
                .map(first -> ARGUMENTS.getOrDefault(path, kind(first)))
                .orElse("");
        List<CommandOption> options = options(spec);
        if (path.isEmpty()) {
            options.addAll(options(CommandSpec.forAnnotatedObject(new RemoteOptions())));
        }
        places.put(path, new CommandPlace(below, options, argument));
        for (Map.Entry<String, CommandLine> next : line.getSubcommands().entrySet()) {
            CommandSpec its = next.getValue().getCommandSpec();
            if (!its.usageMessage().hidden()) {
                below.put(next.getKey(), about(its.usageMessage().description()));
                add(path.isEmpty() ? next.getKey() : path + " " + next.getKey(), next.getValue());
            }
        }
    }

    private static List<CommandOption> options(CommandSpec spec) {
        List<CommandOption> options = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                String kind = option.arity().max() == 0 ? null : kind(option);
                options.add(new CommandOption(List.of(option.names()), kind, about(option.description())));
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
        String kind = KINDS.getOrDefault(of.paramLabel(), "none");
        return of instanceof OptionSpec option ? OPTIONS.getOrDefault(option.longestName(), kind) : kind;
    }

    /** Returns the first sentence, without what a shell could take for something else. */
    private static String about(String[] description) {
        String whole = String.join(" ", description).replaceAll("\\$\\{[^}]*}", "");
        return whole.replaceFirst("(?s)[.;:] .*", "")
                .replaceFirst("\\.$", "")
                .replace('\'', '\u2019')
                .replaceAll("[\"`\\\\$]", "")
                .strip();
    }
}
