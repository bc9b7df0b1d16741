package dev.rowlock.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code rowlock help COMMAND}: the same as {@code rowlock COMMAND --help}. */
@Command(description = "Says how a command is used.", footer = "rowlock help verify")
final class HelpCommand implements Runnable {

    private final Function<List<String>, CommandLine> rowlock;
    private final PrintWriter out;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command; default: an overview of all.")
    private List<String> command = List.of();

    HelpCommand(Function<List<String>, CommandLine> rowlock, PrintWriter out) {
        this.rowlock = rowlock;
        this.out = out;
    }

    @Override
    public void run() {
        CommandLine line = rowlock.apply(command);
        for (String word : command) {
            CommandLine next = line.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(line, List.of(word));
            }
            line = next;
        }
        line.usage(out);
    }
}
