package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.rule.Selector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of the selectors of nodes that have gone. */
@Tag("database")
class SelectorStoreTest {

    @RegisterExtension
    final TestDatabase testDatabase = new TestDatabase();

    private Database database;
    private Rows rows;
    private SelectorStore store;

    @BeforeEach
    void open() {
        rows = new Rows(testDatabase);
        database = Database.single(
                new DatabaseAddress(testDatabase.url(), testDatabase.user(), testDatabase.password()),
                Duration.ofSeconds(5));
        store = new SelectorStore(database);
        session("alive");
        List<Selector> gone = IntStream.range(0, 150)
                .mapToObj(i -> Selector.ANY.on("gone" + i))
                .toList();
        database.transact("making selectors", handle -> SelectorStore.idsOf(handle, gone));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void those_that_no_task_has_had_for_an_hour_are_forgotten_but_for_those_of_live_nodes() {
        int alive = id(Selector.ANY.on("alive"));
        int labelled = id(Selector.parse("role=db"));
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, selector)"
                + " values (1, 1, 1, '2026-01-01', 1, 'MANUAL', '2026-01-01', 'IDLE', " + labelled + ")");

        store.sweep();
        assertThat(rows.count("selector")).isEqualTo(152);
        anHourLater();
        store.sweep();

        assertThat(rows.count("selector")).isEqualTo(2);
        assertThat(store.read(List.of(alive, labelled))).containsKeys(alive, labelled);
    }

    @Test
    void one_that_is_wanted_again_stays_or_has_another_number() {
        Selector again = Selector.ANY.on("gone7");
        int number = id(again);
        store.sweep();
        anHourLater();
        assertThat(id(again)).isEqualTo(number);

        store.sweep();
        assertThat(rows.count("selector")).isEqualTo(1);
        assertThat(id(again)).isEqualTo(number);
        rows.run("delete from selector");

        assertThat(id(again)).isNotEqualTo(number);
    }

    private int id(Selector selector) {
        Map<Selector, Integer> ids =
                database.transact("asking for a selector", handle -> SelectorStore.idsOf(handle, List.of(selector)));
        return ids.getOrDefault(selector, -1);
    }

    private void anHourLater() {
        rows.run("update selector set unused_since = unused_since - interval 1 hour");
    }

    private void session(String node) {
        rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                + " heartbeat_at, state) values ('" + node + "', '" + node + "', 'h', 'b', 1, 1, '1', '{}', 1,"
                + " utc_timestamp(3), utc_timestamp(3), 'ALIVE')");
    }
}
