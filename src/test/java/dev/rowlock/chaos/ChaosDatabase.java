package dev.rowlock.chaos;

import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The database of a run: a fresh schema on a server, an administrator who is never disturbed, and a plain account for the nodes. */
final class ChaosDatabase implements AutoCloseable {

    private static final String PLAIN_USER = "rowlock_chaos";
    private static final String PLAIN_PASSWORD = "of-no-value";

    private static final Duration RETRY = Duration.ofMinutes(5);
    private static final String PREFIX = "rowlock_chaos_";

    /** What makes the plain account, statement by statement; it may do what it wants in the schemas of runs. */
    static final List<String> PLAIN_ACCOUNT = List.of(
            "create user if not exists '" + PLAIN_USER + "'@'%' identified by '" + PLAIN_PASSWORD + "'",
            "grant all privileges on `rowlock\\_chaos\\_%`.* to '" + PLAIN_USER + "'@'%'");

    private final Server server;
    private final String schema;
    private String nodeUser = PLAIN_USER;
    private String nodePassword = PLAIN_PASSWORD;

    /** Where the schema lies. */
    interface Server extends AutoCloseable {

        /** {@code jdbc:mysql://host:port}, without a database; of a group, the one that takes writes at the moment. */
        String url();

        /** Where its servers listen: one, or all members of a group. */
        default List<InetSocketAddress> addresses() {
            URI uri = URI.create(url().substring("jdbc:".length()));
            return List.of(new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 3306 : uri.getPort()));
        }

        /** Those of them that this node knows, counted from 0. */
        default List<InetSocketAddress> addressesOf(int node) {
            return addresses();
        }

        /** The file by which its clock can be set; empty: it cannot. */
        default Optional<Path> clock() {
            return Optional.empty();
        }

        String user();

        String password();

        /** Whether {@link #kill} and {@link #restart} may be called: it is our own. */
        boolean isOwn();

        /** Whether {@link #PLAIN_ACCOUNT} was executed already. */
        boolean hasPlainAccount();

        /** SIGKILL; returns when it is dead. */
        void kill() throws IOException;

        /** Starts it again and waits until it answers, on the same port. */
        void restart() throws IOException;

        @Override
        void close() throws IOException;
    }

    private ChaosDatabase(Server server, String schema) {
        this.server = server;
        this.schema = schema;
    }

    static ChaosDatabase open(String which, Path dir) throws Exception {
        return on(Servers.open(which, dir));
    }

    /** A fresh schema on this server. */
    static ChaosDatabase on(Server server) throws SQLException {
        ChaosDatabase database =
                new ChaosDatabase(server, PREFIX + ProcessHandle.current().pid());
        try (Connection admin = DriverManager.getConnection(database.urlOf(""), server.user(), server.password());
                Statement statement = admin.createStatement()) {
            statement.execute("drop database if exists " + database.schema);
            statement.execute("create database " + database.schema + " character set utf8mb4");
            if (!server.hasPlainAccount()) {
                database.makePlainUser(statement);
            }
        }
        return database;
    }

    /** A super user may write while the server is read-only, so the nodes should be none. An embedded server makes the account itself. */
    private void makePlainUser(Statement statement) {
        try {
            for (String sql : PLAIN_ACCOUNT) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            nodeUser = server.user();
            nodePassword = server.password();
        }
    }

    boolean nodesArePlainUsers() {
        return nodeUser.equals(PLAIN_USER);
    }

    String nodeUser() {
        return nodeUser;
    }

    String nodePassword() {
        return nodePassword;
    }

    Server server() {
        return server;
    }

    /** Does this with a statement until it succeeds: faults that have the database away pass. */
    void retry(String what, Work work) throws Exception {
        Until.holds(RETRY, what, () -> {
            try (Connection admin = admin();
                    Statement statement = admin.createStatement()) {
                work.with(statement);
                return true;
            } catch (SQLException e) {
                return false;
            }
        });
    }

    /** Something that can be done again from its beginning. */
    interface Work {
        void with(Statement statement) throws SQLException;
    }

    /** The schema, past everything that is disturbed; the caller's to close. */
    Connection admin() throws SQLException {
        return DriverManager.getConnection(urlOf(schema), server.user(), server.password());
    }

    /** The schema as a node behind its relays sees it. */
    String urlThrough(List<Integer> ports) {
        String hosts = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        return "jdbc:mysql://" + hosts + "/" + schema + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    /** The schema as a program sees it that is not disturbed. */
    String directUrl() {
        return server.url() + "/" + schema + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    private String urlOf(String name) {
        return server.url() + "/" + name
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=2000&socketTimeout=20000";
    }

    /** Drops the schema; stops the server if it is our own. */
    @Override
    public void close() throws IOException, SQLException {
        try (Connection admin = admin();
                Statement statement = admin.createStatement()) {
            statement.execute("drop database " + schema);
            if (nodesArePlainUsers() && !server.hasPlainAccount()) {
                statement.execute("drop user if exists '" + PLAIN_USER + "'@'%'");
            }
        } finally {
            server.close();
        }
    }
}
