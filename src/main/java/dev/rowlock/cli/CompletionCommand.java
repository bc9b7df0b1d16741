package dev.rowlock.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rowlock completion}. */
@Command(
        description = "Writes a script that makes a shell complete commands, options, and the names of the cluster that"
                + " is asked.",
        footer = "source <(rowlock completion bash)")
final class CompletionCommand implements Runnable {

    /** Those that are known. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    private final Supplier<CommandLine> whole;
    private final PrintStream out;

    CompletionCommand(Supplier<CommandLine> whole, PrintStream out) {
        this.whole = whole;
        this.out = out;
    }

    @Override
    public void run() {
        String name = shell.name().toLowerCase(Locale.ROOT);
        out.print(new Completion(new CommandModel(whole.get())).script(name));
    }
}
