package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.store.history.OlderSpans;
import dev.rowlock.store.history.OlderSpans.Ids;
import dev.rowlock.store.history.Retention;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class MigrationsTest {

    private static final String INDEXES =
            "select concat(table_name, '.', index_name, '(', group_concat(column_name order by seq_in_index), ')')"
                    + " from information_schema.statistics where table_schema = database() group by table_name, index_name";

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

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
                .contains("audit.by_name(namespace,name,at)");
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
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
                            + " installed_by, execution_time, success)"
                            + " values (99, '99', 'x', 'SQL', 'V99__x.sql', 'x', 1, true)");

            Migrations.run(servers);

            assertThat(log.texts())
                    .last()
                    .isEqualTo("the schema is at version 99, made by a newer version of Rowlock;"
                            + " this node goes on with it");
        }
    }

    @Test
    void what_an_earlier_version_has_set_aside_for_good_is_taken_up() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        long aside = rows.task(rows.job("a", "{}"), 0, true);
        rows.run("update task set due_at = null, waits_for = 'error: cannot be prepared: full'");
        rows.task(rows.job("b", "{}"), 0, true);

        rows.run("delete from rowlock_schema_history where version + 0 >= 6");
        Migrations.run(new Servers(address));

        assertThat(rows.all("select task_id, look_at <= utc_timestamp(3) as due from task_aside"))
                .containsExactly(Map.of("task_id", String.valueOf(aside), "due", "1"));
    }

    /** Both those that were there before, and those that a node of the version before writes after that. */
    @Test
    void what_statements_ask_of_a_definition_is_right_in_rows_that_know_nothing_of_it() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        rows.run("alter table job drop column on_lost, drop column zone, drop column is_manual");
        rows.run("delete from rowlock_schema_history where version + 0 >= 10");
        rows.job("cron", "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"onLost\": \"FAIL\"}");
        rows.job("prefix", "{\"schedule\": \"TZ=Africa/Cairo 0 3 * * *\", \"zone\": \"UTC\", \"onLost\": \"RERUN\"}");

        Migrations.run(new Servers(address));
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
    void what_waited_before_holds_had_a_kind_shows_it() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        rows.run("drop view v_upcoming, v_running");
        rows.run("alter table task drop column hold, drop column hold_reason");
        String[] texts = {"'error: cannot be prepared: full'", "'pause'", "null"};
        for (int i = 0; i < texts.length; i++) {
            long task = rows.task(rows.job("j" + i, "{}"), 60_000, true);
            rows.run("update task set waits_for = " + texts[i] + " where id = " + task);
        }

        rows.run("delete from rowlock_schema_history where version + 0 >= 11");
        Migrations.run(new Servers(address));

        assertThat(rows.all("select concat_ws(': ', hold, hold_reason) as held from v_upcoming order by job"))
                .extracting(row -> row.get("held"))
                .containsExactly("ERROR: cannot be prepared: full", "PAUSE: the job is paused", "");
        assertThat(rows.count("v_running where hold is null")).isZero();
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

    @Test
    void what_older_nodes_wrote_can_be_found_by_the_times_that_it_covers() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        Migrations.run(new Servers(address));
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome,"
                        + " ended_at, occurrences, last_fire_time) select n, 1, 'n', 'j', 1, '2026-01-01', '', n, 'SCHEDULE', 'MISSED',"
                        + " '2026-01-02', if(n % 2 = 0, 1, 3), if(n % 2 = 0, '2026-01-01', '2026-01-01 00:00:02')"
                        + " from " + Numbers.upTo(6));
        rows.run("insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at)"
                + " values (2, '2026-01-01', 3, '2026-01-01 00:00:02', 'n', 'j', 'MISSED', '2026-01-02')");
        rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                + " heartbeat_at, state) values ('s', 'a', 'h', 'b', 1, 1, 'old', '{}', 4, utc_timestamp(3), utc_timestamp(3),"
                + " 'ALIVE')");
        try (Database database = Database.single(address, Duration.ofSeconds(10))) {
            OlderSpans spans = new OlderSpans(database);
            assertThat(spans.mayBecomeMore("new")).isTrue();
            rows.run("delete from session");
            assertThat(spans.mayBecomeMore("new")).isFalse();

            for (Ids left = spans.all(); !left.isEmpty(); ) {
                left = spans.note(left, 4);
            }

            assertThat(rows.all("select task_id, scale from task_span order by task_id")
                            .toString())
                    .isEqualTo("[{task_id=1, scale=2}, {task_id=3, scale=2}, {task_id=5, scale=2}]");
            assertThat(spans.areNoted()).isFalse();
            spans.complete();
            assertThat(spans.areNoted()).isTrue();
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
            new Retention(database).delete(Retention.Table.SPAN, Instant.EPOCH, before, 100);
        }

        assertThat(rows.count("task_span")).isEqualTo(5);
    }
}
