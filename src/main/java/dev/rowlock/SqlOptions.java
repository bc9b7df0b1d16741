package dev.rowlock;

import dev.rowlock.config.Config;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.db.SqlClient;
import java.io.PrintStream;
import java.util.Map;

/** For {@code scripts/rowlock sql}: says on standard output what the SQL client must be told, so that no password is on a command line. */
final class SqlOptions {

    /** {@code EX_CONFIG} of sysexits.h. */
    private static final int CONFIGURATION = 78;

    private SqlOptions() {}

    /** @return the exit code */
    static int print(SqlClient.Program program, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            Config config = Config.load(null, environment, false);
            out.print(SqlClient.options(CommandDatabase.configured(config.database()), program));
            return 0;
        } catch (ConfigProblems e) {
            e.sentences().forEach(problem -> err.println("rowlock: " + problem));
        } catch (IllegalArgumentException e) {
            err.println("rowlock: database.url cannot be read: " + e.getMessage());
        }
        return CONFIGURATION;
    }
}
