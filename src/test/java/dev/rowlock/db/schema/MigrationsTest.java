package dev.rowlock.db.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.db.UnsuitableServer;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.history.Retention.AgingTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class MigrationsTest {

    private static final String INDEXES =
            "select concat(table_name, '.', index_name, '(', group_concat(column_name order by seq_in_index), ')')"
                    + " from information_schema.statistics where table_schema = database() group by table_name, index_name";

    private static final String TABLES = "select table_name, create_time from information_schema.tables where"
            + " table_schema = database() order by table_name";

    private static final String VIEWS = "select table_name as name, security_type, view_definition"
            + " from information_schema.views where table_schema = database() order by table_name";

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

    @Test
    void tables_without_a_record_of_the_schema_are_left_alone_as_of_a_dump_that_was_cut_off() {
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        Rows rows = new Rows(server);
        rows.run("create table alert_channel (id int)");
        rows.run("create table api_token (id int)");

        assertThatThrownBy(() -> Migrations.run(servers))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining("a dump was not loaded to its end");
        assertThat(rows.count("information_schema.tables where table_schema = database()"))
                .isEqualTo(2);

        rows.run("drop table alert_channel, api_token");
        rows.run("create table of_others (id int)");
        Migrations.run(servers);
        assertThat(rows.count("cluster_lock")).as("beside what is of others").isEqualTo(65);
    }

    @Test
    void every_step_can_be_repeated_by_a_server_that_died_before_it_could_be_noted() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        List<?> indexes = rows.all(INDEXES);

        rows.run("delete from rowlock_schema_history where version is not null and version <> '0'");
        Migrations.run(new Servers(address));

        assertThat(rows.all(INDEXES)).isEqualTo(indexes);
        assertThat(indexes.toString())
                .contains("task.held(session_id,job_id)")
                .contains("task_history.by_node(node,fire_time)")
                .contains("task_history.by_namespace(namespace,fire_time)")
                .contains("job_version.by_name(namespace,name,version)")
                .contains("task_span.by_age(ended_at)")
                .contains("job.by_secrets(uses_secrets,namespace,name)")
                .contains("secret.by_name(namespace,name)")
                .contains("api_token.by_token_id(token_id)")
                .contains("audit.by_name(namespace,name,at)")
                .contains("audit.by_namespace(namespace,at)")
                .contains("alert.by_job(namespace,job,id)")
                .contains("alert.by_open(namespace,closed_at,id)");
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    /** Until the first release, the one file that makes the tables is changed in place. */
    @Test
    void tables_of_a_version_from_before_the_first_release_are_left_alone() {
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        Rows rows = new Rows(server);
        Migrations.run(servers);
        rows.run("update rowlock_schema_history set checksum = checksum + 1 where version = '1'");
        rows.run("drop view v_audit");
        List<?> tables = rows.all(TABLES);

        assertThatThrownBy(() -> Migrations.run(servers))
                .isInstanceOf(UnsuitableServer.class)
                .hasMessageContaining("made by another version of Rowlock, from before its first release")
                .hasMessageContaining("rowlock job export")
                .hasMessageContaining("nothing was changed");
        assertThat(rows.all(TABLES)).isEqualTo(tables);
    }

    @Test
    void it_says_what_it_changed_and_that_a_newer_version_has_been_there() {
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        try (LogLines log = LogLines.of(Migrations.class)) {
            Migrations.run(servers);
            assertThat(log.texts()).hasSize(1).first().asString().matches("brought the schema from version 0 to \\d+");
            Migrations.run(servers);
            assertThat(log.texts()).as("nothing was to be done").hasSize(1);
            new Rows(server)
                    .run("insert into rowlock_schema_history (installed_rank, version, description, type, script,"
                            + " checksum, installed_by, execution_time, success)"
                            + " values (99, '99', 'x', 'SQL', 'V99__x.sql', 4711, 'x', 1, true)");

            Migrations.run(servers);

            assertThat(log.texts())
                    .last()
                    .isEqualTo("the schema is at version 99, made by a newer version of Rowlock;"
                            + " this node goes on with it");
        }
    }

    @Test
    void what_statements_ask_of_a_definition_is_worked_out_from_it() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        rows.job("cron", "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"onLost\": \"FAIL\"}");
        rows.job("prefix", "{\"schedule\": \"TZ=Africa/Cairo 0 3 * * *\", \"zone\": \"UTC\", \"onLost\": \"RERUN\"}");
        rows.job("nothing", "{}");
        rows.job("manual", "{\"schedule\": \"CRON_TZ=Africa/Cairo\\\\t@manual\", \"zone\": null, \"onLost\": null}");
        rows.job(
                "other",
                "{\"schedule\": [1], \"zone\": {\"is\": \"" + "ü".repeat(100)
                        + "\"}, \"onLost\": \"TO_BE_OR_NOT_TO_BE_ASKED\"}");

        String columns = "select concat_ws(' ', on_lost, zone, is_manual) from job where name = ";
        assertThat(rows.one(columns + "'cron'")).isEqualTo("FAIL Europe/Berlin 0");
        assertThat(rows.one(columns + "'prefix'")).isEqualTo("RERUN Africa/Cairo 0");
        assertThat(rows.one(columns + "'nothing'")).isEqualTo("RERUN UTC 0");
        assertThat(rows.one(columns + "'manual'")).isEqualTo("RERUN Africa/Cairo 1");
        assertThat(rows.one(columns + "'other'")).startsWith("TO_BE_OR_NOT_TO_BE_A");
        assertThat(rows.one("select group_concat(name, ' ', state order by name) from v_job"))
                .isEqualTo("cron ENDED,manual IDLE,nothing ENDED,other ENDED,prefix ENDED");

        rows.run(
                "update job set definition = json_set(definition, '$.schedule', '@manual', '$.onLost', 'RERUN') where name = 'cron'");
        assertThat(rows.one(columns + "'cron'")).isEqualTo("RERUN Europe/Berlin 1");
    }

    @Test
    void what_is_generated_and_has_an_index_is_stored() {
        Migrations.run(new Servers(new DatabaseAddress(server.url(), server.user(), server.password())));
        Rows rows = new Rows(server);
        String generated = "select group_concat(distinct concat(c.table_name, '.', c.column_name)"
                + " order by c.table_name, c.column_name) from information_schema.columns c"
                + " join information_schema.statistics i using (table_schema, table_name, column_name)"
                + " where c.table_schema = database() and c.extra like '%";

        assertThat(rows.one(generated + "STORED%'")).contains("job.has_finish_by", "job.search", "task.idle");
        assertThat(rows.one(generated + "VIRTUAL%'")).isNull();
    }

    /** Whoever migrated the schema may be gone: a person who left, or an account that was replaced by another. */
    @Test
    void views_outlive_the_account_that_made_them() {
        Rows rows = new Rows(server);
        String maker = "maker_" + server.name().replaceAll(".*_(\\d+_\\d+)$", "$1");
        rows.account(maker, "secret", server.name());
        Migrations.run(new Servers(new DatabaseAddress(server.url(), maker, "secret")));
        rows.run("drop user " + maker);

        for (var view : rows.all("select table_name as name, security_type from information_schema.views"
                + " where table_schema = database()")) {
            assertThat(view.get("security_type")).as(view.get("name")).isEqualTo("INVOKER");
            rows.all("select * from " + view.get("name"));
        }
        assertThat(rows.count("information_schema.views where table_schema = database()"))
                .isGreaterThanOrEqualTo(8);
    }

    /** Which is what a dump leaves that was loaded by an account that may not make views in another's name. */
    @Test
    void views_that_are_missing_or_dummies_of_a_dump_are_recreated() {
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        Rows rows = new Rows(server);
        Migrations.run(servers);
        List<?> views = rows.all(VIEWS);
        assertThat(views).hasSizeGreaterThanOrEqualTo(9);
        rows.run("drop view v_audit, v_broken_link");
        rows.run("create view v_broken_link as select 1 as namespace, 1 as job");
        rows.run("create or replace sql security definer view v_node as select node from session");

        try (LogLines log = LogLines.of(Views.class)) {
            Migrations.run(servers);

            assertThat(rows.all(VIEWS)).isEqualTo(views);
            assertThat(log.texts())
                    .containsExactly("recreated the views that were missing or no real ones, as after a restore:"
                            + " v_audit, v_broken_link, v_node");
            Migrations.run(servers);
            assertThat(log.texts()).as("nothing was to be done").hasSize(1);
        }
    }

    @Test
    void views_of_a_newer_version_are_left_to_it() {
        Servers servers = new Servers(new DatabaseAddress(server.url(), server.user(), server.password()));
        Rows rows = new Rows(server);
        Migrations.run(servers);
        rows.run("insert into rowlock_schema_history (installed_rank, version, description, type, script,"
                + " installed_by, execution_time, success) values (99, '99', 'x', 'SQL', 'V99__x.sql', 'x', 1, true)");
        rows.run("drop view v_audit");

        Migrations.run(servers);

        assertThat(rows.count("information_schema.views where table_schema = database() and table_name = 'v_audit'"))
                .isZero();
    }

    /** Without the right to make tables, it cannot even take the lock that those take who make views. */
    @ParameterizedTest
    @ValueSource(strings = {"create_view_priv = 'N'", "create_view_priv = 'N', create_priv = 'N'"})
    void an_account_that_may_make_no_views_works_without_them_and_says_so(String rights) {
        Rows rows = new Rows(server);
        Migrations.run(new Servers(new DatabaseAddress(server.url(), server.user(), server.password())));
        String poor = "poor_" + server.name().replaceAll(".*_(\\d+_\\d+)$", "$1");
        rows.account(poor, "secret", server.name());
        rows.run("update mysql.db set " + rights + " where user = '" + poor + "'");
        rows.run("flush privileges");
        rows.run("drop view v_audit");

        try (LogLines log = LogLines.of(Views.class)) {
            Migrations.run(new Servers(new DatabaseAddress(server.url(), poor, "secret")));

            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .startsWith("the views v_audit are missing or no real ones, and cannot be made: ")
                    .endsWith("grant this account all rights on its database, and restart the node");
        }
    }

    @Test
    void spans_go_with_the_rows_that_they_are_about() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        rows.run("insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at)"
                + " select 2, '2026-01-01', n, '2026-01-01 00:00:02', 'n', 'j', 'MISSED', utc_timestamp(3) - interval n * 10 second"
                + " from " + Numbers.upTo(10));
        Instant before =
                Instant.parse(rows.one("select date_format(utc_timestamp(3) - interval 55 second, '%Y-%m-%dT%TZ')"));
        try (Database database = Database.single(address, Duration.ofSeconds(10))) {
            new Retention(database).delete(AgingTable.SPAN, Instant.EPOCH, before, 100);
        }

        assertThat(rows.count("task_span")).isEqualTo(5);
    }
}
