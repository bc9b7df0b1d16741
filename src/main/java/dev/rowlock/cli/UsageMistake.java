package dev.rowlock.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
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
            List<String> suggestions = unmatched.getSuggestions();
            err.println(name + ": \"" + unmatched.getUnmatched().get(0) + "\" is not understood"
                    + (suggestions.isEmpty() ? "" : "; did you mean " + either(suggestions) + "?"));
        } else {
            err.println(name + ": " + what(mistake));
        }
        err.print("usage: " + command.getHelp().synopsis(0));
        err.print(command.getHelp().commandList());
        err.println(name + " --help says more");
        return ExitCode.USAGE;
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
