package dev.rowlock.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MigrationsTest {

    private static final String INDEXES =
            "select concat(table_name, '.', index_name, '(', group_concat(column_name order by seq_in_index), ')')"
                    + " from information_schema.statistics where table_schema = database() group by table_name, index_name";

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @Test
    void every_step_can_be_repeated_by_a_server_that_died_before_it_could_be_noted() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(address);
        List<?> indexes = rows.all(INDEXES);

        rows.run("delete from rowlock_schema_history where version is not null and version <> '0'");
        Migrations.run(address);

        assertThat(rows.all(INDEXES)).isEqualTo(indexes);
        assertThat(indexes.toString())
                .contains("task.held(session_id)")
                .contains("task_history.by_node(node,fire_time)")
                .contains("task_history.by_namespace(namespace,fire_time)");
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    @Test
    void what_an_earlier_version_has_set_aside_for_good_is_taken_up() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(address);
        long aside = rows.task(rows.job("a", "{}"), 0, true);
        rows.run("update task set due_at = null, waits_for = 'error: cannot be prepared: full'");
        rows.task(rows.job("b", "{}"), 0, true);

        rows.run("delete from rowlock_schema_history where version = '6'");
        Migrations.run(address);

        assertThat(rows.all("select task_id, look_at <= utc_timestamp(3) as due from task_aside"))
                .containsExactly(Map.of("task_id", String.valueOf(aside), "due", "1"));
    }
}
