package dev.rowlock.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rowlock sql-options}, for scripts/rowlock: what the SQL client must be told, but not on a command line. */
@Command(
        hidden = true,
        description = "Prints the option file of the SQL client.",
        footer = "rowlock sql-options mariadb")
final class SqlOptionsCommand implements Runnable {

    private final Supplier<Needs> needs;
    private final PrintWriter out;

    @Parameters(arity = "0..1", paramLabel = "PROGRAM", description = "The client that was found: mysql or mariadb.")
    private String program = "mysql";

    SqlOptionsCommand(Supplier<Needs> needs, PrintWriter out) {
        this.needs = needs;
        this.out = out;
    }

    @Override
    public void run() {
        out.print(needs.get().sqlOptions(program.equals("mariadb")));
        out.flush();
    }
}
