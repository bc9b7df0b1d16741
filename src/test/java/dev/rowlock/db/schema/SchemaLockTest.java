package dev.rowlock.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The row by which nodes on any member of a cluster wait for each other with the schema. */
@Tag("database")
class SchemaLockTest {

    private static final String TABLE =
            "create table rowlock_schema_lock (id int not null, holder varchar(36) not null,"
                    + " renewed bigint not null, looks bigint not null, primary key (id))";

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

    private final Rows rows = new Rows(server);

    @Test
    void who_waits_has_it_when_the_holder_gives_it_back() throws Exception {
        SchemaLock first = new SchemaLock(source(), renewal -> {}, time -> {});
        AtomicInteger waited = new AtomicInteger();

        SchemaLock second = new SchemaLock(source(), renewal -> {}, time -> {
            assertThat(waited.incrementAndGet()).isEqualTo(1);
            close(first);
        });

        assertThat(waited).hasValue(1);
        second.close();
        assertThat(rows.count("rowlock_schema_lock")).isZero();
    }

    @Test
    void one_that_nobody_renews_is_taken_over() throws Exception {
        rows.run(TABLE);
        rows.run("insert into rowlock_schema_lock values (1, 'gone', 7, 0)");
        AtomicInteger waited = new AtomicInteger();

        SchemaLock lock = new SchemaLock(source(), renewal -> {}, time -> waited.incrementAndGet());

        assertThat(waited).hasValueBetween(SchemaLock.LOOKS, SchemaLock.LOOKS + 1);
        assertThat(rows.one("select holder from rowlock_schema_lock")).isNotEqualTo("gone");
        lock.close();
    }

    @Test
    void one_that_is_renewed_is_waited_for() throws Exception {
        rows.run(TABLE);
        rows.run("insert into rowlock_schema_lock values (1, 'other', 7, 0)");
        AtomicInteger waited = new AtomicInteger();
        int times = 3 * SchemaLock.LOOKS;

        SchemaLock lock = new SchemaLock(source(), renewal -> {}, time -> {
            boolean over = waited.incrementAndGet() == times;
            rows.run(over ? "delete from rowlock_schema_lock" : "update rowlock_schema_lock set renewed = renewed + 1");
        });

        assertThat(waited).hasValue(times);
        lock.close();
    }

    @Test
    void migrations_wait_for_it() throws Exception {
        rows.run(TABLE);
        rows.run("insert into rowlock_schema_lock values (1, 'other', 0, 0)");
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        CompletableFuture<Integer> migrated = CompletableFuture.supplyAsync(() -> Migrations.run(servers));
        Until.holds(Duration.ofMinutes(1), "a look at the lock", () -> {
            assertThat(migrated).isNotDone();
            return rows.count("rowlock_schema_lock where looks > 0") > 0;
        });
        assertThat(rows.count("information_schema.tables where table_schema = database() and table_name = 'task'"))
                .isZero();

        rows.run("delete from rowlock_schema_lock");

        assertThat(migrated.get(5, TimeUnit.MINUTES)).isPositive();
    }

    private DataSource source() {
        return new DatabaseAddress(server.url(), server.user(), server.password()).dataSource(Duration.ofSeconds(30));
    }

    private static void close(SchemaLock lock) {
        try {
            lock.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
