package dev.rowlock.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rowlock sql}, for its help: scripts/rowlock runs the client itself, so that it has the terminal. */
@Command(
        description = {
            "Looks into the database, with its own client.",
            "It is the database of the settings (database.url, user, password), or else the embedded one of"
                    + " their data.dir while its node runs."
        },
        exitCodeList = "n:that of the client",
        footer = "rowlock sql \"select * from v_missed limit 10\"")
final class SqlCommand implements Runnable {

    @Parameters(
            arity = "0..*",
            paramLabel = "STATEMENT",
            description = "The statement to run; without it a dialogue begins.")
    @SuppressWarnings("unused") // picocli reads it
    private List<String> statement = List.of();

    @Override
    public void run() {
        throw new CommandFailed(ExitCode.USAGE, "scripts/rowlock sql runs the SQL client; the jar by itself does not");
    }
}
