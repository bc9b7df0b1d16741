package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.access.AdminToken.TokenLocation;
import dev.rowlock.access.TokenStore;
import dev.rowlock.audit.Author;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.SettingsOptions;
import dev.rowlock.config.Config;
import dev.rowlock.config.Config.DatabaseConfig;
import dev.rowlock.config.ConfigProblems;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.SqlClient;
import dev.rowlock.db.SqlClient.ClientProgram;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.db.embedded.EmbeddedDatabaseProblem;
import dev.rowlock.db.schema.ForeignTables;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.Supervisor;
import dev.rowlock.report.verify.Accounting;
import dev.rowlock.report.verify.Accounting.AccountingLimits;
import dev.rowlock.report.verify.AccountingQueries;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.slf4j.LoggerFactory;

/** Node and database for the commands that need them, and the messages when these are unavailable. */
final class LocalCommands implements Needs {

    private final String version;
    private final Map<String, String> environment;
    private final PrintStream err;

    /** Work with the database. */
    private interface DatabaseWork<R> {

        R with(Config config, DatabaseAddress address) throws IOException;
    }

    /** @param err for warnings */
    LocalCommands(String version, Map<String, String> environment, PrintStream err) {
        this.version = version;
        this.environment = environment;
        this.err = err;
    }

    @Override
    public void serve(SettingsOptions settings) {
        Thread.setDefaultUncaughtExceptionHandler(LocalCommands::end);
        try {
            Config config = config(() -> Config.load(settings.file(), environment, settings.embedded()));
            Supervisor supervisor =
                    Supervisor.of(environment, ProcessHandle.current().pid());
            new Daemon(config, version, supervisor, Node::new).run();
        } catch (EmbeddedDatabaseProblem | IOException e) {
            throw new CommandFailed(ExitCode.FAILED, "the embedded database cannot be started: " + e.getMessage());
        }
    }

    @Override
    public List<Map<String, String>> rows(String url, String user, String password, List<String> tables) {
        try {
            return ForeignTables.read(new DatabaseAddress(url, user, password), tables);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String sqlOptions(boolean mariadb) {
        Config config = config(() -> Config.load(null, environment, false));
        try {
            return SqlClient.options(
                    configured(config.database()), mariadb ? ClientProgram.MARIADB : ClientProgram.MYSQL);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(ExitCode.CONFIGURATION, "database.url cannot be read: " + e.getMessage());
        }
    }

    @Override
    public Needs.Embedded embedded() {
        return new EmbeddedCommands(file -> config(() -> Config.loadEither(file, environment)));
    }

    @Override
    public int verify(SettingsOptions settings, ToIntFunction<Accounting> check) {
        return withDatabase(settings, (config, address) -> {
            try (Database database = Database.single(address, Duration.ofSeconds(60))) {
                return check.applyAsInt(new Accounting(
                        new AccountingQueries(database), config.historyRetention(), AccountingLimits.DEFAULT));
            }
        });
    }

    @Override
    public List<String> replaceAdminToken(SettingsOptions settings) {
        return withDatabase(settings, LocalCommands::replaceAdminToken);
    }

    private static List<String> replaceAdminToken(Config config, DatabaseAddress address) throws IOException {
        try (Database database = Database.single(address, Duration.ofSeconds(10))) {
            Files.createDirectories(config.dataDir());
            AdminToken token = new AdminToken(new TokenStore(database), config.dataDir(), config.adminToken());
            if (token.replace(author()) == TokenLocation.FILE) {
                return List.of("The admin token of this cluster is replaced; the new one is in " + token.file());
            }
            List<String> said = new ArrayList<>();
            said.add("The admin token of this cluster is replaced by that of the settings");
            if (Files.exists(token.file())) {
                said.add(token.file()
                        + " is not used while the settings have a token; delete it if it holds the one before");
            }
            return said;
        }
    }

    /**
     * Returns the author of changes: whoever may read the settings of a node and reach its database has no token, but a
     * name on this host.
     */
    private static Author author() {
        String name = System.getProperty("user.name", "?") + "@"
                + HostIdentity.current().hostName();
        return new Author(name, "admin", "local", UUID.randomUUID().toString());
    }

    /** Runs work of a command that is no node: with the database of the settings, or an existing embedded one. */
    private <R> R withDatabase(SettingsOptions settings, DatabaseWork<R> work) {
        Config config = config(() -> settings.embedded()
                ? Config.load(settings.file(), environment, true)
                : Config.loadEither(settings.file(), environment));
        config.warnings().forEach(warning -> err.println("rowlock: warning: " + warning));
        try {
            return withDatabase(config, work);
        } catch (DatabaseUnavailable e) {
            throw unavailable(e.summary() + ": " + e.getMessage());
        } catch (StatementProblem e) {
            throw unavailable("the database refuses (has a node ever been started on it?): " + rootOf(e));
        } catch (EmbeddedDatabaseProblem e) {
            throw unavailable("the embedded database cannot be used: " + e.getMessage());
        } catch (IOException e) {
            throw unavailable("a file cannot be read or written: " + e);
        }
    }

    private static <R> R withDatabase(Config config, DatabaseWork<R> work) throws IOException {
        if (!config.embedded()) {
            return work.with(config, configured(config.database()));
        }
        Path dir = config.dataDir().resolve("mariadb");
        if (!EmbeddedDatabase.exists(dir)) {
            throw unavailable(
                    "there is no database: database.url is not set, and there is no embedded one under " + dir);
        }
        try (EmbeddedDatabase embedded = EmbeddedDatabase.start(dir)) {
            return work.with(config, new DatabaseAddress(embedded.url(), embedded.user(), embedded.password()));
        }
    }

    static DatabaseAddress configured(DatabaseConfig database) {
        return new DatabaseAddress(
                Objects.requireNonNull(database.url()),
                Objects.requireNonNullElse(database.user(), ""),
                Objects.requireNonNullElse(database.password(), ""));
    }

    private static Config config(Supplier<Config> read) {
        try {
            return read.get();
        } catch (ConfigProblems e) {
            throw new CommandFailed(ExitCode.CONFIGURATION, e.sentences());
        }
    }

    private static CommandFailed unavailable(String sentence) {
        return new CommandFailed(ExitCode.UNAVAILABLE, sentence);
    }

    /** Returns the message of the root cause. */
    static String rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }

    /** Ends the process when a thread dies: a half-alive node is the worst kind. The guard ends its commands. */
    private static void end(Thread thread, Throwable e) {
        LoggerFactory.getLogger(LocalCommands.class).error("thread {} died; the process ends", thread.getName(), e);
        Runtime.getRuntime().halt(ExitCode.BROKEN);
    }
}
