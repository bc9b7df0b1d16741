package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** More rows than a batch holds fail, none of them because of its data, and are due before all others: the others go on. */
@Order(1)
@Tag("database")
class HeadOfLineTest {

    private static final int BAD = 600;
    private static final int GOOD = 5;
    private static final Instant START = Instant.parse("2026-03-28T10:00:00Z");
    private static final String UNSETTLED =
            "live_task where state = 'IDLE' and cause = 'SCHEDULE' and due_at < '2026-03-28 09:30:00'";
    private static final String SERVER_ERROR =
            "signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'broken'";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private Rows rows;
    private HandDrivenNode a;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START, 2_000);
        rows = cluster.rows;
        cluster.join("a");
        a = cluster.nodes().get(0);
        a.nanos.stop();
    }

    @AfterEach
    void close() throws IOException {
        mend();
        cluster.close();
    }

    @Tag("slow")
    @Test
    void rows_that_cannot_be_prepared_do_not_hold_up_those_behind_them() {
        bad("09:59:58");
        good();
        breakDown("update", "job_next", "old.job_id <= " + BAD);

        work(20);

        assertThat(runsOfGoodJobs()).isGreaterThanOrEqualTo(GOOD * 15L);
        assertThat(rows.count("task_aside")).isZero();
        mendedAllGoOn();
    }

    @Test
    void rows_that_cannot_be_started_do_not_hold_up_those_behind_them() {
        bad("10:00:03");
        good();
        breakDown("update", "task", "old.job_id <= " + BAD + " and new.state = 'EXECUTING'");

        work(20);

        assertThat(runsOfGoodJobs()).isGreaterThanOrEqualTo(GOOD * 15L);
        assertThat(rows.count("task_aside")).isZero();
        mendedAllGoOn();
    }

    @Test
    void results_that_cannot_be_recorded_do_not_hold_up_those_behind_them() {
        bad("10:00:02");
        good();
        breakDown("insert", "task_history", "new.job_id <= " + BAD);

        work(20);

        assertThat(runsOfGoodJobs()).isGreaterThanOrEqualTo(GOOD * 15L);
        mendedAllGoOn();
    }

    @Tag("slow")
    @Test
    void misfires_that_cannot_be_settled_do_not_hold_up_those_behind_them() {
        bad("09:55:00");
        good();
        breakDown("update", "task", "old.job_id <= " + BAD + " and new.cause = 'CATCH_UP'");

        work(20);

        assertThat(runsOfGoodJobs()).isGreaterThanOrEqualTo(GOOD * 15L);
        mendedAllGoOn();
    }

    /** After a long outage, or when more is due for minutes than a node can start. */
    @Test
    void what_is_due_in_time_does_not_wait_until_all_is_settled_that_was_missed() {
        int missed = 5_000;
        missed(missed);
        good();
        time(2);
        a.keeper.runOnce();

        passes(4);

        assertThat(rows.count(UNSETTLED)).isGreaterThan(missed / 2);
        assertThat(jobsOf(a)).hasSizeGreaterThan(400).contains("default/good0", "default/good" + (GOOD - 1));

        passes(20); // the commands go on, and there are slots for 2,000

        assertThat(rows.count(UNSETTLED)).isZero();
        assertThat(a.processes.started).hasSize(2_000);
    }

    /** Of these a pass settles fewer than a scan finds. */
    @Test
    void nor_where_each_job_has_missed_much_that_is_all_to_run() {
        missed(2_000);
        for (String table : List.of("job", "job_version")) {
            rows.run("update " + table + " set definition = json_set(replace(definition, '0 0 1 1 *', '*/5 * * * *'),"
                    + " '$.misfire', 'RUN_ALL')");
        }
        good();
        time(2);
        a.keeper.runOnce();

        passes(4);

        assertThat(rows.count(UNSETTLED)).isGreaterThan(1_000);
        assertThat(jobsOf(a)).contains("default/good0", "default/good" + (GOOD - 1));
    }

    /** All nodes begin with what waits longest, and one of them settles it. */
    @Test
    void nor_where_another_node_settles_what_this_one_has_found() throws Exception {
        missed(1_200);
        good();
        time(2);
        a.keeper.runOnce();
        CompletableFuture<Void> pass;
        try (Connection other = SERVER.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select counter from cluster_lock where name like 'task-%' for update");
            pass = CompletableFuture.runAsync(() -> passes(1));
            Until.holds(
                    Duration.ofSeconds(30),
                    "a wait for the locks",
                    () -> rows.count(
                                    "information_schema.processlist where db = database() and info like 'select l.name,"
                                            + " l.counter%'")
                            > 0);
            statement.execute("update job_next set task_id = task_id + 100000 where due_at < '2026-03-28 09:30:00'");
            other.commit();
        }
        pass.join();
        assertThat(rows.count(UNSETTLED)).isEqualTo(1_200);

        passes(2);

        assertThat(jobsOf(a)).contains("default/good0", "default/good" + (GOOD - 1));
    }

    @Test
    void what_has_priority_is_found_while_much_is_settled_and_no_slot_is_free() {
        missed(5_000);
        time(2);
        a.keeper.runOnce();
        passes(10);
        assertThat(a.processes.started).hasSize(2_000);
        cluster.put("urgent", "\"schedule\": \"* * * * * *\", \"priority\": 50");
        time(2);

        passes(1);

        assertThat(rows.count(UNSETTLED)).isGreaterThan(1_000);
        assertThat(rows.count(
                        "live_task t join job j on j.id = t.job_id where j.name = 'urgent' and t.state = 'PREPARED'"))
                .isPositive();
    }

    /** That many jobs, each due an hour ago. */
    private void missed(int jobs) {
        IdleJobs.insert(rows, jobs);
        rows.run("update live_task set fire_time = '2026-03-28 09:00:00', due_at = fire_time");
    }

    /** One of its occurrences is a misfire behind those of many jobs, the other is not: they are decided together. */
    @Test
    void what_is_in_time_does_not_pass_what_was_missed_of_its_own_job() {
        missed(1_200);
        cluster.put("twice", "\"schedule\": \"50 * * * * *\", \"overlap\": \"ALLOW\"");
        for (String at : List.of("'2026-03-28 09:58:50'", "'2026-03-28 09:59:50'")) {
            rows.run("insert into task (job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause, due_at,"
                    + " state) select id, 1, mod(id, 64), " + at + ", " + at + " + interval 1 minute, 1, 'SCHEDULE', "
                    + at
                    + ", 'IDLE' from job where name = 'twice'");
        }
        time(2);
        a.keeper.runOnce();

        passes(12);

        assertThat(rows.count(UNSETTLED)).isZero();
        assertThat(a.processes.started.stream()
                        .map(LaunchSpec::environment)
                        .filter(environment -> "default/twice".equals(environment.get("ROWLOCK_JOB")))
                        .map(environment -> environment.get("ROWLOCK_FIRE_TIME")))
                .containsExactly("2026-03-28T09:59:50.000Z");
        assertThat(rows.count(
                        "task_history where job = 'twice' and outcome = 'MISSED' and fire_time < '2026-03-28 09:59'"))
                .isEqualTo(1);
    }

    private void passes(int passes) {
        for (int pass = 0; pass < passes; pass++) {
            a.pollSoon();
            a.scheduler.runOnce();
        }
    }

    @Test
    void what_another_node_left_overdue_and_cannot_be_started_does_not_hold_up_what_can() {
        bad("10:00:05");
        cluster.put("once", "\"schedule\": \"@at 2026-03-28T10:00:06Z\"");
        time(1);
        a.schedule();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(BAD + 1);
        cluster.join("b");
        HandDrivenNode b = cluster.nodes().get(1);
        b.nanos.stop();
        breakDown("update", "task", "old.job_id <= " + BAD + " and new.state = 'EXECUTING'");

        for (int i = 0; i < 14; i++) {
            time(1);
            a.keeper.runOnce(); // beats, and starts nothing
            round(b);
        }

        assertThat(jobsOf(b)).containsExactly("default/once");
    }

    @Tag("slow")
    @Test
    void when_all_rows_fail_no_row_is_left_out_for_long() {
        bad("09:59:58");
        good();
        breakDown("update", "job_next", "old.job_id > 0");
        work(45);
        assertThat(a.processes.started).isEmpty();

        mend();
        work(10);

        assertThat(jobsOf(a)).hasSize(BAD + GOOD);
        assertThat(rows.count("task_aside")).isZero();
    }

    private void mendedAllGoOn() {
        mend();
        for (int second = 0; second < 70 && jobsThatSucceeded() < BAD + GOOD; second++) {
            work(1);
        }
        assertThat(jobsThatSucceeded()).isEqualTo(BAD + GOOD);
        cluster.playground.invariants.nothingWasStartedTwice();
    }

    /** That many jobs, each due once at that time of day. */
    private void bad(String time) {
        IdleJobs.insert(rows, BAD);
        rows.run("update live_task set fire_time = '2026-03-28 " + time + "', due_at = fire_time");
    }

    /** Jobs of every second. */
    private void good() {
        for (int i = 0; i < GOOD; i++) {
            cluster.put("good" + i, "\"schedule\": \"* * * * * *\"");
        }
    }

    private long runsOfGoodJobs() {
        return rows.count("task_history where job like 'good%' and outcome = 'SUCCEEDED'");
    }

    private long jobsThatSucceeded() {
        return rows.count("(select distinct job_id from task_history where outcome = 'SUCCEEDED') j");
    }

    private static Set<String> jobsOf(HandDrivenNode node) {
        return node.processes.started.stream()
                .map(LaunchSpec::environment)
                .map(environment -> environment.get("ROWLOCK_JOB"))
                .collect(Collectors.toSet());
    }

    /** As the loops do, each second: what fails as a whole is tried again. */
    private void work(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time(1);
            round(a);
        }
    }

    private void time(int seconds) {
        cluster.time.advance(Duration.ofSeconds(seconds));
        cluster.nodes().forEach(node -> node.nanos.advance(Duration.ofSeconds(seconds)));
        cluster.time.hold();
    }

    private void round(HandDrivenNode node) {
        for (Step step : List.<Step>of(
                node.keeper, scheduling(node), ending(node), recording(node), node.compensator, scheduling(node))) {
            cluster.time.hold();
            try {
                step.runOnce();
            } catch (DatabaseUnavailable | StatementProblem e) {
                assertThat(e) // or, while others write much, slow
                        .satisfiesAnyOf(
                                broken -> assertThat(broken).hasStackTraceContaining("broken"),
                                slow -> assertThat(slow).hasStackTraceContaining("timed out"));
            }
        }
    }

    private static Step scheduling(HandDrivenNode node) {
        return () -> {
            node.schedule();
            return Pass.MORE;
        };
    }

    private static Step recording(HandDrivenNode node) {
        return () -> {
            Pass pass = node.recorder.runOnce();
            for (int i = 0; i < 100 && pass.more(); i++) {
                pass = node.recorder.runOnce();
            }
            return pass;
        };
    }

    private static Step ending(HandDrivenNode node) {
        return () -> {
            node.processes.end(0);
            return Pass.MORE;
        };
    }

    private void breakDown(String event, String table, String when) {
        rows.run("create trigger broken before " + event + " on " + table + " for each row if " + when + " then "
                + SERVER_ERROR + "; end if");
    }

    private void mend() {
        rows.run("drop trigger if exists broken");
    }
}
