package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of a process that is frozen: how long the server keeps what they hold. */
@Order(1)
@Tag("database")
class SilentConnectionTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @BeforeEach
    void migrate() {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_lock_row_is_free_again_seconds_after_its_holder_froze(boolean pooled) throws Exception {
        CountDownLatch thawed = new CountDownLatch(1);
        CountDownLatch holds = new CountDownLatch(1);
        try (Database database = pooled
                        ? Database.pooled(new Servers(address()), 2, Duration.ofSeconds(5))
                        : Database.single(address(), Duration.ofSeconds(30));
                Connection other = SERVER.connect()) {
            CompletableFuture<@Nullable Throwable> frozen =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> database.transact("changing", handle -> {
                        handle.select("select * from cluster_lock where name = 'task-05' for update")
                                .mapToMap()
                                .list();
                        handle.execute("update cluster_lock set counter = counter + 1 where name = 'task-05'");
                        holds.countDown();
                        return freeze(thawed);
                    })));
            holds.await();
            long since = System.nanoTime();
            other.createStatement().execute("set innodb_lock_wait_timeout = 20");
            other.createStatement().executeQuery("select * from cluster_lock where name = 'task-05' for update");
            long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
            thawed.countDown();

            assertThat(waited).isLessThan(5_000);
            assertThat(frozen.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(DatabaseUnavailable.class)
                    .isInstanceOf(CommitUnknown.class);
            assertThat(database.<Integer>transact(
                            "going on",
                            handle -> handle.execute("update cluster_lock set note = 'x' where name = 'x'")))
                    .isZero();
        }
    }

    private static int freeze(CountDownLatch thawed) {
        try {
            return thawed.await(30, TimeUnit.SECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void one_that_the_server_ended_for_its_silence_is_replaced_without_a_word(boolean pooled) throws Exception {
        Rows rows = new Rows(SERVER);
        try (Database database = pooled
                ? Database.pooled(new Servers(address()), 2, Duration.ofSeconds(5))
                : Database.single(address(), Duration.ofSeconds(30))) {
            String first = id(database);
            Until.holds(
                    SOON,
                    "the server to end it",
                    () -> rows.count("information_schema.processlist where id = " + first) == 0);
            assertThat(id(database)).isNotEqualTo(first);
        }
    }

    @Test
    void no_more_connections_are_open_than_the_pool_may_have_and_who_finds_none_is_told() {
        try (Database database = Database.pooled(new Servers(address()), 1, Duration.ofMillis(200))) {
            Throwable thrown = database.autoCommit("holding it", handle -> catchThrowable(() -> id(database)));
            assertThat(thrown).isInstanceOf(DatabaseUnavailable.class).hasMessageContaining("database.pool-size");
            assertThat(id(database)).isEqualTo(id(database));
        }
    }

    private static String id(Database database) {
        return database.autoCommit(
                "asking",
                handle -> handle.createQuery("select connection_id()")
                        .mapTo(String.class)
                        .one());
    }

    private static DatabaseAddress address() {
        return new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
