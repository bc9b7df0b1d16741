package dev.rowlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlock.job.JobKey;
import dev.rowlock.job.Names;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * The command line. A new command is a class that declares its options, its help and an example, and one line here.
 * What is declared here is inherited by all of them.
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
            ExitCode.UNAVAILABLE + ":the database is not there or refuses, or a file cannot be written",
            ExitCode.BROKEN + ":a fault of Rowlock itself",
            ExitCode.CONFIGURATION + ":the settings are wrong"
        },
        exitCodeOnExecutionException = ExitCode.BROKEN,
        footerHeading = "%nexample: ",
        footer = "rowlock help verify",
        usageHelpWidth = 120,
        sortOptions = false,
        sortSynopsis = false)
public final class Commands {

    private final Map<String, Supplier<Object>> byName = new LinkedHashMap<>();
    private final Needs needs;
    private final PrintWriter out;
    private final PrintWriter err;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Say this.")
    @SuppressWarnings("unused") // picocli reads it
    private boolean help;

    /** @param version what this program says that it is */
    public Commands(Needs needs, String version, PrintStream out, PrintStream err) {
        this.needs = needs;
        this.out = new PrintWriter(out, true, UTF_8);
        this.err = new PrintWriter(err, true, UTF_8);
        byName.put("server", () -> new ServerCommand(needs));
        byName.put("sql", SqlCommand::new);
        byName.put("sql-options", () -> new SqlOptionsCommand(needs, this.out));
        byName.put("verify", () -> new VerifyCommand(needs, this.out));
        byName.put("admin-token", () -> new AdminTokenCommand(needs, this.out));
        byName.put("version", () -> new VersionCommand(version, this.out));
        byName.put("help", () -> new HelpCommand(() -> commandLine(List.of()), this.out));
    }

    /** @return one of {@link ExitCode} */
    public int run(List<String> args) {
        if (args.equals(List.of("server"))) {
            return serve();
        }
        List<String> words = args.equals(List.of("--version")) ? List.of("version") : args;
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

    /**
     * Only the command that is meant, as making all of them takes time; all if there is something to say about them.
     */
    private CommandLine commandLine(List<String> args) {
        CommandLine line = new CommandLine(this);
        String first = args.isEmpty() ? "" : args.get(0);
        byName.forEach((name, command) -> {
            if (name.equals(first) || !byName.containsKey(first)) {
                line.addSubcommand(name, command.get());
            }
        });
        return line.setOut(out)
                .setErr(err)
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .registerConverter(When.class, When::parse)
                .registerConverter(JobKey.class, Commands::job)
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
