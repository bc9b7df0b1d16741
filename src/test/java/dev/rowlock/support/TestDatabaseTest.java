package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schemas that are lent: whatever a test did to one, the next test finds what the migrations wrote. */
@Tag("database")
class TestDatabaseTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @RegisterExtension
    final TestDatabase without = TestDatabase.withoutTables();

    private static final String TABLES = "information_schema.tables where table_schema = database()";

    @RepeatedTest(3)
    void a_schema_holds_what_the_migrations_wrote_and_ids_begin_with_one() {
        Rows rows = new Rows(database);
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
        assertThat(rows.count("cluster_lock where counter <> 0")).isZero();
        assertThat(rows.count("job")).isZero();
        assertThat(rows.count("setting")).isZero();

        assertThat(rows.job("a", "{}")).isEqualTo(1);
        rows.run("update cluster_lock set counter = 7");
        rows.run("delete from cluster_lock where name = 'task-07'");
        rows.run("insert into setting (name, value) values ('left', 'behind')");
    }

    @RepeatedTest(3)
    void a_table_an_index_or_a_trigger_of_one_test_is_not_there_in_the_next() {
        Rows rows = new Rows(database);
        long tables = rows.count(TABLES);
        assertThat(rows.count("information_schema.triggers where trigger_schema = database()"))
                .isZero();
        assertThat(rows.count(TABLES + " and table_name = 'mine'")).isZero();
        assertThat(rows.count("information_schema.statistics where table_schema = database() and index_name = 'mine'"))
                .isZero();

        rows.run("create index mine on job (created_at)");
        rows.run("create table mine (id int)");
        rows.run("create trigger refused before insert on task for each row signal sqlstate '45000'");
        assertThat(rows.count(TABLES)).isEqualTo(tables + 1);
    }

    @RepeatedTest(2)
    void one_without_tables_has_none_and_speaks_utf8mb4() {
        Rows rows = new Rows(without);
        assertThat(rows.count(TABLES)).isZero();
        assertThat(rows.one("select @@character_set_database")).isEqualTo("utf8mb4");
        rows.run("create table mine (id int)");
    }

    @Test
    void tables_are_emptied_by_name() {
        Rows rows = new Rows(database);
        rows.job("a", "{}");
        database.empty("job", "task");
        assertThat(rows.count("job")).isZero();
        assertThat(rows.count("job_version")).isEqualTo(1);
    }
}
