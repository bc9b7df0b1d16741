package dev.rowlock.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code rowlock man}. */
@Command(
        description = "Writes the manual page of a command, or those of all commands into a directory.",
        footer = "rowlock man job list | man -l -")
final class ManCommand implements Runnable {

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command; default: rowlock itself.")
    private List<String> command = List.of();

    @Option(names = "--into", paramLabel = "DIR", description = "Write all pages there, as rowlock-job-list.1.")
    private @Nullable Path dir;

    private final Supplier<CommandLine> whole;
    private final String version;
    private final PrintStream out;

    ManCommand(Supplier<CommandLine> whole, String version, PrintStream out) {
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
        for (String word : command) {
            CommandLine next = line.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(line, List.of(word));
            }
            line = next;
        }
        out.print(ManPage.of(line, version));
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
