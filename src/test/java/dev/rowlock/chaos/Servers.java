package dev.rowlock.chaos;

import dev.rowlock.chaos.ChaosDatabase.Server;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.support.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The servers that a run can have: an embedded MariaDB, a MySQL of {@code scripts/mysql-for-tests}, a group of them, a Galera cluster, or one that is
 * there already. */
final class Servers {

    private Servers() {}

    static Server open(String which, Path dir) throws IOException {
        return switch (which) {
            case "embedded" -> embedded(dir);
            case "mysql" -> MySql.start(dir);
            case "group" -> GroupServer.start();
            case "galera" -> GaleraServer.start(false);
            case "galera-members" -> GaleraServer.start(true);
            default -> foreign(which);
        };
    }

    private static Server embedded(Path dir) throws IOException {
        Path init = Files.createDirectories(dir).resolve("init.sql");
        Files.writeString(init, String.join(";\n", ChaosDatabase.PLAIN_ACCOUNT) + ";\n");
        // Durable against a crash of the server, which is injected; not against one of the machine, which is not.
        EmbeddedDatabase database = EmbeddedDatabase.start(
                dir.resolve("database"), List.of("--innodb-flush-log-at-trx-commit=2", "--init-file=" + init));
        return EmbeddedServer.of(database, dir);
    }

    private static Server foreign(String url) {
        if (!url.startsWith("jdbc:mysql://")) {
            throw new IllegalArgumentException(
                    "--database must be 'embedded', 'mysql', 'group', 'galera', 'galera-members' or a URL that begins with jdbc:mysql://, not '"
                            + url + "'");
        }
        int slash = url.indexOf('/', "jdbc:mysql://".length());
        int question = url.indexOf('?');
        String authority = slash >= 0 ? url.substring(0, slash) : question >= 0 ? url.substring(0, question) : url;
        return new Foreign(
                authority,
                System.getenv().getOrDefault("ROWLOCK_TEST_DATABASE_USER", "root"),
                System.getenv().getOrDefault("ROWLOCK_TEST_DATABASE_PASSWORD", ""));
    }

    /** Somebody else's: it is used, and otherwise left alone. */
    private record Foreign(String url, String user, String password) implements Server {

        @Override
        public boolean hasPlainAccount() {
            return false;
        }

        @Override
        public boolean isOwn() {
            return false;
        }

        @Override
        public void kill() {
            throw new IllegalStateException("the server of " + url + " is not ours to kill");
        }

        @Override
        public void restart() {
            throw new IllegalStateException("the server of " + url + " is not ours to start");
        }

        @Override
        public void close() {
            // It goes on.
        }
    }

    /** A server of our own on a free port. */
    private record MySql(int port, @Nullable Path file) implements Server {

        private static final Duration LIMIT = Duration.ofMinutes(2);

        static MySql start(Path dir) throws IOException {
            Path file = dir.resolve("database-clock").toAbsolutePath();
            boolean canBeSet = HostFaults.faketime().isPresent();
            if (canBeSet) {
                Files.createDirectories(dir);
                DatabaseClock.set(file, Duration.ZERO);
            }
            MySql server = new MySql(FreePorts.one(), canBeSet ? file : null);
            server.script("start");
            return server;
        }

        @Override
        public String url() {
            return "jdbc:mysql://127.0.0.1:" + port;
        }

        @Override
        public Optional<Path> clock() {
            return Optional.ofNullable(file);
        }

        @Override
        public String user() {
            return "root";
        }

        @Override
        public String password() {
            return "";
        }

        @Override
        public boolean hasPlainAccount() {
            return false;
        }

        @Override
        public boolean isOwn() {
            return true;
        }

        @Override
        public void kill() throws IOException {
            String home = System.getenv("ROWLOCK_TEST_MYSQL_HOME");
            Path base = home == null ? Path.of(System.getProperty("user.home"), ".cache/rowlock/mysql") : Path.of(home);
            String pid = Files.readString(base.resolve("server-" + port).resolve("pid"))
                    .strip();
            ProcessHandle process = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
            process.destroyForcibly();
            process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }

        @Override
        public void restart() throws IOException {
            script("start");
        }

        @Override
        public void close() throws IOException {
            script("wipe");
        }

        private void script(String verb) throws IOException {
            Map<String, String> environment = new TreeMap<>(Map.of("ROWLOCK_TEST_MYSQL_PORT", Integer.toString(port)));
            clock().ifPresent(path -> environment.put("ROWLOCK_TEST_MYSQL_CLOCK", path.toString()));
            String unused = Programs.run(environment, "scripts/mysql-for-tests", verb);
        }
    }
}
