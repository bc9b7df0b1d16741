package dev.rowlock.cli;

import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.field.Suggestion;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explanation of a command line that is not understood: what is wrong, what may be meant, and how it is right. */
final class UsageMistake {

    private static final int SUGGESTIONS = 3;
    private static final int MOST_LETTERS = 2;

    /** Names that other tools have for a command, and its name here. */
    private static final Map<String, String> OTHER_WORDS = Map.ofEntries(
            Map.entry("create", "add"),
            Map.entry("edit", "set"),
            Map.entry("log", "logs"),
            Map.entry("ls", "list"),
            Map.entry("new", "add"),
            Map.entry("output", "logs"),
            Map.entry("remove", "delete"),
            Map.entry("rm", "delete"),
            Map.entry("show", "get"),
            Map.entry("start", "run"),
            Map.entry("stop", "kill"),
            Map.entry("update", "set"));

    /** Picocli's message that a value is wrong. */
    private static final Pattern VALUE = Pattern.compile(
            "Invalid value for (?:positional parameter at index \\S+|option '(?<option>[^']+)')"
                    + "(?: \\((?<label>.*?)\\))?: (?<why>.*)",
            Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("'(.*)' is not an? (?:int|long)");
    private static final Pattern CHOICE =
            Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was '(.*)'");

    /** Field as {@code job set} takes it. */
    private static final Pattern FIELD = Pattern.compile("[A-Za-z][A-Za-z.]*=\\S*");

    private UsageMistake() {}

    /** @return the exit code */
    static int tell(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        List<String> suggestions = List.of();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            List<String> near = near(word, command);
            suggestions = near.isEmpty() ? unmatched.getSuggestions() : near;
            err.println(name + ": \"" + word + "\" is not understood"
                    + (suggestions.isEmpty() ? "" : "; did you mean " + either(suggestions) + "?"));
        } else {
            err.println(name + ": " + what(mistake));
        }
        err.print("usage: " + command.getHelp().synopsis(0));
        if (suggestions.isEmpty()) {
            err.print(command.getHelp().commandList());
        }
        err.println(name + " --help says more");
        return ExitCode.USAGE;
    }

    /** Returns the command that other tools call so; else the names that differ in the fewest letters, two at most. */
    private static List<String> near(String word, CommandLine command) {
        String other = OTHER_WORDS.get(word);
        if (other != null && command.getSubcommands().containsKey(other)) {
            return List.of(other);
        }
        if (FIELD.matcher(word).matches()
                && command.getCommandSpec().optionsMap().containsKey("--set")) {
            return List.of("--set " + word);
        }
        List<String> known = Stream.concat(
                        command.getCommandSpec().optionsMap().keySet().stream(),
                        command.getSubcommands().keySet().stream())
                .filter(name -> name.length() > 2)
                .toList();
        for (int most = 1; most <= MOST_LETTERS; most++) {
            int letters = most;
            List<String> near = known.stream()
                    .filter(name -> Suggestion.distance(word, name) <= letters)
                    .toList();
            if (!near.isEmpty()) {
                return near;
            }
        }
        return List.of();
    }

    private static String either(List<String> suggestions) {
        return suggestions.stream().limit(SUGGESTIONS).collect(Collectors.joining(" or "));
    }

    private static String what(ParameterException mistake) {
        String said = String.valueOf(mistake.getMessage());
        if (mistake instanceof MissingParameterException missing
                && !said.startsWith("Missing required option")
                && missing.getMissing().get(0) instanceof OptionSpec option) {
            return option.longestName() + " needs a value";
        }
        Matcher value = VALUE.matcher(said);
        if (!value.matches()) {
            return said.substring(0, 1).toLowerCase(Locale.ROOT) + said.substring(1);
        }
        String of = value.group("option") == null ? value.group("label") : value.group("option");
        return of + ": " + value(value.group("why"));
    }

    /** Returns what is wrong with a value, in no words of Java. */
    private static String value(String why) {
        Matcher number = NUMBER.matcher(why);
        if (number.matches()) {
            return "\"" + number.group(1) + "\" is not a whole number";
        }
        Matcher choice = CHOICE.matcher(why);
        if (!choice.matches()) {
            return why;
        }
        String given = choice.group(2);
        return Stream.of(choice.group(1).split(", "))
                .filter(name -> Suggestion.distance(given.toUpperCase(Locale.ROOT), name) <= MOST_LETTERS)
                .findFirst()
                .map(name -> "\"" + given + "\" is not understood; did you mean " + name + "?")
                .orElseGet(() -> "\"" + given + "\" is none of " + choice.group(1));
    }
}
