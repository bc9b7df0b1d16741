package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.Evaluation;
import dev.rowlock.alert.store.Evaluation.EvaluationProgress;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Successes of which no rule tells are not read, and nobody sees a difference. */
@Tag("database")
class QuietSuccessTest {

    private static final int JOBS = 12;
    private static final int RUNS = 600;
    private static final String OUTCOMES =
            "'SUCCEEDED','SUCCEEDED','SUCCEEDED','SUCCEEDED','FAILED','MISSED','SKIPPED'";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    /** From when on history is to be read. */
    private String begins = "2025-12-31";

    private Database database;
    private Rows rows;
    private StoredRules rules;

    @BeforeEach
    void begin() throws IOException {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(60));
        rows = new Rows(SERVER);
        rows.run("delete from task_history");
        rows.run("delete from alert_rule");
        if (rows.count("job") == 0) {
            IdleJobs.insert(rows, JOBS);
        }
        rules = new StoredRules(database);
        rows.run("replace into setting (name, value) values ('history-counted', '2026-01-02 00:00:00.000 0')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void alerts_are_those_that_reading_all_of_history_raises(long seed) throws IOException {
        Random random = new Random(seed);
        rules(random);
        runs(random.nextInt(1 << 30));
        String alerts = alertsAfter(1 + random.nextInt(40), false, random.nextBoolean());
        assertThat(alerts).contains("FAILED", "RECOVERED").isEqualTo(alertsAfter(50, true, false));
    }

    /** What failed and was recorded late is looked at with what is read next: a success in there ends its alert. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void likewise_with_what_was_recorded_late(long seed) throws IOException {
        Random random = new Random(seed);
        rules(random);
        runs(random.nextInt(1 << 30));
        begins = "2026-01-01 00:00:40";
        String alerts = alertsAfter(1_000, false, false);
        assertThat(alerts).contains("RECOVERED").isEqualTo(alertsAfter(1_000, true, false));
    }

    /** Nothing else of its job is read with it: not even the success that had ended before. */
    @Test
    void a_success_ends_what_is_told_late_of_a_run_before_it() throws IOException {
        rules.put("failed", "\"when\": [\"FAILED\", \"RECOVERED\"]");
        rows.run("update alert_rule set created_at = '2020-01-01'");
        begins = "2026-01-01 00:00:40";
        run(1, "FAILED", "2026-01-01 00:00:30");
        run(2, "SUCCEEDED", "2026-01-01 00:00:50");
        String alerts = alertsAfter(50, false, false);
        assertThat(alerts).contains("failed FAILED job:1 3 RECOVERED").isEqualTo(alertsAfter(50, true, false));
    }

    private void run(int number, String outcome, String endedAt) {
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time, duration_ms) select 3 * " + number
                + ", 1, 'default',"
                + " 'idle-1', 1, at, '', 1, 'SCHEDULE', '" + outcome + "', at, '" + endedAt + "', at, 10 from"
                + " (select timestamp '2026-01-01 00:00:00' - interval " + number + " second as at) t");
    }

    /** Some of them ask for nothing but what failed. */
    private void rules(Random random) throws IOException {
        rules.put("failed", "\"when\": [\"FAILED\", \"RECOVERED\"]");
        rules.put("row", "\"when\": [\"FAILED_IN_A_ROW\", \"RECOVERED\"], \"times\": 2");
        if (random.nextInt(3) > 0) {
            rules.put("long", "\"when\": [\"TOO_LONG\"], \"warnAfter\": \"" + (2 + random.nextInt(4)) + "s\"");
            rules.put(
                    "much",
                    "\"when\": [\"TOO_LONG\"], \"p95Factor\": 2, \"job\": \"idle-1\", \"namespace\": \"default\"");
        }
        if (random.nextBoolean()) {
            rules.put("late", "\"when\": [\"NOT_STARTED_BY\", \"RECOVERED\"], \"deadline\": \"3s\"");
        }
        if (random.nextInt(3) == 0) {
            rules.put("short", "\"when\": [\"TOO_SHORT\"], \"atLeast\": \"1s\"");
        }
        rows.run("update alert_rule set created_at = '2020-01-01'");
    }

    /** Several end at the same instant; those of one job in twelve are runs of nodes. */
    private void runs(int seed) {
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time, duration_ms, exit_code)"
                + " select 1000000 + n, job, 'default', concat('idle-', job), 1, at, if(job = 7, 'node:a', ''), 1,"
                + " 'SCHEDULE', outcome, if(outcome in ('SUCCEEDED', 'FAILED'), at + interval late second, null),"
                + " '2026-01-01' + interval n div 7 second, at,"
                + " if(outcome in ('SUCCEEDED', 'FAILED'), took, null), if(outcome = 'FAILED', 1, null)"
                + " from (select n, 1 + floor(rand(" + seed + ") * " + JOBS + ") as job,"
                + " elt(1 + floor(rand(" + (seed + 1) + ") * 7), " + OUTCOMES + ") as outcome,"
                + " floor(rand(" + (seed + 2) + ") * 5) as late, floor(rand(" + (seed + 3) + ") * 7000) as took,"
                + " '2025-12-31 12:00:00' + interval n minute as at from " + Numbers.upTo(RUNS) + ") r");
    }

    /** @param all whether successes may matter to somebody who is not a rule */
    private String alertsAfter(int atOnce, boolean all, boolean twice) {
        for (String table : new String[] {"alert", "alert_message", "alert_part", "alert_late"}) {
            rows.run("delete from " + table);
        }
        rows.run("update alert_state set read_at = '" + begins + "', read_id = 0, pings = " + all);
        rows.run("insert into alert_late select id from task_history where ended_at < '" + begins + "' and id % 3 = 0"
                + " and outcome = 'FAILED'");
        RuleBook book = new RuleStore(database).book(RuleBook.NONE);
        if (twice) { // what is read together varies
            assertThat(new Evaluation(database).history(book, 1)).isEqualTo(EvaluationProgress.MORE);
        }
        for (int i = 0; new Evaluation(database).history(book, atOnce) == EvaluationProgress.MORE; i++) {
            assertThat(i).isLessThan(2 * RUNS);
        }
        return rows.all("select concat_ws(' ', a.rule, a.kind, a.subject, a.event, a.closed_why, a.at, p.kind)"
                        + " from alert a left join alert_part p on p.alert_id = a.id"
                        + " order by a.event, a.rule, a.kind, p.kind")
                .toString();
    }

    @Test
    void what_says_nothing_costs_little() throws IOException {
        rules.put("all", "\"when\": [\"FAILED\", \"TOO_LONG\"], \"warnAfter\": \"1m\"");
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time, duration_ms, exit_code) select 1000000 + n, 1,"
                + " 'default', 'idle-1', 1, '2026-01-01' + interval n second, '', 1, 'SCHEDULE', 'SUCCEEDED',"
                + " '2026-01-01', '2026-01-01' + interval n second, '2026-01-01', 10, 0 from " + Numbers.upTo(5_000));
        rows.run("delete from alert");
        rows.run("update alert_state set read_at = '2025-12-31', read_id = 0, pings = false");
        RuleBook book = new RuleStore(database).book(RuleBook.NONE);
        Evaluation evaluation = new Evaluation(database);
        assertThat(evaluation.history(book, 500)).isEqualTo(EvaluationProgress.MORE);
        assertThat(rows.one("select read_at from alert_state")).startsWith("2026-01-01 00:33:20"); // 2,000 of them
        rows.run("update alert_state set read_at = '2025-12-31', read_id = 0");
        assertThat(ReadCounter.rowsReadBy(
                        database,
                        () -> assertThat(evaluation.history(book, 500)).isEqualTo(EvaluationProgress.MORE)))
                .isLessThan(2_000 * 6);
    }
}
