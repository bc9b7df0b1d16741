package dev.rowlock.support;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The server that all tests of this JVM share: the one named by {@code ROWLOCK_TEST_DATABASE_URL} (with {@code …_USER} and {@code
 * …_PASSWORD}), else an embedded MariaDB under {@code target}, which is stopped with the last test.
 */
final class DatabaseServer implements AutoCloseable {

    /**
     * Durable against a crash of the server, which tests cause; not against one of the machine, which they do not. With
     * a log that holds what tests of size write, so that nobody waits for seconds until it has room again.
     */
    private static final List<String> OPTIONS = List.of(
            "--innodb-flush-log-at-trx-commit=2",
            "--innodb-doublewrite=0",
            "--innodb-log-file-size=1G",
            "--innodb-buffer-pool-size=512M");

    private final @Nullable EmbeddedDatabase embedded;
    private final String url;
    private final String user;
    private final String password;
    private final SchemaPool schemas = new SchemaPool(this);
    private final AtomicLong counter = new AtomicLong();
    private final String prefix = "rowlock_test_" + ProcessHandle.current().pid() + "_";

    private DatabaseServer(@Nullable EmbeddedDatabase embedded, String url, String user, String password) {
        this.embedded = embedded;
        this.url = url;
        this.user = user;
        this.password = password;
    }

    static DatabaseServer open() throws IOException {
        String url = System.getenv("ROWLOCK_TEST_DATABASE_URL");
        if (url != null && !url.isBlank()) {
            return new DatabaseServer(
                    null,
                    url,
                    System.getenv().getOrDefault("ROWLOCK_TEST_DATABASE_USER", "root"),
                    System.getenv().getOrDefault("ROWLOCK_TEST_DATABASE_PASSWORD", ""));
        }
        EmbeddedDatabase embedded = EmbeddedDatabase.start(Path.of("target", "test-database"), OPTIONS);
        return new DatabaseServer(embedded, embedded.url(), embedded.user(), embedded.password());
    }

    /** Makes an empty database and returns its name. */
    String create() throws SQLException {
        String name = prefix + counter.incrementAndGet();
        execute("drop database if exists " + name);
        execute("create database " + name + " character set utf8mb4");
        return name;
    }

    void drop(String name) throws SQLException {
        execute("drop database if exists " + name);
    }

    /** The server's URL naming this database instead of its own; TLS off, so that a relay can read along. */
    String urlOf(String name) {
        int slash = url.indexOf('/', "jdbc:mysql://".length());
        int question = url.indexOf('?');
        String authority = slash >= 0 ? url.substring(0, slash) : question >= 0 ? url.substring(0, question) : url;
        return authority + "/" + name + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    String user() {
        return user;
    }

    String password() {
        return password;
    }

    /** Schemas that were migrated before. */
    SchemaPool schemas() {
        return schemas;
    }

    /** A connection to this database, or to none; the caller's to close. */
    Connection connect(String name) throws SQLException {
        return DriverManager.getConnection(urlOf(name), user, password);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        if (embedded != null) {
            embedded.close();
        }
    }
}
