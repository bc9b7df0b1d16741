package dev.rowlock.db;

import static dev.rowlock.db.Ways.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.support.TwoServers;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A URL that names several servers. */
@Tag("database")
class FailoverTest {

    @RegisterExtension
    final TestDatabase second = TestDatabase.withoutTables();

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
                Ways process = new Ways(both(one.port(), two.port()))) {
            Database loop = process.loop;
            Database pool = process.pool;
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
    void writes_go_to_the_other_server_when_one_becomes_read_only_whether_at_once_or_before(@TempDir Path dir)
            throws Exception {
        try (TwoServers both = new TwoServers(dir, second);
                Ways process = new Ways(both.address())) {
            both.first.run("create table noted (id int primary key)");
            note(process.loop, 1);
            note(process.pool, 2);
            both.first.run("set global read_only = 1");

            note(process.loop, 3);
            assertThat(counted(process.pool)).as("reads follow").isEqualTo(1);
            note(process.pool, 4);

            assertThat(both.first.count("noted")).isEqualTo(2);
            assertThat(rows.count("noted")).isEqualTo(2);
            try (Database fresh = Database.single(both.address(), Duration.ofSeconds(3))) {
                note(fresh, 5);
            }
            assertThat(rows.count("noted")).isEqualTo(3);
        }
    }

    @Test
    void who_waits_for_a_frozen_server_is_cut_off_when_another_takes_writes_and_all_go_there() throws Exception {
        try (TcpRelay one = TcpRelay.to(second.address());
                TcpRelay two = TcpRelay.to(second.address());
                Ways process = new Ways(both(one.port(), two.port()))) {
            note(process.loop, 1);
            note(process.pool, 2);
            one.blackhole(TcpRelay.Direction.TO_CLIENT);
            CompletableFuture<@Nullable Throwable> stuck =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> note(process.pool, 3)));
            CompletableFuture<@Nullable Throwable> reading =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> counted(process.loop)));

            process.lookUntil(() -> process.moves.get() == 1);

            assertThat(stuck.get(2, TimeUnit.SECONDS)).isInstanceOf(DatabaseUnavailable.class);
            assertThat(reading.get(2, TimeUnit.SECONDS)).isInstanceOf(DatabaseUnavailable.class);
            note(process.loop, 4);
            note(process.pool, 5);
            assertThat(process.servers.check(Runnable::run)).isTrue();
            assertThat(process.moves).hasValue(1);
        }
    }

    @Test
    void a_server_that_was_frozen_is_used_again_when_no_other_took_writes() throws Exception {
        try (TcpRelay one = TcpRelay.to(second.address());
                TcpRelay gone = TcpRelay.to(second.address());
                Ways process = new Ways(both(one.port(), gone.port()))) {
            gone.goAway();
            note(process.loop, 1);
            note(process.pool, 4);
            one.blackhole(TcpRelay.Direction.TO_CLIENT);
            CompletableFuture<@Nullable Throwable> stuck =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> note(process.pool, 2)));
            process.lookUntil(() -> !process.servers.check(Runnable::run));
            one.passThrough();

            stuck.get(10, TimeUnit.SECONDS); // went on, unless the server has ended it for its silence
            process.lookUntil(() -> process.servers.check(Runnable::run));
            note(process.loop, 3);
        }
    }

    @Test
    void who_finds_no_server_is_told_what_is_wrong_with_each() throws Exception {
        try (TcpRelay one = TcpRelay.to(second.address())) {
            one.goAway();
            int closed = closedPort();
            try (Database loop = Database.single(both(one.port(), closed), Duration.ofSeconds(3))) {
                assertThatThrownBy(() -> note(loop, 1))
                        .isInstanceOf(DatabaseUnavailable.class)
                        .hasMessageContaining("no server of database.url takes writes: 127.0.0.1:" + one.port())
                        .hasMessageContaining("127.0.0.1:" + closed + ": Connection refused");
            }
        }
    }

    @Test
    void a_wrong_password_is_told_with_host_and_user_and_not_as_a_server_that_does_not_answer() {
        DatabaseAddress wrong = new DatabaseAddress(second.url(), "nobody_here", "wrong");
        try (Database loop = Database.single(wrong, Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> note(loop, 1))
                    .isInstanceOf(DatabaseRefused.class)
                    .hasMessageContaining("127.0.0.1:" + second.address().getPort())
                    .hasMessageContaining("nobody_here")
                    .hasMessageContaining("check database.user, database.password");
        }
        assertThat(new DatabaseAddress("jdbc:mysql://db.example.com/x", "u", "p").host())
                .isEqualTo("db.example.com:3306");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static long counted(Database database) {
        return database.autoCommit(
                "counting",
                handle -> handle.createQuery("select count(*) from noted")
                        .mapTo(Long.class)
                        .one());
    }

    private static List<String> servers(String url) {
        return new DatabaseAddress(url, "u", "p")
                .servers().stream().map(DatabaseAddress::url).toList();
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
}
