package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions as a whole: repeated from their first statement, applied once, or not at all; and which lock rows they wait for. */
@Tag("database")
class TransactTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private Database database;
    private Rows rows;

    @BeforeEach
    void open() {
        database = another();
        rows = new Rows(SERVER);
        rows.run("update cluster_lock set counter = 0");
        rows.run("delete from setting where name = 'mark'");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_transaction_that_lost_a_deadlock_is_repeated_from_its_first_statement_and_applied_once() throws Exception {
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        AtomicInteger begun = new AtomicInteger();
        try (Database other = another()) {
            CompletableFuture<Void> there =
                    CompletableFuture.runAsync(() -> countBoth(database, "task-00", "task-01", begun, bothHoldOne));
            CompletableFuture<Void> back =
                    CompletableFuture.runAsync(() -> countBoth(other, "task-01", "task-00", begun, bothHoldOne));
            CompletableFuture.allOf(there, back).get(30, TimeUnit.SECONDS);
        }

        assertThat(begun).hasValue(3);
        assertThat(rows.one("select group_concat(counter) from cluster_lock where counter > 0"))
                .isEqualTo("2,2");
    }

    @Test
    void a_transaction_that_waited_too_long_is_repeated_as_a_whole_although_the_server_undid_one_statement_only()
            throws SQLException {
        AtomicInteger begun = new AtomicInteger();
        try (Connection holder = SERVER.connect()) {
            holder.setAutoCommit(false);
            holder.createStatement().executeQuery("select * from cluster_lock where name = 'task-07' for update");
            database.transact("waiting", handle -> {
                if (begun.incrementAndGet() == 2) {
                    letGo(holder);
                }
                count(handle, "task-06");
                return count(handle, "task-07");
            });
        }

        assertThat(begun).hasValue(2);
        assertThat(rows.one("select group_concat(counter) from cluster_lock where counter > 0"))
                .isEqualTo("1,1");
    }

    @Test
    void a_statement_that_is_refused_takes_the_whole_transaction_with_it() {
        assertThatThrownBy(() -> database.transact("failing", handle -> {
                    mark(handle);
                    return handle.execute("insert into setting (name, value) values ('mark', 'again')");
                }))
                .isInstanceOf(StatementProblem.class)
                .hasMessageContaining("failing");

        assertThat(rows.count("setting where name = 'mark'")).isZero();
    }

    @Test
    void an_error_in_the_middle_leaves_nothing_that_the_next_transaction_would_commit() {
        assertThatThrownBy(() -> database.transact("breaking", handle -> {
                    mark(handle);
                    throw new StackOverflowError("in the middle");
                }))
                .isInstanceOf(StackOverflowError.class);

        database.transact("going on", handle -> count(handle, "task-00"));
        assertThat(rows.count("setting where name = 'mark'")).isZero();
    }

    /** @param known how many rows the server believes the table to have; of a new table it may know a few */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 65})
    void stripes_are_locked_without_waiting_for_the_others(int known) throws SQLException {
        rows.run("update mysql.innodb_table_stats set n_rows = " + known
                + " where database_name = database() and table_name = 'cluster_lock'");
        rows.run("update mysql.innodb_index_stats set stat_value = " + known
                + " where database_name = database() and table_name = 'cluster_lock' and stat_name like 'n_diff%'");
        rows.run("flush table cluster_lock");
        Set<Integer> wanted = IntStream.range(0, 40).boxed().collect(Collectors.toSet());
        try (Connection holder = SERVER.connect()) {
            holder.setAutoCommit(false);
            int held = 0;
            for (int stripe = 40; stripe < Locks.STRIPES; stripe++) {
                held += holder.createStatement()
                        .executeUpdate("update cluster_lock set note = 'x' where name = '" + Locks.name(stripe) + "'");
            }
            held += holder.createStatement().executeUpdate("update cluster_lock set note = 'x' where name = 'session'");
            assertThat(held).isEqualTo(25);
            AtomicInteger begun = new AtomicInteger();

            Map<Integer, Long> counters = database.transact("locking", handle -> {
                begun.incrementAndGet();
                return Locks.lock(handle, wanted).counters();
            });

            assertThat(counters).containsOnlyKeys(wanted);
            assertThat(begun).hasValue(1);
            holder.rollback();
        }
    }

    @Test
    void stripes_that_somebody_holds_are_waited_for() throws SQLException {
        try (Connection holder = SERVER.connect()) {
            holder.setAutoCommit(false);
            holder.createStatement().executeQuery("select * from cluster_lock where name = 'task-03' for update");

            assertThatThrownBy(() -> database.autoCommit("locking", handle -> Locks.lock(handle, Set.of(2, 3))))
                    .isInstanceOf(DatabaseUnavailable.class);
        }
    }

    @Test
    void a_change_of_rules_waits_for_whoever_holds_a_stripe_and_every_later_holder_sees_it() throws SQLException {
        long before = rules(17);
        try (Connection holder = SERVER.connect()) {
            holder.setAutoCommit(false);
            holder.createStatement().executeQuery("select * from cluster_lock where name = 'task-03' for update");

            assertThatThrownBy(() -> database.autoCommit("changing rules", Locks::raiseRules))
                    .isInstanceOf(DatabaseUnavailable.class);
        }
        assertThat(rules(17)).isEqualTo(before);

        assertThat(database.transact("changing rules", Locks::raiseRules)).isEqualTo(before + 1);

        IntStream.range(0, Locks.STRIPES)
                .forEach(stripe -> assertThat(rules(stripe)).isEqualTo(before + 1));
    }

    private long rules(int stripe) {
        return database.transact(
                "locking", handle -> Locks.lock(handle, Set.of(stripe)).rules());
    }

    private static void countBoth(
            Database on, String first, String second, AtomicInteger begun, CyclicBarrier barrier) {
        boolean[] waited = {false};
        on.transact("counting", handle -> {
            begun.incrementAndGet();
            count(handle, first);
            if (!waited[0]) {
                waited[0] = true;
                meet(barrier);
            }
            return count(handle, second);
        });
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void letGo(Connection holder) {
        try {
            holder.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int count(Handle handle, String lockRow) {
        return handle.execute("update cluster_lock set counter = counter + 1 where name = ?", lockRow);
    }

    private static void mark(Handle handle) {
        handle.execute("insert into setting (name, value) values ('mark', 'made')");
    }

    private Database another() {
        return Database.single(address(), Duration.ofSeconds(10));
    }

    private static DatabaseAddress address() {
        return new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
