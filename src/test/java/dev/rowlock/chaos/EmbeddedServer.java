package dev.rowlock.chaos;

import dev.rowlock.chaos.ChaosDatabase.Server;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A MariaDB of our own. Rowlock makes and starts it; where a program can be told a wrong time, it is started once more
 * with the same command line, so that its clock can be set.
 */
final class EmbeddedServer implements Server {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final EmbeddedDatabase database;
    private final List<String> line;
    private final Path dir;
    private final Path library;
    private final Path clock;
    private Process process;

    private EmbeddedServer(EmbeddedDatabase database, List<String> line, Path dir, Path library) {
        this.database = database;
        this.line = line;
        this.dir = dir;
        this.library = library;
        this.clock = dir.resolve("database-clock").toAbsolutePath();
    }

    static Server of(EmbeddedDatabase database, Path dir) throws IOException {
        Optional<Path> library = HostFaults.faketime();
        if (library.isEmpty()) {
            return new Plain(database);
        }
        String line = Files.readString(
                Path.of("/proc", Long.toString(database.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
        EmbeddedServer server = new EmbeddedServer(database, List.of(line.split("\0")), dir, library.get());
        database.kill();
        DatabaseClock.set(server.clock, Duration.ZERO);
        server.restart();
        return server;
    }

    @Override
    public String url() {
        return urlOf(database);
    }

    private static String urlOf(EmbeddedDatabase database) {
        return database.url().replaceFirst("(//[^/]*)/.*", "$1");
    }

    @Override
    public Optional<Path> clock() {
        return Optional.of(clock);
    }

    @Override
    public String user() {
        return database.user();
    }

    @Override
    public String password() {
        return database.password();
    }

    @Override
    public boolean hasPlainAccount() {
        return true;
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void restart() throws IOException {
        Path log = dir.resolve("database.log");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(dir.resolve("database").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
        builder.environment().put("LD_PRELOAD", library.toString());
        builder.environment().put("FAKETIME_TIMESTAMP_FILE", clock.toString());
        // Only the wall clock: what the server waits for by the monotonic one goes on as it is.
        builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        builder.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        builder.environment().put("FAKETIME_CACHE_DURATION", "1");
        process = builder.start();
        process.getOutputStream().close();
        try {
            Until.holds(LIMIT, "an answer of the embedded database, see " + log, this::answers);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new AssertionError("the embedded database has ended with code " + process.exitValue());
        }
        try (Connection connection = DriverManager.getConnection(
                url() + "/?sslMode=DISABLED&connectTimeout=2000&socketTimeout=2000", user(), password())) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        database.close();
    }

    /** Where clocks cannot be set. */
    private record Plain(EmbeddedDatabase database) implements Server {

        @Override
        public String url() {
            return urlOf(database);
        }

        @Override
        public String user() {
            return database.user();
        }

        @Override
        public String password() {
            return database.password();
        }

        @Override
        public boolean hasPlainAccount() {
            return true;
        }

        @Override
        public boolean isOwn() {
            return true;
        }

        @Override
        public void kill() {
            database.kill();
        }

        @Override
        public void restart() throws IOException {
            database.restart();
        }

        @Override
        public void close() throws IOException {
            database.close();
        }
    }
}
