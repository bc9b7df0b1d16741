package dev.rowlock.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MigrationsTest {

    private static final String INDEXES =
            "select concat(table_name, '.', index_name, '(', group_concat(column_name order by seq_in_index), ')')"
                    + " from information_schema.statistics where table_schema = database() group by table_name, index_name";

    private static final int LAST = 6;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @Test
    void every_step_can_be_repeated_by_a_server_that_died_before_it_could_be_noted() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        for (int version = 1; version <= LAST; version++) {
            Migrations.run(address, String.valueOf(version));
            List<?> indexes = rows.all(INDEXES);
            rows.run("delete from rowlock_schema_history where version = '" + version + "'");
            Migrations.run(address, String.valueOf(version));
            assertThat(rows.all(INDEXES)).as("version %d", version).isEqualTo(indexes);
        }
        Migrations.run(address);

        assertThat(rows.all("select max(cast(version as unsigned)) as last from rowlock_schema_history"))
                .extracting(row -> String.valueOf(row.get("last")))
                .containsExactly(String.valueOf(LAST));
        assertThat(rows.all(INDEXES).toString())
                .doesNotContain("task.held")
                .contains("task_history.by_node(node,fire_time)")
                .contains("task_history.by_namespace(namespace,fire_time)");
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    @Test
    void other_peoples_tables_in_the_same_database_are_no_hindrance() {
        Rows rows = new Rows(server);
        rows.run("create table customer (id int)");
        rows.run("insert into customer values (1)");

        Migrations.run(new DatabaseAddress(server.url(), server.user(), server.password()));

        assertThat(rows.count("cluster_lock")).isEqualTo(65);
        assertThat(rows.count("customer")).isEqualTo(1);
    }
}
