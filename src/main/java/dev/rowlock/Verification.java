package dev.rowlock;

import dev.rowlock.cli.UsageProblem;
import dev.rowlock.cli.VerifyCommand;
import dev.rowlock.cli.VerifyOptions;
import dev.rowlock.config.Config;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.control.Conservation;
import dev.rowlock.store.Database;
import dev.rowlock.store.DatabaseAddress;
import dev.rowlock.store.DatabaseUnavailable;
import dev.rowlock.store.LedgerQueries;
import dev.rowlock.store.StatementProblem;
import dev.rowlock.store.embedded.EmbeddedDatabase;
import dev.rowlock.store.embedded.EmbeddedDatabaseProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code rowlock verify} with all that it needs: the settings, a database that is there already, and nothing of a node. */
final class Verification {

    /** {@code EX_UNAVAILABLE} of sysexits.h. */
    private static final int UNAVAILABLE = 69;
    /** {@code EX_CONFIG} of sysexits.h. */
    private static final int CONFIGURATION = 78;

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
            return run(
                    options,
                    options.embedded()
                            ? Config.load(options.config(), environment, true)
                            : Config.loadEither(options.config(), environment));
        } catch (UsageProblem e) {
            say(e.getMessage());
            err.print(VerifyCommand.HELP);
            return VerifyCommand.USAGE;
        } catch (ConfigProblems e) {
            e.sentences().forEach(problem -> err.println("rowlock: " + problem));
            return CONFIGURATION;
        } catch (DatabaseUnavailable e) {
            say(e.summary() + ": " + e.getMessage());
            return UNAVAILABLE;
        } catch (StatementProblem e) {
            say("the database refuses (has a node ever been started on it?): " + rootOf(e));
            return UNAVAILABLE;
        } catch (EmbeddedDatabaseProblem | IOException e) {
            say("the embedded database cannot be used: " + e.getMessage());
            return UNAVAILABLE;
        }
    }

    private int run(VerifyOptions options, Config config) throws IOException {
        if (!config.embedded()) {
            Config.Database database = config.database();
            return run(
                    options,
                    config,
                    new DatabaseAddress(
                            Objects.requireNonNull(database.url()),
                            Objects.requireNonNullElse(database.user(), ""),
                            Objects.requireNonNullElse(database.password(), "")));
        }
        Path dir = config.dataDir().resolve("mariadb");
        if (!EmbeddedDatabase.exists(dir)) {
            say("there is no database: database.url is not set, and there is no embedded one under " + dir);
            return UNAVAILABLE;
        }
        try (EmbeddedDatabase embedded = EmbeddedDatabase.start(dir)) {
            return run(options, config, new DatabaseAddress(embedded.url(), embedded.user(), embedded.password()));
        }
    }

    private int run(VerifyOptions options, Config config, DatabaseAddress address) {
        try (Database database = Database.single(address, Duration.ofSeconds(60))) {
            Conservation conservation = new Conservation(
                    new LedgerQueries(database), config.historyRetention(), Conservation.Limits.DEFAULT);
            return new VerifyCommand(conservation, out, err).run(options);
        }
    }

    private void say(String what) {
        err.println("rowlock verify: " + what);
    }

    private static String rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }
}
