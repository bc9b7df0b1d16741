package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.report.verify.Accounting.AccountingLimits;
import dev.rowlock.report.verify.Accounting.AccountingScope;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.report.verify.Discrepancy;
import dev.rowlock.report.verify.Discrepancy.DiscrepancyKind;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What history says is held against what the schedules asked for; here, history was tampered with. */
@Tag("database")
class AccountingTest {

    private static final Instant START = Instant.parse("2026-03-28T10:00:00.500Z");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    /** Of each minute from 10:01 on; history has 10:01 to 10:10, 10:11 is live and has the cursor. */
    private void tenMinutes() {
        cluster.put("j", "\"schedule\": \"* * * * *\"");
        cluster.work(Duration.ofMinutes(10), Duration.ofSeconds(20));
        assertThat(cluster.rows.count("task_history")).isEqualTo(10);
    }

    private static Instant at(String minute) {
        return Instant.parse("2026-03-28T10:" + minute + ":00Z");
    }

    private Discrepancy only() {
        List<Discrepancy> found = all();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private List<Discrepancy> all() {
        return cluster.verify().stream()
                .flatMap(a -> a.discrepancies().stream())
                .toList();
    }

    @Test
    void what_ran_undisturbed_adds_up() {
        tenMinutes();

        AccountingResult account = cluster.verify().get(0);

        assertThat(account.addsUp()).isTrue();
        assertThat(account.recorded()).isEqualTo(10);
        assertThat(account.live()).isEqualTo(1);
        assertThat(account.overtaken()).isZero();
    }

    @Test
    void a_row_that_was_deleted_is_missing_and_the_link_to_it_is_broken() {
        tenMinutes();
        cluster.rows.run("delete from task_history where fire_time = '2026-03-28 10:04:00'");

        assertThat(all())
                .extracting(Discrepancy::kind)
                .containsExactlyInAnyOrder(DiscrepancyKind.MISSING, DiscrepancyKind.BROKEN_LINK);
        assertThat(all()).allSatisfy(d -> assertThat(d.first()).isEqualTo(at("04")));
        Discrepancy missing = all().stream()
                .filter(d -> d.kind() == DiscrepancyKind.MISSING)
                .findFirst()
                .orElseThrow();
        assertThat(missing.before().fireTime()).isEqualTo(at("03"));
        assertThat(missing.found().fireTime()).isEqualTo(at("05"));
    }

    @Test
    void consecutive_rows_that_are_missing_are_reported_together() {
        tenMinutes();
        cluster.rows.run(
                "delete from task_history where fire_time between '2026-03-28 10:04:00' and '2026-03-28 10:08:00'");

        Discrepancy missing = all().stream()
                .filter(d -> d.kind() == DiscrepancyKind.MISSING)
                .findFirst()
                .orElseThrow();

        assertThat(missing.first()).isEqualTo(at("04"));
        assertThat(missing.last()).isEqualTo(at("08"));
        assertThat(missing.count()).isEqualTo(5);
    }

    @Test
    void the_first_row_is_missed_too() {
        tenMinutes();
        cluster.rows.run("delete from task_history where fire_time = '2026-03-28 10:01:00'");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.MISSING);
        assertThat(only().before()).isNull();
    }

    @Test
    void a_row_that_is_there_twice_is_double() {
        tenMinutes();
        duplicate("10:04:00", "10:04:00");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.DOUBLE);
        assertThat(only().first()).isEqualTo(at("04"));
    }

    @Test
    void a_row_that_is_live_and_in_history_is_double() {
        tenMinutes();
        duplicate("10:04:00", "10:11:00");

        assertThat(all())
                .filteredOn(d -> d.kind() == DiscrepancyKind.DOUBLE)
                .singleElement()
                .satisfies(d -> {
                    assertThat(d.first()).isEqualTo(at("11"));
                    assertThat(d.before().live()).isFalse();
                    assertThat(d.found().live()).isTrue();
                });
    }

    @Test
    void a_row_at_a_time_that_nobody_asked_for_is_found() {
        tenMinutes();
        cluster.rows.run(
                "update task_history set fire_time = '2026-03-28 10:04:30', last_fire_time = '2026-03-28 10:04:30'"
                        + " where fire_time = '2026-03-28 10:04:00'");

        assertThat(all())
                .extracting(d -> d.kind() + " " + d.first())
                .containsExactlyInAnyOrder(
                        "MISSING 2026-03-28T10:04:00Z",
                        "BROKEN_LINK 2026-03-28T10:04:00Z",
                        "NOT_ASKED_FOR 2026-03-28T10:04:30Z");
    }

    @Test
    void an_aggregated_row_must_stand_for_as_many_as_were_asked_for() {
        tenMinutes();
        cluster.sleep(Duration.ofHours(1));
        cluster.round();
        cluster.addsUp();
        assertThat(cluster.rows.one("select occurrences from task_history where outcome = 'MISSED'"))
                .isEqualTo("59");
        cluster.rows.run("update task_history set occurrences = 58 where outcome = 'MISSED'");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.MISCOUNTED);
        assertThat(only().count()).isEqualTo(59);
    }

    @Test
    void what_lies_within_an_aggregated_row_is_double() {
        tenMinutes();
        cluster.sleep(Duration.ofHours(1));
        cluster.round();
        duplicate("10:04:00", "10:30:00");

        assertThat(all()).extracting(Discrepancy::kind).contains(DiscrepancyKind.DOUBLE);
    }

    @Test
    void a_window_that_begins_within_an_aggregated_row_adds_up() {
        tenMinutes();
        cluster.sleep(Duration.ofHours(1));
        cluster.round();

        AccountingResult account = cluster.verify(new AccountingScope(at("30"), null, null), AccountingLimits.DEFAULT)
                .get(0);

        assertThat(account.discrepancies()).isEmpty();
    }

    @Test
    void what_lies_outside_of_the_window_is_not_reported() {
        tenMinutes();
        cluster.rows.run("delete from task_history where fire_time in ('2026-03-28 10:02:00', '2026-03-28 10:09:00')");

        assertThat(cluster.verify(new AccountingScope(at("03"), at("08"), null), AccountingLimits.DEFAULT)
                        .get(0)
                        .discrepancies())
                .isEmpty();
        assertThat(cluster.verify(new AccountingScope(at("09"), at("09"), null), AccountingLimits.DEFAULT)
                        .get(0)
                        .discrepancies())
                .extracting(Discrepancy::kind)
                .containsExactly(DiscrepancyKind.MISSING);
    }

    @Test
    void a_job_without_its_cursor_is_found() {
        tenMinutes();
        cluster.rows.run("delete from live_task");

        assertThat(all())
                .extracting(Discrepancy::kind)
                .containsExactlyInAnyOrder(DiscrepancyKind.NO_CURSOR, DiscrepancyKind.BROKEN_LINK);
    }

    @Test
    void a_job_that_was_paused_before_the_window_adds_up() {
        tenMinutes();
        cluster.pause("j");
        cluster.work(Duration.ofMinutes(10), Duration.ofSeconds(20));

        AccountingResult account = cluster.verify(new AccountingScope(at("15"), null, null), AccountingLimits.DEFAULT)
                .get(0);

        assertThat(account.discrepancies()).isEmpty();
    }

    @Test
    void a_job_that_had_run_as_often_as_it_may_before_the_window_adds_up() {
        cluster.put("j", "\"schedule\": \"* * * * *\", \"maxRuns\": 3");
        cluster.work(Duration.ofMinutes(10), Duration.ofSeconds(20));

        assertThat(cluster.verify().get(0).discrepancies()).isEmpty();
        assertThat(cluster.verify(new AccountingScope(at("06"), null, null), AccountingLimits.DEFAULT)
                        .get(0)
                        .discrepancies())
                .isEmpty();
    }

    @Test
    void a_row_beyond_the_cursor_is_found() {
        tenMinutes();
        duplicate("10:04:00", "10:12:00");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.BEYOND_CURSOR);
    }

    @Test
    void a_link_that_was_cut_is_found() {
        tenMinutes();
        cluster.rows.run("update task_history set next_fire_time = null where fire_time = '2026-03-28 10:04:00'");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.BROKEN_LINK);
        assertThat(only().found().fireTime()).isEqualTo(at("04"));
    }

    @Test
    void what_did_not_run_needs_a_reason() {
        tenMinutes();
        cluster.sleep(Duration.ofHours(1));
        cluster.round();
        cluster.rows.run("update task_history set reason = null where outcome = 'MISSED'");

        assertThat(only().kind()).isEqualTo(DiscrepancyKind.WITHOUT_REASON);
    }

    @Test
    void a_definition_that_cannot_be_read_is_said() {
        tenMinutes();
        cluster.rows.run("update job_version set definition = '{\"schedule\": \"nonsense\"}'");

        assertThat(cluster.verify().get(0).addsUp()).isFalse();
        assertThat(cluster.verify().get(0).unreadable()).contains("schedule");
    }

    @Test
    void the_same_is_found_page_by_page_and_job_by_job() {
        cluster.put("other", "\"schedule\": \"*/30 * * * * *\"");
        tenMinutesMore();
        cluster.rows.run("delete from task_history where fire_time = '2026-03-28 10:04:00'");
        List<String> together = said(AccountingLimits.DEFAULT);

        assertThat(together).isNotEmpty();
        for (int rows = 1; rows < 8; rows++) {
            assertThat(said(new AccountingLimits(2, rows, 100))).isEqualTo(together);
            assertThat(said(new AccountingLimits(1, rows, 100))).isEqualTo(together);
        }
    }

    @Test
    void only_so_many_discrepancies_of_a_job_are_listed() {
        tenMinutes();
        cluster.rows.run("delete from task_history where minute(fire_time) % 2 = 0");

        AccountingResult account = cluster.verify(
                        new AccountingScope(null, null, null), new AccountingLimits(1, 100, 3))
                .get(0);

        assertThat(account.discrepancies()).hasSize(3);
        assertThat(account.unlisted()).isEqualTo(7);
    }

    @Test
    void one_job_can_be_looked_at_alone() {
        cluster.put("other", "\"schedule\": \"*/30 * * * * *\"");
        tenMinutesMore();

        assertThat(cluster.verify(
                        new AccountingScope(null, null, new JobKey("default", "other")), AccountingLimits.DEFAULT))
                .extracting(account -> account.key().name())
                .containsExactly("other");
    }

    @Test
    void what_ran_between_missed_occurrences_parts_their_row() {
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.nodes().get(0).schedule();
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'")).isEqualTo(3);
        cluster.rows.run(
                "update live_task set state = 'IDLE', launch_id = null, session_id = null where state = 'PREPARED'");
        String middle = cluster.rows.one("select id from live_task order by fire_time limit 1 offset 1");
        cluster.rows.run("update live_task set state = 'EXECUTING', launch_id = 'x-1', session_id = '"
                + cluster.nodes().get(0).session() + "', started_at = fire_time where id = " + middle);
        cluster.sleep(Duration.ofMinutes(10));
        cluster.nodes().get(0).keeper.runOnce();
        cluster.nodes().get(0).schedule();

        assertThat(cluster.rows.all("select occurrences from task_history where outcome = 'MISSED' order by fire_time"))
                .extracting(row -> row.get("occurrences"))
                .containsExactly("1", "57");
        cluster.addsUp();
    }

    @Test
    void plain_sql_finds_a_broken_link_of_the_last_hour() {
        tenMinutes();
        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isZero();

        cluster.rows.run("delete from task_history where fire_time = '2026-03-28 10:04:00'");

        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isEqualTo(1);
        assertThat(cluster.brokenLinks(Duration.ofMinutes(5))).isZero();
        assertThat(cluster.rows.one("select next_fire_time from v_broken_link")).startsWith("2026-03-28 10:04:00");
    }

    @Test
    void plain_sql_finds_a_job_without_a_cursor_for_as_long_as_it_has_none() {
        tenMinutes();
        cluster.rows.run("delete from live_task where cursor_of is not null");

        assertThat(cluster.brokenLinks(Duration.ofMinutes(5))).isPositive();
        cluster.sleep(Duration.ofHours(3));
        assertThat(cluster.brokenLinks(Duration.ofMinutes(5))).isEqualTo(1);
        assertThat(cluster.rows.one(
                        "select concat(namespace, '/', job) from v_broken_link where outcome = 'NO_CURSOR'"))
                .isEqualTo("default/j");

        cluster.delete("j");
        assertThat(cluster.brokenLinks(Duration.ofMinutes(5))).isZero();
    }

    @Test
    void a_job_whose_schedule_may_end_is_not_taken_for_one_that_lost_its_cursor() {
        cluster.put("once", "\"schedule\": \"@at 2026-03-28T10:01:00Z\"");
        cluster.put("zoned", "\"schedule\": \"CRON_TZ=Europe/Berlin @at 2026-03-28T10:01:00Z\"");
        cluster.put("years", "\"schedule\": \"0 1 10 28 3 * 2026\"");
        cluster.put("until", "\"schedule\": \"* * * * *\", \"endAt\": \"2026-03-28T10:01:30Z\"");
        cluster.put("few", "\"schedule\": \"* * * * *\", \"maxRuns\": 1");
        cluster.put("manual", "\"schedule\": \"@manual\"");
        cluster.put("paused", "\"schedule\": \"* * * * *\"");
        cluster.pause("paused");
        cluster.put("prefixed", "\"schedule\": \"TZ=Europe/Berlin 0 * * * * *\"");
        cluster.put("twice", "\"schedule\": [\"@at 2026-03-28T10:01:00Z\", {\"schedule\": \"0 1 10 28 3 * 2026\"}]");
        cluster.put("listed", "\"schedule\": [\"@at 2026-03-28T10:01:00Z\", {\"schedule\": \"0 * * * *\"}]");
        cluster.put("zones", "\"schedule\": [\"0 1 10 28 3 * 2026\", \"TZ=Asia/Tokyo 0 0 * * * *\"]");
        cluster.work(Duration.ofMinutes(3), Duration.ofSeconds(20));
        assertThat(cluster.rows.count("live_task where cursor_of is not null")).isEqualTo(4);

        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isZero();

        cluster.rows.run("delete from live_task where cursor_of is not null");
        assertThat(cluster.rows.all("select job from v_broken_link where outcome = 'NO_CURSOR' order by job"))
                .extracting(row -> row.get("job"))
                .containsExactly("listed", "paused", "prefixed", "zones");
    }

    private void tenMinutesMore() {
        cluster.put("j", "\"schedule\": \"* * * * *\"");
        cluster.work(Duration.ofMinutes(10), Duration.ofSeconds(20));
    }

    private List<String> said(AccountingLimits limits) {
        return cluster.verify(new AccountingScope(null, null, null), limits).stream()
                .map(a -> a.key() + " " + a.recorded() + " " + a.live() + " " + a.discrepancies())
                .toList();
    }

    private void duplicate(String from, String to) {
        cluster.rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,"
                        + " attempt, cause, outcome, ended_at, last_fire_time) select 1000 + id, job_id, namespace, job, job_version,"
                        + " '2026-03-28 " + to + "', null, origin, attempt, cause, outcome, ended_at, '2026-03-28 " + to
                        + "' from task_history where fire_time = '2026-03-28 " + from + "'");
    }
}
