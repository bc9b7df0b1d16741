package dev.rowlock.support;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Two servers that know nothing of each other and both take writes, each with a database of the same name: one of our own and the tests'. */
public final class TwoServers implements AutoCloseable {

    private final EmbeddedDatabase own;
    private final TestDatabase tests;
    public final Rows first;
    public final Rows second;

    /** @param dir where our own is made */
    public TwoServers(Path dir, TestDatabase tests) throws IOException {
        this.tests = tests;
        own = EmbeddedDatabase.start(dir);
        first = new Rows(() -> DriverManager.getConnection(
                own.url().replaceFirst("(//[^/]*/)[^?]*", "$1" + tests.name()), own.user(), own.password()));
        second = new Rows(tests);
        new Rows(this::connectToFirst).run("create database " + tests.name());
        for (Rows rows : new Rows[] {first, second}) {
            rows.account(tests.name(), "secret", tests.name());
        }
    }

    /** On both. */
    public void run(String sql) {
        first.run(sql);
        second.run(sql);
    }

    public Connection connectToFirst() throws SQLException {
        return DriverManager.getConnection(own.url(), own.user(), own.password());
    }

    public InetSocketAddress firstAddress() {
        java.net.URI uri = java.net.URI.create(own.url().substring("jdbc:".length()));
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    /** Our own and then the tests', for an account that no read-only server lets write. */
    public DatabaseAddress address() {
        return through(firstAddress().getPort());
    }

    /** The same with our own behind that port of the loopback. */
    public DatabaseAddress through(int port) {
        String hosts = "//127.0.0.1:" + port + ",127.0.0.1:" + tests.address().getPort() + "/";
        return new DatabaseAddress(tests.url().replaceFirst("//[^/]*/", hosts), tests.name(), "secret");
    }

    @Override
    public void close() throws IOException {
        second.run("drop user " + tests.name());
        own.close();
    }
}
