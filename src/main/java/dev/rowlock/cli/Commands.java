package dev.rowlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlock.cli.output.Format;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.Names;
import dev.rowlock.schedule.Durations;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * The command line. A new command is a class that declares its options, its help and an example, and one line here or
 * in {@code RemoteCommands}. What is declared here is inherited by all of them.
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
     * What {@code scripts/rowlock} understands.
     *
     * @param needs only made for commands that need it
     * @param version what this program says that it is
     */
    public Commands(Supplier<Needs> needs, String version, Surroundings around) {
        this.needs = needs;
        this.out = new PrintWriter(around.out(), true, UTF_8);
        this.err = new PrintWriter(around.err(), true, UTF_8);
        RemoteCommands.add(tree, needs, version, around);
        tree.leaf("server", () -> new ServerCommand(needs));
        tree.leaf("sql", SqlCommand::new);
        tree.leaf("sql-options", () -> new SqlOptionsCommand(needs, this.out));
        tree.leaf("verify", () -> new VerifyCommand(needs, this.out));
        tree.leaf("admin-token", () -> new AdminTokenCommand(needs, this.out));
        tree.leaf("version", () -> new VersionCommand(version, this.out));
        tree.leaf("completion", () -> new CompletionCommand(this::whole, around.out()));
        tree.leaf("man", () -> new ManCommand(this::whole, version, around.out()));
        tree.leaf("classes", () -> new ClassesCommand(around));
        tree.leaf("help", () -> new HelpCommand(this::commandLine, this.out));
    }

    /** @return one of {@link ExitCode} */
    public int run(List<String> args) {
        if (args.equals(List.of("server"))) {
            return serve();
        }
        List<String> words = args.equals(List.of("--version")) ? List.of("version") : optionsLast(args);
        return commandLine(words).execute(words.toArray(String[]::new));
    }

    /** Starts at once: there is nothing to parse, and loading the parser takes a tenth of a second. */
    private int serve() {
        try {
            new ServerCommand(needs).run();
            return ExitCode.DONE;
        } catch (CommandFailed e) {
            return tell(e, "rowlock server");
        }
    }

    /** What says whom to ask may also stand in front of the command. */
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

    /** With every command: for those that speak of all of them. */
    private CommandLine whole() {
        CommandLine line = new CommandLine(this);
        tree.addAllTo(line);
        return understanding(line);
    }

    private CommandLine understanding(CommandLine line) {
        return line.setOut(out)
                .setErr(err)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(When.class, When::parse)
                .registerConverter(JobKey.class, Commands::job)
                .registerConverter(Duration.class, Commands::duration)
                .registerConverter(Format.class, Commands::format)
                .setParameterExceptionHandler(UsageMistake::tell)
                .setExecutionExceptionHandler(this::failed);
    }

    private int failed(Exception e, CommandLine line, ParseResult parsed) throws Exception {
        if (e instanceof CommandFailed failed) {
            return tell(failed, line.getCommandSpec().qualifiedName());
        }
        throw e; // no operator's doing: with its stack trace
    }

    private int tell(CommandFailed failed, String command) {
        String who = failed.exitCode() == ExitCode.CONFIGURATION ? "rowlock" : command; // settings are no one command's
        failed.sentences().forEach(sentence -> err.println(who + ": " + sentence));
        return failed.exitCode();
    }

    private static Duration duration(String text) {
        return Durations.parse(text)
                .orElseThrow(() ->
                        new TypeConversionException("\"" + text + "\" is not a duration, such as 90s, 5m or 1h30m"));
    }

    private static Format format(String text) {
        for (Format format : Format.values()) {
            if (format.name().equalsIgnoreCase(text)) {
                return format;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is none of table, wide, json, yaml and name");
    }

    private static JobKey job(String text) {
        int slash = text.indexOf('/');
        JobKey key = slash < 0
                ? new JobKey("default", text)
                : new JobKey(text.substring(0, slash), text.substring(slash + 1));
        String wrong = Names.namespaceProblem(key.namespace()) != null
                ? Names.namespaceProblem(key.namespace())
                : Names.jobProblem(key.name());
        if (wrong != null) {
            throw new TypeConversionException("\"" + text + "\" is not namespace/name: " + wrong);
        }
        return key;
    }
}
