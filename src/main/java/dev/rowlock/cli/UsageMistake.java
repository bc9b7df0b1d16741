package dev.rowlock.cli;

import dev.rowlock.job.Suggestion;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said about a command line that is not understood: what is wrong, what may be meant, and how it is right. */
final class UsageMistake {

    private static final int SUGGESTIONS = 3;

    private UsageMistake() {}

    /** @return the exit code */
    static int tell(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            List<String> near = near(word, command);
            List<String> suggestions = near.isEmpty() ? unmatched.getSuggestions() : near;
            err.println(name + ": \"" + word + "\" is not understood"
                    + (suggestions.isEmpty() ? "" : "; did you mean " + either(suggestions) + "?"));
        } else {
            err.println(name + ": " + what(mistake));
        }
        err.print("usage: " + command.getHelp().synopsis(0));
        err.print(command.getHelp().commandList());
        err.println(name + " --help says more");
        return ExitCode.USAGE;
    }

    /** Those that take the fewest letters to change, of which two at most. */
    private static List<String> near(String word, CommandLine command) {
        List<String> known = Stream.concat(
                        command.getCommandSpec().optionsMap().keySet().stream(),
                        command.getSubcommands().keySet().stream())
                .filter(name -> name.length() > 2)
                .toList();
        for (int most = 1; most <= 2; most++) {
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
        if (mistake instanceof MissingParameterException missing
                && missing.getMissing().get(0) instanceof OptionSpec option) {
            return option.longestName() + " needs a value";
        }
        String said = String.valueOf(mistake.getMessage());
        return said.substring(0, 1).toLowerCase(Locale.ROOT) + said.substring(1);
    }
}
