package dev.rowlock.db;

import static dev.rowlock.db.Ways.note;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.support.TwoServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A heartbeat that hangs while another server of the URL takes writes too: whether the server is to blame. */
@Order(1)
@Tag("database")
class HangingCommitsTest {

    private static final long LONG_AFTER = Duration.ofSeconds(5).toNanos();

    @RegisterExtension
    final TestDatabase tests = TestDatabase.withoutTables();

    @TempDir
    Path dir;

    private TwoServers both;

    @BeforeEach
    void start() throws Exception {
        both = new TwoServers(dir, tests);
        both.run("create table noted (id int primary key)");
        both.run("create table setting (name varchar(64) primary key, value varchar(255) not null)");
    }

    @AfterEach
    void stop() throws Exception {
        both.close();
    }

    /** The second is what a primary in the minority does: it takes statements, calls itself writable, and lets commits wait. */
    @ParameterizedTest
    @ValueSource(strings = {"flush tables with read lock", "backup stage start; backup stage block_commit"})
    void a_server_whose_commits_hang_though_it_is_not_read_only_is_left_for_one_that_takes_writes(String halt)
            throws Exception {
        try (Ways process = new Ways(both.address());
                Connection holder = both.connectToFirst()) {
            note(process.heart, 1);
            for (String statement : halt.split("; ", -1)) {
                holder.createStatement().execute(statement);
            }
            CompletableFuture<@Nullable Throwable> beat = beat(process, "insert into noted values (2)");

            process.lookUntil(() -> process.moves.get() == 1);

            assertThat(beat.get(2, TimeUnit.SECONDS)).isInstanceOf(DatabaseUnavailable.class);
            note(process.heart, 3);
            assertThat(both.second.count("noted")).isEqualTo(1);
        }
    }

    /** As in a Galera cluster that has not yet voted out a dead member. */
    @Test
    void a_server_whose_commits_hang_is_not_left_for_one_whose_commits_hang_too() throws Exception {
        try (Ways process = new Ways(both.address());
                Connection holder = both.connectToFirst();
                Connection other = tests.connect()) {
            note(process.heart, 1);
            holder.createStatement().execute("flush tables with read lock");
            // The tests' server is shared: only the table by which a commit is tried hangs there.
            other.createStatement().execute("lock tables setting read");
            CompletableFuture<@Nullable Throwable> beat = beat(process, "insert into noted values (2)");
            Until.holds(
                    Duration.ofSeconds(10),
                    "the heartbeat to wait",
                    () -> both.first.count("information_schema.processlist where info like 'insert into noted%'") == 1);
            process.aheadNanos.set(LONG_AFTER);

            assertThat(process.servers.check(Runnable::run)).isFalse();

            holder.createStatement().execute("unlock tables");
            assertThat(beat.get(10, TimeUnit.SECONDS)).isNull();
            assertThat(process.moves).hasValue(0);
            assertThat(both.first.count("noted")).isEqualTo(2);
        }
    }

    @Test
    void a_heartbeat_that_waits_for_a_lock_moves_nobody() throws Exception {
        try (Ways process = new Ways(both.address());
                Connection holder = both.connectToFirst()) {
            note(process.heart, 1);
            holder.setCatalog(tests.name());
            holder.setAutoCommit(false);
            holder.createStatement().executeQuery("select id from noted where id = 1 for update");
            CompletableFuture<@Nullable Throwable> beat = beat(process, "update noted set id = 2 where id = 1");
            Until.holds(
                    Duration.ofSeconds(10),
                    "the heartbeat to wait",
                    () -> both.first.count("information_schema.processlist where info like 'update noted%'") == 1);
            process.aheadNanos.set(LONG_AFTER);

            assertThat(process.servers.check(Runnable::run)).isTrue();

            holder.rollback();
            assertThat(beat.get(10, TimeUnit.SECONDS)).isNull();
            assertThat(process.moves).hasValue(0);
            assertThat(both.first.count("noted where id = 2")).isEqualTo(1);
            assertThat(both.first.count("setting")).as("nothing is left behind").isZero();
        }
    }

    @Test
    void one_connection_that_hangs_moves_nobody() throws Exception {
        try (TcpRelay relay = TcpRelay.to(both.firstAddress());
                Ways process = new Ways(both.through(relay.port()))) {
            note(process.heart, 1);
            relay.stallOpen();
            long sent = relay.statements();
            CompletableFuture<@Nullable Throwable> beat = beat(process, "insert into noted values (2)");
            Until.holds(Duration.ofSeconds(10), "the heartbeat to hang", () -> relay.stalled() > 0);
            process.aheadNanos.set(LONG_AFTER);

            assertThat(process.servers.check(Runnable::run)).isTrue();

            relay.passThrough();
            assertThat(beat.get(10, TimeUnit.SECONDS)).isNull();
            assertThat(relay.statements()).isGreaterThan(sent);
            assertThat(process.moves).hasValue(0);
            assertThat(both.first.count("noted")).isEqualTo(2);
        }
    }

    private static CompletableFuture<@Nullable Throwable> beat(Ways process, String statement) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> process.heart.autoCommit("heartbeat", handle -> handle.execute(statement))));
    }
}
