package dev.rowlock.support;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A database on a real server, migrated and without rows: one per test as an instance field with {@code @RegisterExtension}, one per class
 * as a static field. All share one server, started with the first and stopped after the last test of the JVM; a test that kills its server
 * starts one of its own with {@code EmbeddedDatabase.start}.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {

    /** Marks classes that ask the database of the tests, and so are run on each kind of server. */
    private static final String TAG = "database";

    private final boolean migrated;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
    private @Nullable DatabaseServer server;
    private @Nullable String name;
    private boolean perClass;

    public TestDatabase() {
        this(true);
    }

    private TestDatabase(boolean migrated) {
        this.migrated = migrated;
    }

    /** One without tables, for what makes them, or needs none. */
    public static TestDatabase withoutTables() {
        return new TestDatabase(false);
    }

    /** A {@code jdbc:mysql:} URL of the fresh database, without user and password and with TLS off. */
    public String url() {
        return opened().urlOf(name());
    }

    /** The same database as seen through another port of the loopback, such as a {@link TcpRelay}'s. */
    public String urlThrough(int port) {
        return url().replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/");
    }

    /** Where the server listens. */
    public java.net.InetSocketAddress address() {
        java.net.URI uri = java.net.URI.create(url().substring("jdbc:".length()));
        return new java.net.InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 3306 : uri.getPort());
    }

    public String user() {
        return opened().user();
    }

    public String password() {
        return opened().password();
    }

    /** The name of the fresh database. */
    public String name() {
        if (name == null) {
            throw new IllegalStateException("no database yet: TestDatabase is usable from @BeforeEach to @AfterEach");
        }
        return name;
    }

    /** A new connection, the caller's to close. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    /** Connections for statements that leave nothing behind in them: a new one only when all others are in use. */
    Rows.Connections reused() {
        return new Rows.Connections() {
            @Override
            public Connection connect() throws SQLException {
                Connection free = idle.poll();
                // One that a test has cut is of no use.
                return free != null && free.isValid(1) ? free : TestDatabase.this.connect();
            }

            @Override
            public void giveBack(Connection connection) {
                idle.add(connection);
            }
        };
    }

    /** Deletes all rows of these tables. */
    public void empty(String... tables) {
        try (Connection connection = connect()) {
            SchemaPool.empty(connection, List.of(tables));
        } catch (SQLException e) {
            throw new AssertionError("emptying " + List.of(tables), e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        perClass = true;
        create(context);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        drop();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (!perClass) {
            create(context);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        if (!perClass) {
            drop();
        }
    }

    private void create(ExtensionContext context) throws Exception {
        if (!context.getTags().contains(TAG)) {
            throw new IllegalStateException(
                    context.getRequiredTestClass() + " asks a database: annotate it with @Tag(\"" + TAG + "\")");
        }
        server = context.getRoot()
                .getStore(Namespace.create(TestDatabase.class))
                .computeIfAbsent(DatabaseServer.class, type -> shared(), DatabaseServer.class);
        name = migrated ? opened().schemas().take() : opened().create();
    }

    private void drop() throws SQLException {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
        if (name != null) {
            if (migrated) {
                opened().schemas().giveBack(name);
            } else {
                opened().drop(name);
            }
            name = null;
        }
    }

    private DatabaseServer opened() {
        if (server == null) {
            throw new IllegalStateException("no server yet: annotate the field with @RegisterExtension");
        }
        return server;
    }

    private static DatabaseServer shared() {
        try {
            return DatabaseServer.open();
        } catch (IOException e) {
            throw new IllegalStateException("the database server of the tests did not start", e);
        }
    }
}
