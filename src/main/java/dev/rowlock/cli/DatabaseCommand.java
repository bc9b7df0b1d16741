package dev.rowlock.cli;

import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock database …}: what to do with the embedded database besides running a node on it. */
@Command(
        description = {
            "Tends the embedded database.",
            "That is the MariaDB that Rowlock brings along, in mariadb in the data directory; its owner runs these."
        },
        exitCodeList = {
            ExitCode.DONE + ":done",
            ExitCode.FAILED + ":not done: a node uses it, or a file cannot be written",
            ExitCode.USAGE + ":not understood",
            ExitCode.UNAVAILABLE + ":there is none, or it does not start",
            ExitCode.CONFIGURATION + ":the settings are wrong"
        },
        footer = "rowlock database status")
final class DatabaseCommand {

    private static final String CONFIG =
            "Read data.dir from here; default: config/rowlock.yaml if it is there. ROWLOCK_DATA_DIR wins.";

    private final Supplier<Needs> needs;
    private final PrintStream out;
    private final PrintWriter err;

    /** @param out for the dump, which is no text of this program */
    DatabaseCommand(Supplier<Needs> needs, PrintStream out, PrintWriter err) {
        this.needs = needs;
        this.out = out;
        this.err = err;
    }

    private Needs.Embedded embedded() {
        return needs.get().embedded();
    }

    @Command(
            description = "Says whether it runs, who uses it, how large it is, and of which version. Starts nothing.",
            footer = "rowlock database status")
    void status(@Option(names = "--config", paramLabel = "FILE", description = CONFIG) @Nullable Path config) {
        Map<String, String> status = embedded().status(config);
        int width = status.keySet().stream().mapToInt(String::length).max().orElse(0);
        status.forEach((name, words) -> out.println(name + " ".repeat(width - name.length() + 2) + words));
    }

    @Command(
            description = {
                "Stops its server, which goes on after a node that was killed.",
                "Refuses while a node uses it: a node stops the server with itself."
            },
            footer = "rowlock database stop")
    void stop(@Option(names = "--config", paramLabel = "FILE", description = CONFIG) @Nullable Path config) {
        out.println(embedded().stop(config));
    }

    @Command(
            description = {
                "Writes all that it holds, as of one instant, as SQL: to FILE, or to standard output.",
                "The node may work meanwhile; a server that is stopped is started for it. It names no account, and"
                        + " leaves out the views, which a node makes when it starts."
            },
            footer = "rowlock database dump rowlock.sql")
    void dump(
            @Option(names = "--config", paramLabel = "FILE", description = CONFIG) @Nullable Path config,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "FILE",
                            description = "Written with mode 0600, and replaced when the dump is whole.")
                    @Nullable
                    Path file) {
        if (file == null) {
            embedded().dump(config, out);
            out.flush();
        } else {
            err.println(embedded().dump(config, file));
        }
    }

    @Command(
            description = {
                "Loads a dump into an embedded database that is empty, or is not there yet.",
                "Stop all nodes before, and move away mariadb in the data directory."
            },
            footer = "rowlock database load rowlock.sql")
    void load(
            @Option(names = "--config", paramLabel = "FILE", description = CONFIG) @Nullable Path config,
            @Parameters(paramLabel = "FILE", description = "What database dump has written.") Path file) {
        err.println(embedded().load(config, file));
    }
}
