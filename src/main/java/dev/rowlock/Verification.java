package dev.rowlock;

import dev.rowlock.cli.UsageProblem;
import dev.rowlock.cli.VerifyCommand;
import dev.rowlock.cli.VerifyOptions;
import dev.rowlock.config.Config;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.store.job.AccountingQueries;
import dev.rowlock.verify.Accounting;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code rowlock verify} with all that it needs: the settings, a database that is there already, and nothing of a node. */
final class Verification {

    private final PrintStream out;
    private final PrintStream err;

    Verification(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** @return the exit code */
    int run(List<String> args, Map<String, String> environment) {
        if (args.contains("--help") || args.contains("-h")) {
            out.print(VerifyCommand.HELP);
            return 0;
        }
        try {
            VerifyOptions options = VerifyOptions.parse(args);
            return new CommandDatabase("verify", err)
                    .use(
                            options.config(),
                            options.embedded(),
                            environment,
                            (config, address) -> run(options, config, address));
        } catch (UsageProblem e) {
            err.println("rowlock verify: " + e.getMessage());
            err.print(VerifyCommand.HELP);
            return VerifyCommand.USAGE;
        }
    }

    private int run(VerifyOptions options, Config config, DatabaseAddress address) {
        try (Database database = Database.single(address, Duration.ofSeconds(60))) {
            Accounting conservation = new Accounting(
                    new AccountingQueries(database), config.historyRetention(), Accounting.Limits.DEFAULT);
            return new VerifyCommand(conservation, out, err).run(options);
        }
    }
}
