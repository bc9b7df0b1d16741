package dev.rowlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.RemoteOptions;
import dev.rowlock.cli.call.Surroundings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/**
 * Command line. A new command is a class that declares its options, its help and an example, and one line here or in
 * {@code RemoteCommands}. All commands inherit what is declared here.
 */
@Command(
        name = "rowlock",
        scope = ScopeType.INHERIT,
        description = "A cron for a cluster that needs nothing but MySQL.",
        synopsisHeading = "usage: ",
        descriptionHeading = "%n",
        parameterListHeading = "%n",
        optionListHeading = "%n",
        commandListHeading = "%ncommands:%n",
        exitCodeListHeading = "%nexit code:%n",
        exitCodeList = {
            ExitCode.DONE + ":done",
            ExitCode.FAILED + ":not done",
            ExitCode.USAGE + ":not understood",
            ExitCode.NOT_ALLOWED + ":the token does not allow it"
        },
        exitCodeOnExecutionException = ExitCode.BROKEN,
        footerHeading = "%nexample: ",
        footer = "rowlock help job list",
        usageHelpWidth = 120,
        sortOptions = false,
        sortSynopsis = false)
public final class Commands {

    private final CommandTree tree = CommandTree.root();
    private final Supplier<Needs> needs;
    private final PrintWriter out;
    private final PrintWriter err;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Say this.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    /**
     * Makes all that {@code scripts/rowlock} understands.
     *
     * @param needs only made for commands that need it
     * @param version what this program says that it is
     */
    public Commands(Supplier<Needs> needs, String version, Surroundings around) {
        this.needs = needs;
        this.out = new PrintWriter(around.out(), true, UTF_8);
        this.err = new PrintWriter(around.err(), true, UTF_8);
        RemoteCommands.add(tree, needs, version, around);
        tree.leaf("server", () -> new HostCommands.ServerCommand(needs));
        tree.leaf("sql", HostCommands.SqlCommand::new);
        tree.leaf("sql-options", () -> new HostCommands.SqlOptions(needs, this.out));
        tree.leaf("local-settings", () -> new HostCommands.SettingsForScripts(around.environment(), this.out));
        tree.leaf("verify", () -> new VerifyCommand(needs, this.out));
        tree.leaf("database", () -> new DatabaseCommand(needs, around.out(), this.err));
        tree.leaf("admin-token", () -> new HostCommands.AdminTokenCommand(needs, this.out));
        tree.leaf("version", () -> new HostCommands.VersionCommand(version, this.out));
        tree.leaf("completion", () -> new HostCommands.CompletionScript(this::whole, around.out()));
        tree.leaf("man", () -> new HostCommands.Man(this::whole, version, around.out()));
        tree.leaf("classes", () -> new HostCommands.Classes(around));
        tree.leaf("help", () -> new HostCommands.Help(this::commandLine, this.out));
    }

    /** @return one of {@link ExitCode} */
    public int run(List<String> args) {
        if (args.equals(List.of("server"))) {
            return serve();
        }
        List<String> words =
                args.equals(List.of("--version")) ? List.of("version") : PastedTimes.joined(optionsLast(args));
        return commandLine(words).execute(words.toArray(String[]::new));
    }

    /** Starts at once: there is nothing to parse, and loading the parser takes a tenth of a second. */
    private int serve() {
        try {
            new HostCommands.ServerCommand(needs).run();
            return ExitCode.DONE;
        } catch (CommandFailed e) {
            return tell(e, "rowlock server");
        }
    }

    /** Moves options that say whom to ask from in front of the command to behind it. */
    private List<String> optionsLast(List<String> args) {
        int first = 0;
        while (first < args.size() && args.get(first).startsWith("-")) {
            String name = args.get(first).replaceFirst("=.*", "");
            boolean valued = RemoteOptions.NAMES.contains(name);
            if (!valued && !RemoteOptions.FLAGS.contains(name)) {
                return args;
            }
            first += valued && !args.get(first).contains("=") ? 2 : 1;
        }
        if (first == 0 || first >= args.size()) {
            return args;
        }
        List<String> words = new ArrayList<>(args.subList(first, args.size()));
        words.addAll(tree.depth(words), args.subList(0, first));
        return words;
    }

    CommandLine commandLine(List<String> words) {
        CommandLine line = new CommandLine(this);
        tree.addTo(line, words);
        return understanding(line);
    }

    /** Returns the command line with every command, for those that speak of all of them. */
    private CommandLine whole() {
        CommandLine line = new CommandLine(this);
        tree.addAllTo(line);
        return understanding(line);
    }

    private CommandLine understanding(CommandLine line) {
        FailureReporter failures = new FailureReporter();
        Converter.addTo(line);
        return line.setOut(out)
                .setErr(err)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    private int tell(CommandFailed failed, String command) {
        String who = failed.exitCode() == ExitCode.CONFIGURATION ? "rowlock" : command; // settings are no one command's
        failed.sentences().forEach(sentence -> err.println(who + ": " + sentence));
        return failed.exitCode();
    }

    /** Handler of commands that fail. A class for the reason that {@link Converter} is one. */
    private final class FailureReporter implements IParameterExceptionHandler, IExecutionExceptionHandler {

        @Override
        public int handleParseException(ParameterException mistake, String[] args) {
            return UsageMistake.tell(mistake);
        }

        @Override
        public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) throws Exception {
            if (e instanceof CommandFailed failed) {
                return tell(failed, line.getCommandSpec().qualifiedName());
            }
            throw e; // no operator's doing: with its stack trace
        }
    }
}
