package dev.rowlock;

import dev.rowlock.config.Config;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.embedded.EmbeddedDatabase;
import dev.rowlock.embedded.EmbeddedDatabaseProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The database of a command that is no node: the one that the settings name, and what is said when it cannot be used. */
final class CommandDatabase {

    /** {@code EX_UNAVAILABLE} of sysexits.h. */
    private static final int UNAVAILABLE = 69;
    /** {@code EX_CONFIG} of sysexits.h. */
    private static final int CONFIGURATION = 78;

    private final String command;
    private final PrintStream err;

    /** What is done with the database. */
    interface Work {

        /** @return the exit code */
        int with(Config config, DatabaseAddress address) throws IOException;
    }

    /** @param command its name, for what is said */
    CommandDatabase(String command, PrintStream err) {
        this.command = command;
        this.err = err;
    }

    /**
     * @param file settings; null: the usual ones
     * @param embedded whether the embedded database is meant even if another is configured
     * @return the exit code
     */
    int use(@Nullable Path file, boolean embedded, Map<String, String> environment, Work work) {
        try {
            Config config = embedded ? Config.load(file, environment, true) : Config.loadEither(file, environment);
            config.warnings().forEach(warning -> err.println("rowlock: warning: " + warning));
            return use(config, work);
        } catch (ConfigProblems e) {
            e.sentences().forEach(problem -> err.println("rowlock: " + problem));
            return CONFIGURATION;
        } catch (DatabaseUnavailable e) {
            say(e.summary() + ": " + e.getMessage());
        } catch (StatementProblem e) {
            say("the database refuses (has a node ever been started on it?): " + rootOf(e));
        } catch (EmbeddedDatabaseProblem e) {
            say("the embedded database cannot be used: " + e.getMessage());
        } catch (IOException e) {
            say(String.valueOf(e.getMessage()));
        }
        return UNAVAILABLE;
    }

    private int use(Config config, Work work) throws IOException {
        if (!config.embedded()) {
            return work.with(config, configured(config.database()));
        }
        Path dir = config.dataDir().resolve("mariadb");
        if (!EmbeddedDatabase.exists(dir)) {
            say("there is no database: database.url is not set, and there is no embedded one under " + dir);
            return UNAVAILABLE;
        }
        try (EmbeddedDatabase embedded = EmbeddedDatabase.start(dir)) {
            return work.with(config, new DatabaseAddress(embedded.url(), embedded.user(), embedded.password()));
        }
    }

    static DatabaseAddress configured(Config.Database database) {
        return new DatabaseAddress(
                Objects.requireNonNull(database.url()),
                Objects.requireNonNullElse(database.user(), ""),
                Objects.requireNonNullElse(database.password(), ""));
    }

    private void say(String what) {
        err.println("rowlock " + command + ": " + what);
    }

    private static String rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }
}
