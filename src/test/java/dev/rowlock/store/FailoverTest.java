package dev.rowlock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.store.embedded.EmbeddedDatabase;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A URL that names several servers. */
class FailoverTest {

    private static final String WHO = "two_servers";

    @RegisterExtension
    final TestDatabase second = new TestDatabase();

    @TempDir
    Path dir;

    private Rows rows;

    @BeforeEach
    void make_a_table() {
        rows = new Rows(second);
        rows.run("create table noted (id int primary key)");
    }

    @Test
    void each_host_of_a_list_is_a_server_and_everything_else_is_left_to_the_driver() {
        assertThat(servers("jdbc:mysql://a:1,b/rowlock?x=1,2"))
                .containsExactly("jdbc:mysql://a:1/rowlock?x=1,2", "jdbc:mysql://b/rowlock?x=1,2");
        assertThat(servers("jdbc:mysql://a,[::1]:3307,c/r"))
                .containsExactly("jdbc:mysql://a/r", "jdbc:mysql://[::1]:3307/r", "jdbc:mysql://c/r");
        for (String one : List.of(
                "jdbc:mysql://a/rowlock?list=b,c",
                "jdbc:mysql:loadbalance://a,b/r",
                "jdbc:mysql://(host=a),(host=b)/r",
                "jdbc:mysql+srv://a/r")) {
            assertThat(servers(one)).containsExactly(one);
        }
    }

    @Test
    void a_connection_goes_to_the_next_server_when_the_first_is_gone_and_stays_there() throws Exception {
        try (TcpRelay one = TcpRelay.to(second.address());
                TcpRelay two = TcpRelay.to(second.address());
                Database loop = Database.single(both(one.port(), two.port()), Duration.ofSeconds(3));
                Database pool = Database.pooled(both(one.port(), two.port()), 3, Duration.ofSeconds(3))) {
            note(loop, 1);
            note(pool, 2);
            assertThat(two.acceptedConnections()).isZero();

            one.goAway();
            once(loop, 3);
            once(pool, 4);
            long before = one.acceptedConnections();
            one.passThrough();
            two.cutAll();
            once(loop, 5);
            once(pool, 6);
            assertThat(one.acceptedConnections())
                    .as("nobody goes back without need")
                    .isEqualTo(before);

            two.goAway();
            once(loop, 7);
            once(pool, 8);
            assertThat(rows.count("noted")).isEqualTo(8);
        }
    }

    @Test
    void writes_go_to_the_other_server_when_one_becomes_read_only_whether_at_once_or_before() throws Exception {
        try (EmbeddedDatabase own = EmbeddedDatabase.start(dir.resolve("first"))) {
            Rows first = new Rows(() -> DriverManager.getConnection(own.url(), own.user(), own.password()));
            first.run("create database " + second.name());
            first.run("create table " + second.name() + ".noted (id int primary key)");
            first.account(WHO, "secret", second.name());
            rows.account(WHO, "secret", second.name());
            int port =
                    java.net.URI.create(own.url().substring("jdbc:".length())).getPort();
            DatabaseAddress address =
                    new DatabaseAddress(both(port, second.address().getPort()).url(), WHO, "secret");
            try (Database loop = Database.single(address, Duration.ofSeconds(3));
                    Database pool = Database.pooled(address, 2, Duration.ofSeconds(3))) {
                note(loop, 1);
                note(pool, 2);
                first.run("set global read_only = 1");

                once(loop, 3);
                once(pool, 4);

                assertThat(first.count(second.name() + ".noted")).isEqualTo(2);
                assertThat(rows.count("noted")).isEqualTo(2);
                try (Database fresh = Database.single(address, Duration.ofSeconds(3))) {
                    note(fresh, 5);
                }
                assertThat(rows.count("noted")).isEqualTo(3);
            } finally {
                rows.run("drop user " + WHO);
            }
        }
    }

    private static List<String> servers(String url) {
        return new DatabaseAddress(url, "u", "p").servers();
    }

    private DatabaseAddress both(int one, int two) {
        String url = second.url().replaceFirst("//[^/]*/", "//127.0.0.1:" + one + ",127.0.0.1:" + two + "/");
        return new DatabaseAddress(url, second.user(), second.password());
    }

    /** The connection that broke fails once; nobody has to wait or to help. */
    private static void once(Database database, int id) {
        @Nullable Throwable thrown = catchThrowable(() -> note(database, id));
        if (thrown != null) {
            assertThat(thrown).isInstanceOf(DatabaseUnavailable.class).isNotInstanceOf(CommitUnknown.class);
            note(database, id);
        }
    }

    private static void note(Database database, int id) {
        database.transact("noting " + id, handle -> handle.execute("insert into noted values (?)", id));
    }
}
