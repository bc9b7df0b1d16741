package dev.rowlock.cli;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.SettingsOptions;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.cli.files.JobSchema;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.config.LocalSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/** Commands that ask no node: those of this host, and those that speak of all commands. */
final class HostCommands {

    private HostCommands() {}

    /** Returns the command that the words name. */
    private static CommandLine below(CommandLine rowlock, List<String> words) {
        CommandLine line = rowlock;
        for (String word : words) {
            CommandLine next = line.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(line, List.of(word));
            }
            line = next;
        }
        return line;
    }

    /** {@code rowlock server}. */
    @Command(
            description = "Runs a node in the foreground, until SIGTERM or SIGINT asks it to stop.",
            exitCodeList = {
                ExitCode.DONE + ":it stopped in order",
                ExitCode.FAILED + ":it cannot start: its port or directory is taken, or the embedded database fails",
                ExitCode.USAGE + ":not understood",
                ExitCode.BROKEN + ":a fault of Rowlock itself",
                ExitCode.CONFIGURATION + ":the settings are wrong, or do not fit the other nodes",
                ExitCode.KILLED + ":a second signal ended it at once"
            },
            footer = "rowlock server --config /etc/rowlock.yaml")
    static final class ServerCommand implements Runnable {

        private final Supplier<Needs> needs;

        @Mixin
        private final SettingsOptions settings = new SettingsOptions();

        ServerCommand(Supplier<Needs> needs) {
            this.needs = needs;
        }

        @Override
        public void run() {
            needs.get().serve(settings);
        }
    }

    /** {@code rowlock sql}, for its help: scripts/rowlock runs the client itself, so that it has the terminal. */
    @Command(
            description = {
                "Looks into the database, with its own client.",
                "It is the database of the settings (database.url, user, password), or else the embedded one of"
                        + " their data.dir while its node runs."
            },
            exitCodeList = "n:that of the client",
            footer = "rowlock sql \"select * from v_missed limit 10\"")
    static final class SqlCommand implements Runnable {

        @Parameters(
                arity = "0..*",
                paramLabel = "STATEMENT",
                description = "The statement to run; without it a dialogue begins.")
        @SuppressWarnings("unused") // picocli reads it
        private List<String> statement = List.of();

        @Override
        public void run() {
            throw new CommandFailed(
                    ExitCode.USAGE, "scripts/rowlock sql runs the SQL client; the jar by itself does not");
        }
    }

    /** {@code rowlock sql-options}, for scripts/rowlock: options of the SQL client that no command line may show. */
    @Command(
            hidden = true,
            description = "Prints the option file of the SQL client.",
            footer = "rowlock sql-options mariadb")
    static final class SqlOptions implements Runnable {

        private final Supplier<Needs> needs;
        private final PrintWriter out;

        @Parameters(
                arity = "0..1",
                paramLabel = "PROGRAM",
                description = "The client that was found: mysql or mariadb.")
        private String program = "mysql";

        SqlOptions(Supplier<Needs> needs, PrintWriter out) {
            this.needs = needs;
            this.out = out;
        }

        @Override
        public void run() {
            out.print(needs.get().sqlOptions(program.equals("mariadb")));
            out.flush();
        }
    }

    /** {@code rowlock local-settings}, for the scripts: what they need of the settings, which nobody else reads. */
    @Command(
            hidden = true,
            description =
                    "Prints where the node of this machine keeps its data and listens, and whose database it uses.",
            footer = "rowlock local-settings")
    static final class SettingsForScripts implements Runnable {

        private final Map<String, String> environment;
        private final PrintWriter out;

        @Mixin
        private final SettingsOptions settings = new SettingsOptions();

        SettingsForScripts(Map<String, String> environment, PrintWriter out) {
            this.environment = environment;
            this.out = out;
        }

        @Override
        public void run() {
            LocalSettings found = SettingsReading.of(settings, environment);
            out.println("data=" + found.dataDir());
            out.println("url=" + found.url());
            out.println("database=" + (found.ownDatabase() && !settings.embedded() ? "own" : "embedded"));
            out.println("token=" + (found.adminToken() == null ? "file" : "settings"));
        }

        /** Separate class, as Java loads what a class catches with it, and help loads every command. */
        private static final class SettingsReading {

            static LocalSettings of(SettingsOptions settings, Map<String, String> environment) {
                try {
                    return LocalSettings.load(settings.file(), environment);
                } catch (ConfigProblems e) {
                    throw new CommandFailed(ExitCode.CONFIGURATION, e.sentences());
                }
            }
        }
    }

    /** {@code rowlock admin-token replace}: gives the cluster another administrator's token; nothing else does. */
    @Command(description = "Manages the admin token of the cluster.", footer = "rowlock admin-token replace")
    record AdminTokenCommand(Supplier<Needs> needs, PrintWriter out) {

        @Command(
                description = {
                    "Replaces the admin token of the cluster.",
                    "The new one is that of the settings (ROWLOCK_ADMIN_TOKEN, admin.token), or, if they have none, one"
                            + " that is made and kept in admin.token in the data directory. Needs the database, and no"
                            + " node. Every node refuses the old one within five seconds. Without database.url it is"
                            + " the embedded database."
                },
                footer = "rowlock admin-token replace --config /etc/rowlock.yaml")
        void replace(@Mixin SettingsOptions settings) {
            needs.get().replaceAdminToken(settings).forEach(out::println);
        }
    }

    /** {@code rowlock version}. */
    @Command(description = "Says which version this is.", footer = "rowlock version")
    record VersionCommand(String version, PrintWriter out) implements Runnable {

        @Override
        public void run() {
            out.println("rowlock " + version);
        }
    }

    /** {@code rowlock schema}. */
    @Command(
            description =
                    "Writes the JSON Schema of files with jobs, so that editors complete and check them: with the YAML"
                            + " language server, # yaml-language-server: $$schema=rowlock-jobs.schema.json in line 1.",
            footer = "rowlock schema >rowlock-jobs.schema.json")
    record SchemaCommand(PrintStream out) implements Runnable {

        @Override
        public void run() {
            out.print(JobSchema.text());
        }
    }

    /** {@code rowlock help COMMAND}: the same as {@code rowlock COMMAND --help}. */
    @Command(description = "Says how a command is used.", footer = "rowlock help verify")
    static final class Help implements Runnable {

        private final Function<List<String>, CommandLine> rowlock;
        private final PrintWriter out;

        @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command; default: an overview of all.")
        private List<String> command = List.of();

        Help(Function<List<String>, CommandLine> rowlock, PrintWriter out) {
            this.rowlock = rowlock;
            this.out = out;
        }

        @Override
        public void run() {
            below(rowlock.apply(command), command).usage(out);
        }
    }

    /** {@code rowlock completion}. */
    @Command(
            description =
                    "Writes a script that makes a shell complete commands, options, and the names of the cluster that"
                            + " is asked.",
            footer = "source <(rowlock completion bash)")
    static final class CompletionScript implements Runnable {

        /** Shell with a completion script. */
        enum CompletionShell {
            BASH,
            ZSH,
            FISH
        }

        @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
        private CompletionShell shell = CompletionShell.BASH;

        private final Supplier<CommandLine> whole;
        private final PrintStream out;

        CompletionScript(Supplier<CommandLine> whole, PrintStream out) {
            this.whole = whole;
            this.out = out;
        }

        @Override
        public void run() {
            String name = shell.name().toLowerCase(Locale.ROOT);
            out.print(new Completion(new CommandModel(whole.get())).script(name));
        }
    }

    /** {@code rowlock man}. */
    @Command(
            description = "Writes the manual page of a command, or those of all commands into a directory.",
            footer = "rowlock man job list | man -l -")
    static final class Man implements Runnable {

        @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command; default: rowlock itself.")
        private List<String> command = List.of();

        @Option(names = "--into", paramLabel = "DIR", description = "Write all pages there, as rowlock-job-list.1.")
        private @Nullable Path dir;

        private final Supplier<CommandLine> whole;
        private final String version;
        private final PrintStream out;

        Man(Supplier<CommandLine> whole, String version, PrintStream out) {
            this.whole = whole;
            this.version = version;
            this.out = out;
        }

        @Override
        public void run() {
            CommandLine line = whole.get();
            if (dir != null) {
                try {
                    Files.createDirectories(dir);
                    write(line, dir);
                } catch (IOException e) {
                    throw new CommandFailed(ExitCode.FAILED, dir + " cannot be written: " + e);
                }
                return;
            }
            out.print(ManPage.of(below(line, command), version));
        }

        private void write(CommandLine line, Path to) throws IOException {
            if (line.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            Files.writeString(to.resolve(ManPage.name(line) + ".1"), ManPage.of(line, version));
            for (CommandLine below : line.getSubcommands().values()) {
                write(below, to);
            }
        }
    }

    /**
     * {@code rowlock classes}, for scripts/class-archive: does what commands do, whatever comes of it, so that Java has
     * loaded their classes when it writes the archive.
     */
    @Command(
            hidden = true,
            description = "Loads the classes that commands need.",
            footer = "rowlock classes http://127.0.0.1:7575")
    static final class Classes implements Runnable {

        private static final List<String> LINES = List.of(
                "job list",
                "job list -o json",
                "job get a -o yaml",
                "job --help",
                "job list --help",
                "task list",
                "task logs 1",
                "node list",
                "overview",
                "doctor",
                "config view",
                "schedule @hourly",
                "version",
                "completion bash",
                "complete jobs",
                "jbo",
                "help");

        private final Surroundings around;

        @Parameters(paramLabel = "URL", description = "A node, which may refuse all of it.")
        private String url = "";

        Classes(Surroundings around) {
            this.around = around;
        }

        @Override
        public void run() {
            PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), true);
            Surroundings here = new Surroundings(
                    Map.of("ROWLOCK_URL", url, "ROWLOCK_TOKEN", "none", "HOME", System.getProperty("user.home")),
                    InputStream.nullInputStream(),
                    nothing,
                    nothing,
                    around.clock(),
                    Set.of(),
                    around.later(),
                    around.programs());
            for (String line : LINES) {
                new Commands(
                                () -> {
                                    throw new IllegalStateException("a command that needs more than a node: " + line);
                                },
                                "",
                                here)
                        .run(List.of(line.split(" ")));
            }
        }
    }
}
