package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.store.OldAlerts;
import dev.rowlock.audit.Audit;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.field.KeptFor;
import dev.rowlock.report.verify.Accounting;
import dev.rowlock.report.verify.Accounting.AccountingLimits;
import dev.rowlock.report.verify.Accounting.AccountingScope;
import dev.rowlock.report.verify.AccountingQueries;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.support.BrokenLinks;
import dev.rowlock.support.ManualNanos;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.history.Retention.AgingTable;
import dev.rowlock.task.history.Retention.DeletedBatch;
import dev.rowlock.task.history.RetentionTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is old enough goes, whatever lies next to it; what is not, and what it needs, stays. */
@Tag("database")
class HistoryKeeperTest {

    private static final Duration KEPT = Duration.ofDays(30);
    private static final Duration AUDIT_KEPT = Duration.ofDays(20);
    private static final Duration PASS_IS_OVER = Duration.ofSeconds(10);

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private final ManualNanos nanos = new ManualNanos();
    private Rows rows;
    private Database database;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        database = Database.single(address, Duration.ofSeconds(30));
        rows = new Rows(server);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private HistoryKeeper keeper(String session) {
        rows.run(
                "insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at, beat,"
                        + " heartbeat_at, state) values ('" + session + "', '" + session
                        + "', 'h', 'b', 1, 1, 'test', '{}', 1,"
                        + " utc_timestamp(3), 1, utc_timestamp(3), 'ALIVE')");
        DatabaseClock clock = new DatabaseClock(nanos, () -> 0);
        NodeContext node = NodeContext.of(settings(), nanos, clock, new Outage(nanos, Duration.ZERO));
        node.lease().begin(session, nanos.getAsLong(), 0);
        clock.sample(Instant.now(), nanos.getAsLong(), nanos.getAsLong());
        nanos.advance(DatabaseClock.STANDS);
        clock.sample(Instant.now().plus(DatabaseClock.STANDS), nanos.getAsLong(), nanos.getAsLong());
        return new HistoryKeeper(node, database, new OldAlerts(database)::delete);
    }

    private static EngineSettings settings() {
        Duration day = Duration.ofDays(1);
        return new EngineSettings("a", 1, day, day, day, day, day, day, day, 1, 1, KEPT, 3, AUDIT_KEPT, Map.of());
    }

    /** One that keeps nothing for long beside one that keeps all. */
    @Test
    void what_any_node_was_told_to_keep_is_kept_also_while_it_is_down_until_somebody_accepts_less() {
        history(0, 10, "utc_timestamp(3) - interval 400 day");
        RetentionTerms terms = new RetentionTerms(database);
        terms.raise(new KeptFor(Duration.ZERO, Duration.ofDays(1), 3));

        HistoryKeeper keeper = keeper("one");
        pass(keeper);
        assertThat(rows.count("task_history")).isEqualTo(10);
        assertThat(keeper.said())
                .startsWith("history for ever, the audit for " + AUDIT_KEPT.toDays() + "d")
                .contains("POST /api/v1/cluster/retention/accept");

        terms.accept(new KeptFor(KEPT, AUDIT_KEPT, 3), Audit.NONE);
        pass(keeper);
        assertThat(rows.count("task_history")).isZero();
        assertThat(keeper.said()).doesNotContain("accept");
    }

    @Test
    void statistics_and_alerts_are_kept_as_long_and_looked_for_again_after_an_hour() {
        HistoryKeeper keeper = keeper("one");
        for (int hour = 0; hour < 2; hour++) {
            rows.run("insert into history_minute (minute) select utc_timestamp(0) - interval 12 * n hour from "
                    + Numbers.upTo(20));
            rows.run("insert into job_day (job_id, day, durations, latenesses) select 1, utc_date() - interval n day,"
                    + " '', '' from " + Numbers.upTo(40));
            rows.run("insert into job_stats (job_id) select n from " + Numbers.upTo(2_500));
            rows.run("insert into alert (id, rule, kind, subject, event, detail, at, raised_at, closed_at, sending)"
                    + " select n, 'r', 'FAILED', n, n, '{}', utc_timestamp(3), utc_timestamp(3), utc_timestamp(3)"
                    + " - interval n div 20 day, 'SENT' from " + Numbers.upTo(1_400));

            pass(keeper);
            assertThat(rows.count("history_minute")).isEqualTo(5);
            assertThat(rows.count("job_day")).isBetween(29L, 30L); // whole days
            assertThat(rows.count("job_stats")).isZero();
            assertThat(rows.count("alert")).isEqualTo(599);

            nanos.advance(Duration.ofHours(1));
            List.of("history_minute", "job_day", "alert").forEach(table -> rows.run("delete from " + table));
        }
    }

    @Test
    void freezes_are_kept_as_long_from_their_end_on() {
        rows.run("insert into freeze (scope, effect, from_at, until_at, reason, made_by, created_at, changed_at) select"
                + " '{\"all\":true}', 'HOLD', utc_timestamp(3) - interval 90 day,"
                + " utc_timestamp(3) - interval (10 * n - 5) day, '', 'a', utc_timestamp(3), utc_timestamp(3) from "
                + Numbers.upTo(5));

        pass(keeper("one"));

        assertThat(rows.count("freeze")).as("ended 5, 15, 25 days ago").isEqualTo(3);
    }

    private static int pass(HistoryKeeper keeper) {
        int steps = 1;
        while (!keeper.runOnce().rest().equals(PASS_IS_OVER)) {
            steps++;
        }
        return steps;
    }

    private void history(int from, int count, String ended) {
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome,"
                        + " ended_at, last_fire_time) select " + from + " + n, 1, 'default', 'j', 1, " + ended
                        + ", '', 1, 'SCHEDULE',"
                        + " 'SUCCEEDED', " + ended + ", " + ended + " from " + Numbers.upTo(count));
    }

    @Test
    void young_rows_with_low_ids_do_not_hold_up_what_is_old() {
        history(0, 600, "utc_timestamp(3) - interval n second");
        history(1_000, 20_000, "utc_timestamp(3) - interval 40 day + interval n second");
        rows.run("insert into task_output (task_id, launch_id, total_bytes, cut_bytes, head, tail, written_at)"
                + " select id, 's-1', 1, 0, 'x', '', ended_at from task_history");

        int steps = pass(keeper("one"));

        assertThat(rows.count("task_history")).isEqualTo(600);
        assertThat(rows.count("task_history where id <= 600")).isEqualTo(600);
        assertThat(rows.count("task_output")).isEqualTo(600);
        assertThat(steps).isLessThan(2 * 20_000 / 250 + 10);
    }

    @Test
    void the_audit_has_an_age_of_its_own() {
        rows.run("insert into audit (at, who, role, address, request_id, action, kind, name)"
                + " select utc_timestamp(3) - interval n day, 'w', 'admin', 'a', 'r', 'create', 'group', n from "
                + Numbers.upTo(40));
        history(0, 100, "utc_timestamp(3) - interval n day");

        pass(keeper("one"));

        assertThat(rows.one("select max(cast(name as unsigned)) from audit")).isEqualTo("19");
        assertThat(rows.count("task_history where ended_at < utc_timestamp(3) - interval 25 day"))
                .isPositive();
    }

    @Test
    void a_batch_of_outputs_is_bounded_by_their_size() {
        rows.run("insert into task_output (task_id, launch_id, total_bytes, cut_bytes, head, tail, written_at)"
                + " select n, 's-1', 2 << 20, 0, 'x', '', utc_timestamp(3) - interval 40 day from " + Numbers.upTo(6));
        Retention retention = new Retention(database);

        DeletedBatch batch =
                retention.delete(AgingTable.OUTPUT, Instant.EPOCH, Instant.now().minus(KEPT), 500);

        assertThat(batch.deleted()).isEqualTo(2);
        assertThat(batch.more()).isTrue();
    }

    @Test
    void one_session_at_a_time_does_it_until_it_is_done_or_gone() {
        HistoryKeeper one = keeper("one");
        HistoryKeeper two = keeper("two");
        history(0, 5_000, "utc_timestamp(3) - interval 40 day");

        assertThat(one.runOnce().rest()).isLessThan(PASS_IS_OVER);
        assertThat(pass(two)).isEqualTo(1);
        assertThat(rows.count("task_history")).isGreaterThan(0);
        rows.run("delete from session where id = 'one'");
        pass(two);

        assertThat(rows.count("task_history")).isZero();
        assertThat(rows.one("select value from setting where name = 'retention-claim'"))
                .isEmpty();
    }

    @Test
    void a_claim_that_ran_out_or_was_made_by_a_clock_that_was_ahead_holds_nobody_up() {
        keeper("one");
        keeper("two");
        Retention retention = new Retention(database);
        assertThat(retention.claim().take("one")).isTrue();
        assertThat(retention.claim().take("one")).isTrue();
        assertThat(retention.claim().take("two")).isFalse();

        rows.run(
                "update setting set value = concat('one ', utc_timestamp(3) - interval 1 second) where name = 'retention-claim'");
        assertThat(retention.claim().take("two")).isTrue();
        rows.run(
                "update setting set value = concat('one ', utc_timestamp(3) + interval 1 hour) where name = 'retention-claim'");
        assertThat(retention.claim().take("two")).isTrue();
    }

    @Test
    void what_was_purged_is_neither_a_broken_link_nor_missing() {
        long job = rows.job(
                "j",
                "{\"namespace\": \"default\", \"name\": \"j\", \"schedule\": \"0 0 * * *\", \"command\": \"true\","
                        + " \"zone\": \"UTC\", \"onLost\": \"RERUN\"}");
        rows.run("update job set created_at = utc_date() - interval 40 day");
        rows.run("update job_version set valid_from = utc_date() - interval 40 day");
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt, cause,"
                        + " outcome, ended_at, last_fire_time) select n, " + job
                        + ", 'default', 'j', 1, at, at + interval 1 day, '', 1,"
                        + " 'SCHEDULE', 'SUCCEEDED', if(n = 2, utc_timestamp(3) - interval 1 day, at), at"
                        + " from (select n, utc_date() - interval 40 - n day as at from " + Numbers.upTo(39) + ") r");
        rows.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at) values (1000, " + job
                + ", 1, " + job % 64 + ", utc_date(), utc_date())");
        assertThat(BrokenLinks.count(database, Duration.ofDays(60))).isZero();

        pass(keeper("one"));

        assertThat(rows.count("task_history where id = 2")).isEqualTo(1); // it ran for weeks
        assertThat(rows.count("task_history where id = 3")).isZero();
        assertThat(BrokenLinks.count(database, Duration.ofDays(60))).isZero();
        List<AccountingResult> accounts = new ArrayList<>();
        new Accounting(new AccountingQueries(database), Duration.ZERO, AccountingLimits.DEFAULT)
                .check(new AccountingScope(null, null, null), accounts::add);
        assertThat(accounts).allMatch(AccountingResult::addsUp).hasSize(1);
    }

    private void versions(long job, String name, int ended, boolean inForce) {
        rows.run(
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, valid_until)"
                        + " select " + job + ", n, 'default', '" + name
                        + "', '{}', false, utc_timestamp(3) - interval 100 - n day,"
                        + " if(" + inForce + " and n = " + ended
                        + ", null, utc_timestamp(3) - interval 99 - n day) from "
                        + Numbers.upTo(ended));
    }

    @Test
    void old_versions_go_also_if_more_of_them_ended_in_one_millisecond_than_are_looked_at_together() {
        rows.run(
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, valid_until)"
                        + " select 1 + n div 4, n, 'default', concat('gone-', n div 4), '{}', false, utc_date() - interval 100 day,"
                        + " utc_date() - interval 90 day from " + Numbers.upTo(1_201));

        pass(keeper("one"));

        assertThat(rows.count("job_version")).isZero();
    }

    @Test
    void old_versions_go_but_for_the_first_the_newest_and_those_that_are_named() {
        rows.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " values (1, 'default', 'j', 60, '{}', false, utc_timestamp(3), utc_timestamp(3))");
        versions(1, "j", 60, true);
        versions(2, "gone", 5, false);
        versions(3, "named", 5, false);
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome,"
                        + " ended_at, last_fire_time) values (1, 1, 'default', 'j', 7, utc_timestamp(3) - interval 92 day, '', 1, 'SCHEDULE',"
                        + " 'SUCCEEDED', utc_timestamp(3), utc_timestamp(3) - interval 92 day)");
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, state)"
                + " values (3, 4, 3, utc_timestamp(3) - interval 95 day, 1, 'SCHEDULE', 'EXECUTING')");

        pass(keeper("one"));

        assertThat(rows.all("select version from job_version where job_id = 1 and version < 60 order by version"))
                .extracting(row -> row.get("version"))
                .containsExactly("1", "7", "58", "59");
        assertThat(rows.count("job_version where job_id = 2")).isZero();
        assertThat(rows.all("select version from job_version where job_id = 3 order by version"))
                .extracting(row -> row.get("version"))
                .containsExactly("1", "4");
    }

    private void calendar(int version, String mark, int endedDaysAgo) {
        rows.run(
                "insert into calendar_version (name, version, mark, definition, valid_from, valid_until) values ('cal', "
                        + version + ", '" + mark
                        + "', '{}', utc_timestamp(3) - interval 90 day, utc_timestamp(3) - interval "
                        + endedDaysAgo + " day)");
    }

    @Test
    void old_versions_of_calendars_go_but_for_those_that_versions_of_jobs_name_and_those_in_force() {
        calendar(1, "1-old", 80);
        calendar(2, "2-named", 70);
        calendar(3, "3-young", 5);
        calendar(4, "4-in-force", 60);
        rows.run("insert into calendar_version (name, version, mark, definition, valid_from) values"
                + " ('cal', 5, '4-in-force', '{}', utc_timestamp(3) - interval 60 day)");
        rows.run("insert into calendar (name, version, mark, created_at, updated_at)"
                + " values ('cal', 5, '4-in-force', utc_timestamp(3), utc_timestamp(3))");
        rows.run("insert into calendar_version (name, version, mark, definition, valid_from, valid_until)"
                + " select 'gone', n, concat(n, '-gone'), '{}', utc_timestamp(3) - interval 90 day,"
                + " utc_timestamp(3) - interval 80 day from " + Numbers.upTo(250));
        versions(1, "first", 1, true);
        versions(9, "j", 1, true);
        rows.run("update job_version set definition = '{\"calendar\": \"cal\", \"calendarVersions\":"
                + " {\"cal\": \"2-named\"}}' where job_id = 9");
        HistoryKeeper keeper = keeper("one");

        pass(keeper);

        assertThat(rows.all("select mark from calendar_version order by version"))
                .extracting(row -> row.get("mark"))
                .containsExactly("2-named", "3-young", "4-in-force", "4-in-force");

        rows.run("delete from job_version");
        pass(keeper);
        assertThat(rows.count("calendar_version"))
                .as("they are looked for once a day")
                .isEqualTo(4);
        nanos.advance(Duration.ofDays(1));
        pass(keeper("two"));
        assertThat(rows.count("calendar_version")).isEqualTo(3);
    }
}
