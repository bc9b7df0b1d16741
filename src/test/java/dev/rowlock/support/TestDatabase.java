package dev.rowlock.support;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A fresh, empty database on a real server: one per test as an instance field with {@code @RegisterExtension}, one per class as a static
 * field. All share one server, started with the first and stopped after the last test of the JVM; a test that kills its server starts one
 * of its own with {@code EmbeddedDatabase.start}.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {

    private @Nullable DatabaseServer server;
    private @Nullable String name;
    private boolean perClass;

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
        server = context.getRoot()
                .getStore(Namespace.create(TestDatabase.class))
                .computeIfAbsent(DatabaseServer.class, type -> shared(), DatabaseServer.class);
        name = opened().create();
    }

    private void drop() throws SQLException {
        if (name != null) {
            opened().drop(name);
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
        } catch (java.io.IOException | SQLException e) {
            throw new IllegalStateException("the database server of the tests did not start", e);
        }
    }
}
