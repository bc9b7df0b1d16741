package dev.rowlock.db.embedded;

import dev.rowlock.db.embedded.StartPatience.WaitOutcome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MariaDB server of our own on a loopback port. It is a separate process: it survives the death of the node that
 * started it, and the next start on the same directory adopts it. The password of its one account, {@code rowlock}, is
 * in a file that only the owner can read; the operating system's user gets in by the socket, nobody without a password.
 * Thread-safe.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final String USER = "rowlock";
    static final String DATABASE = "rowlock";
    private static final long POLL_MILLIS = 50;
    private static final long STOP_SECONDS = 60;
    private static final int START_ATTEMPTS = 5;

    private final Home home;
    private final Binaries binaries;
    private final List<String> options;
    private final String password;
    private final FileChannel users;
    private final StartPatience patience;
    private ServerProcess server;
    private boolean closed;

    private EmbeddedDatabase(
            Home home, Binaries binaries, List<String> options, FileChannel users, StartPatience patience)
            throws IOException {
        this.home = home;
        this.binaries = binaries;
        this.options = options;
        this.password = home.password();
        this.users = users;
        this.patience = patience;
        Optional<ServerProcess> found = adoptable();
        this.server = found.isPresent() ? found.get() : launched();
        publish();
    }

    /**
     * Starts the server of this directory, or adopts a running one; returns when it answers. The first start unpacks
     * the programs (about 320 MB, once per user, under {@code ~/.cache/rowlock}).
     *
     * @param dir its directory, created if missing; one server per directory
     * @throws EmbeddedDatabaseProblem if it cannot run here, with a sentence for the operator
     * @throws IOException if the directory cannot be written
     */
    public static EmbeddedDatabase start(Path dir) throws IOException {
        return start(dir, List.of());
    }

    /** Starts or adopts the server, with further options such as {@code --max-connections=50}. */
    public static EmbeddedDatabase start(Path dir, List<String> options) throws IOException {
        return start(dir, options, StartPatience.USUAL);
    }

    static EmbeddedDatabase start(Path dir, List<String> options, StartPatience patience) throws IOException {
        Home home = Home.at(dir);
        home.requireOwner();
        Binaries binaries = Binaries.unpacked(home);
        FileChannel users = home.usersLock();
        try (FileChannel start = home.startLock();
                FileLock alone = start.lock()) {
            LOG.trace("start lock taken: {}", alone);
            share(users, home);
            return new EmbeddedDatabase(home, binaries, List.copyOf(options), users, patience);
        } catch (IOException | RuntimeException e) {
            users.close();
            throw e;
        }
    }

    @SuppressWarnings("resource") // released with its channel
    private static void share(FileChannel users, Home home) throws IOException {
        try {
            users.lock(0, Long.MAX_VALUE, true);
        } catch (OverlappingFileLockException e) {
            throw new EmbeddedDatabaseProblem(
                    "The embedded database of " + home.dir() + " is already open in this process.", e);
        }
    }

    /** Returns whether this directory has one, running or not, so that {@link #start} would not create it. */
    public static boolean exists(Path dir) {
        return Files.isDirectory(new Home(dir).data());
    }

    /** Returns a {@code jdbc:mysql:} URL without user and password. */
    public String url() {
        return url(DATABASE);
    }

    private synchronized String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + database
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Returns the process id of the server. */
    public synchronized long pid() {
        return server.handle().pid();
    }

    /**
     * Stops the server and waits for its end, unless another process still uses it. Harmless if it has been stopped.
     *
     * @throws EmbeddedDatabaseProblem it did not end within a minute, and is left alone: killing it might hide a fault
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        users.close();
        try (FileChannel start = home.startLock();
                FileLock alone = start.lock();
                FileChannel again = home.usersLock();
                FileLock last = again.tryLock()) {
            if (last == null) {
                LOG.trace("start lock taken: {}", alone);
                LOG.info("The embedded database goes on: another process uses it.");
                return;
            }
            terminate();
        }
    }

    /** Kills the server as a crash would, and waits until it is dead. */
    public synchronized void kill() {
        server.handle().destroyForcibly();
        server.endedWithin(STOP_SECONDS, TimeUnit.SECONDS);
    }

    /** Stops the server if it runs and starts it again, on the same port unless that was taken meanwhile. */
    public synchronized void restart() throws IOException {
        if (closed) {
            throw new IllegalStateException("restart of an embedded database that was closed: " + home.dir());
        }
        terminate();
        server = launched();
        publish();
    }

    /** Returns whether the server is running. */
    public synchronized boolean isAlive() {
        return server.handle().isAlive();
    }

    /**
     * Restarts a server that ended by itself, for example for lack of memory; adopts one that another process has
     * started meanwhile.
     *
     * @throws EmbeddedDatabaseProblem it does not start, on the port that it had; the message has the end of its log
     */
    public synchronized void revive() throws IOException {
        if (closed || server.handle().isAlive()) {
            return;
        }
        try (FileChannel start = home.startLock();
                FileLock alone = start.lock()) {
            LOG.trace("start lock taken: {}", alone);
            int port = server.port();
            Optional<ServerProcess> others = adoptable();
            server = others.isPresent() ? others.get() : launchedOn(port).orElseThrow(this::notStarted);
            publish();
            if (server.port() != port) {
                throw new EmbeddedDatabaseProblem("The embedded database has another port now, " + server.port()
                        + ", as " + port + " was taken meanwhile: restart this node.");
            }
        }
    }

    private void terminate() {
        terminate(server, home);
    }

    static void terminate(ServerProcess server, Home home) {
        server.handle().destroy();
        if (!server.endedWithin(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new EmbeddedDatabaseProblem("The embedded database, process "
                    + server.handle().pid() + ", did not end within " + STOP_SECONDS + " s: "
                    + ServerProcess.logTail(home));
        }
    }

    /** Returns the file that tells client programs of the server's users how to reach it. */
    Path clientSettings() {
        return home.clientSettings();
    }

    Binaries binaries() {
        return binaries;
    }

    private Optional<ServerProcess> adoptable() {
        Optional<ServerProcess> found = ServerProcess.running(home);
        if (found.isPresent() && !Files.isDirectory(home.data().resolve("mysql"))) {
            // Its directory was deleted under it: what it holds is nowhere any more.
            found.get().handle().destroyForcibly();
            found.get().endedWithin(STOP_SECONDS, TimeUnit.SECONDS);
            return Optional.empty();
        }
        if (found.isPresent() && !answersInTime(found.get())) {
            return Optional.empty();
        }
        found.ifPresent(server -> LOG.info(
                "Using the embedded database that is running already, process {}.",
                server.handle().pid()));
        return found;
    }

    private ServerProcess launched() throws IOException {
        makeOnce();
        for (int attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
            Optional<ServerProcess> started = launchedOn(home.freePort());
            if (started.isPresent()) {
                return started.get();
            }
            home.forgetPort(); // somebody may have taken it between our check and the start of the server
        }
        throw notStarted();
    }

    /** Starts the server on a port; returns empty if it has ended. */
    private Optional<ServerProcess> launchedOn(int port) throws IOException {
        DataVersion.of(home).before(Binaries.RELEASE, home);
        ServerProcess process = ServerProcess.start(home, binaries, port, options);
        if (!answersInTime(process)) {
            return Optional.empty();
        }
        DataVersion.note(home, Binaries.RELEASE);
        return Optional.of(process);
    }

    private EmbeddedDatabaseProblem notStarted() {
        return new EmbeddedDatabaseProblem("The embedded database did not start: " + ServerProcess.logTail(home));
    }

    /** Creates the data directory on first use; it gets its name only when it is complete. */
    private void makeOnce() throws IOException {
        if (Files.isDirectory(home.data())) {
            return;
        }
        Path work = home.dir().resolve("data.new");
        Binaries.deleteTree(work);
        Files.createDirectories(work);
        ServerProcess.bootstrap(home, work, binaries, """
                flush privileges;
                create user rowlock@'127.0.0.1' identified by '%s';
                grant all privileges on *.* to rowlock@'127.0.0.1';
                create database rowlock;
                """.formatted(password));
        DataVersion.note(home, Binaries.RELEASE);
        Files.move(work, home.data(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes what {@code scripts/rowlock sql} needs to reach the server. */
    private void publish() throws IOException {
        home.writeForOwner(home.clientSettings(), """
                [client]
                host=127.0.0.1
                port=%s
                user=%s
                password=%s
                skip-ssl
                [mysql]
                database=%s
                """.formatted(server.port(), USER, password, DATABASE));
        Files.deleteIfExists(home.clientProgram());
        Files.createSymbolicLink(home.clientProgram(), binaries.client());
    }

    /**
     * Waits until the server answers; returns false if it has ended.
     *
     * @throws EmbeddedDatabaseProblem it runs, does nothing, and does not answer; it is left alone, as it may hold data
     */
    private boolean answersInTime(ServerProcess process) {
        WaitOutcome end = patience.await(
                process,
                home,
                () -> answers(process.port()),
                () -> process.endedWithin(POLL_MILLIS, TimeUnit.MILLISECONDS));
        if (end == WaitOutcome.STANDS_STILL) {
            throw new EmbeddedDatabaseProblem("The embedded database of " + home.dir() + " runs as process "
                    + process.handle().pid() + ", but has neither answered nor done anything for "
                    + patience.still().toSeconds() + " s. End that process and start again: "
                    + ServerProcess.logTail(home));
        }
        return end == WaitOutcome.ANSWERS;
    }

    /** Returns the names of all tables of this type of {@code information_schema.tables}. */
    synchronized List<String> names(String type) {
        String sql = "select table_name from information_schema.tables where table_type = '" + type
                + "' and table_schema = '" + DATABASE + "'";
        List<String> names = new ArrayList<>();
        try (Connection connection = connect(server.port());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new EmbeddedDatabaseProblem("The embedded database cannot be read: " + e.getMessage(), e);
        }
        return names;
    }

    private boolean answers(int port) {
        try (Connection connection = connect(port)) {
            return connection.isValid(2);
        } catch (SQLException e) {
            LOG.trace("the embedded database does not answer yet", e);
            return false;
        }
    }

    private Connection connect(int port) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", USER);
        properties.setProperty("password", password);
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/?sslMode=DISABLED&connectTimeout=2000&socketTimeout=2000",
                properties);
    }
}
