package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ids are given once, by whichever node and whatever becomes of the transaction that asked for them. */
@Tag("database")
class TaskIdsTest {

    @RegisterExtension
    final TestDatabase tests = new TestDatabase();

    private final Rows rows = new Rows(tests);

    private Database node() {
        return Database.single(
                new DatabaseAddress(tests.url(), tests.user(), tests.password()), Duration.ofSeconds(30));
    }

    private static List<Long> take(Database node, int count) {
        return node.autoCommit("taking ids", handle -> TaskIds.next(handle, count));
    }

    @Test
    void nodes_that_take_ids_at_the_same_time_get_different_ones() {
        List<CompletableFuture<List<Long>>> taken = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            taken.add(CompletableFuture.supplyAsync(() -> {
                List<Long> ids = new ArrayList<>();
                try (Database database = node()) {
                    for (int i = 0; i < 10; i++) {
                        ids.addAll(take(database, 170));
                    }
                }
                return ids;
            }));
        }
        List<Long> all = taken.stream().flatMap(ids -> ids.join().stream()).toList();

        assertThat(all).hasSize(4 * 1_700).doesNotHaveDuplicates();
    }

    @Test
    void a_transaction_that_is_undone_does_not_give_its_ids_back() {
        try (Database database = node()) {
            Set<Long> given = new HashSet<>();
            assertThatThrownBy(() -> database.transact("undone", handle -> {
                        given.add(TaskIds.next(handle));
                        throw new IllegalStateException("undone");
                    }))
                    .hasMessage("undone");

            assertThat(take(database, 600)).doesNotContainAnyElementsOf(given).isSorted();
        }
    }

    @Test
    void a_block_begins_beyond_every_id_that_is_known() {
        rows.run("update task_ids set next_id = 1");
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, ended_at, last_fire_time) values (7000, 1, 'a', 'b', 1, utc_timestamp(3), '', 1, 'SCHEDULE',"
                + " 'SUCCEEDED', utc_timestamp(3), utc_timestamp(3))");
        rows.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time) values (8000, 1, 1, 1,"
                + " utc_timestamp(3))");

        try (Database database = node()) {
            assertThat(take(database, 1)).containsExactly(8001L);
        }
        assertThat(rows.one("select next_id from task_ids")).isEqualTo("8501");
    }

    /**
     * Nobody saw its connection break: the server had dropped it as idle. The row is what another server, or an older
     * state, knows of it.
     */
    @Test
    void a_block_is_given_up_with_the_connections_that_it_was_taken_for() throws Exception {
        try (Database one = node();
                Database other = node()) {
            String before = String.valueOf(rows.one("select next_id from task_ids"));
            String connection = one.autoCommit("taking an id", handle -> {
                TaskIds.next(handle);
                return handle.createQuery("select connection_id()")
                        .mapTo(String.class)
                        .one();
            });
            Until.holds(
                    Duration.ofSeconds(30),
                    "the server to end it",
                    () -> rows.count("information_schema.processlist where id = " + connection) == 0);
            rows.run("update task_ids set next_id = " + before);

            List<Long> ids = new ArrayList<>(take(other, 10));
            ids.addAll(take(one, 20));

            assertThat(ids).doesNotHaveDuplicates();
        }
    }

    /** What holds locks would hold them for as long as that takes. */
    @Test
    void once_ids_were_asked_for_no_transaction_takes_a_block_under_its_locks() {
        try (Database node = node()) {
            take(node, 500);
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                node.transact("holding locks", handle -> {
                    String before = String.valueOf(rows.one("select next_id from task_ids"));
                    ids.addAll(TaskIds.next(handle, 500));
                    assertThat(rows.one("select next_id from task_ids")).isEqualTo(before);
                    return true;
                });
            }
            assertThat(ids).hasSize(1_500).doesNotHaveDuplicates();
        }
    }

    /** Whoever waits for a transaction that holds locks would wait for it, too. */
    @Test
    void the_row_is_locked_by_nobody_who_asked_for_ids() {
        try (Database one = node();
                Database other = node()) {
            one.transact("holding locks", handle -> {
                long id = TaskIds.next(handle);
                assertThat(take(other, 1)).isNotEqualTo(List.of(id));
                return id;
            });
        }
    }
}
