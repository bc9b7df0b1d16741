package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.control.Jobs;
import dev.rowlock.control.Precondition;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Migrations;
import dev.rowlock.db.Servers;
import dev.rowlock.engine.session.OlderNodes;
import dev.rowlock.job.JobKey;
import dev.rowlock.store.job.AccountingQueries;
import dev.rowlock.store.job.JobQueries;
import dev.rowlock.store.job.JobStore;
import dev.rowlock.support.BrokenLinks;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.verify.Accounting;
import dev.rowlock.verify.Accounting.Scope;
import dev.rowlock.verify.AccountingResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node of this version goes on with what a cluster of version 0.1.0 left behind when its machine died. */
@Tag("database")
class LeftByOlderVersionTest {

    private static final Instant DEATH = Instant.parse("2026-11-22T12:50:55.500Z");
    private static final Duration STRETCH = Duration.ofSeconds(1);

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

    @TempDir
    Path dir;

    private Rows rows;
    private PlayedTime time;
    private Database database;
    private Jobs jobs;
    private HandDrivenNode node;
    private OlderNodes olderNodes;

    @BeforeEach
    void load() throws IOException {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        rows = new Rows(server);
        schemaOfThen();
        for (String statement : text().strip().split(";\n", -1)) {
            rows.run(statement);
        }
        Migrations.run(new Servers(address));
        // Noted by the server's own clock; the node notes it again, by the played one.
        rows.run("delete from task_aside");
        database = Database.single(address, Duration.ofSeconds(30));
        jobs = new Jobs(new JobStore(database), new JobQueries(database), () -> {});
        time = new PlayedTime(DEATH);
        time.rules(database);
        node = new HandDrivenNode("c", address, dir, 50);
        olderNodes = new OlderNodes(node.lease, node.knownSessions, "test", database, node.nanos);
    }

    @AfterEach
    void close() {
        node.close();
        database.close();
    }

    @Test
    void within_seconds_it_runs_all_that_was_prepared_and_when_their_sessions_end_all_that_was_lost() {
        comesAfter(Duration.ofSeconds(2));

        work(Duration.ofSeconds(8));

        assertThat(rows.count("task_history where outcome = 'MISSED' and ended_at > '2026-11-22 12:50:55'"))
                .isZero();
        assertThat(ran("second", "2026-11-22 12:51:01")).isEqualTo("1 SUCCEEDED SCHEDULE");
        assertThat(ran("aside", "2026-11-22 12:51:00")).isEqualTo("1 SUCCEEDED SCHEDULE");
        sessionsEnd();
        assertThat(runs("rerun")).containsExactly("1 LOST MANUAL", "2 SUCCEEDED RECOVERY");
        assertThat(runs("fail")).containsExactly("1 LOST MANUAL");
        assertThat(runs("pausedrun")).containsExactly("1 LOST MANUAL", "2 SUCCEEDED RECOVERY");
        assertThat(ran("skip", "2026-11-22 12:50:48")).isEqualTo("1 LOST CATCH_UP,2 SUCCEEDED RECOVERY");
        isWhole();
    }

    @Test
    void a_month_later_it_calls_missed_what_nobody_ran_and_runs_the_latest_of_each_job() {
        comesAfter(Duration.ofDays(30));

        work(Duration.ofSeconds(3));
        sessionsEnd();

        String late = "task_history where cause = 'CATCH_UP' and outcome = 'SUCCEEDED' and ended_at > '2026-12-01'"
                + " and job = ";
        for (String job : List.of("ten-seconds", "second", "daily", "every", "edited", "aside")) {
            assertThat(rows.count(late + "'" + job + "'")).as(job).isEqualTo(1);
        }
        assertThat(rows.one("select sum(occurrences) from task_history where job = 'daily' and outcome = 'MISSED'"))
                .isEqualTo("29");
        assertThat(ran("once", "2026-11-22 12:53:35")).isEqualTo("1 SUCCEEDED CATCH_UP");
        assertThat(rows.count("task_history where job in ('paused', 'deleted') and ended_at > '2026-12-01'"))
                .isZero();
        assertThat(runs("rerun")).containsExactly("1 LOST MANUAL", "2 SUCCEEDED RECOVERY");
        isWhole();
    }

    @Test
    void what_was_paused_then_stays_so_until_it_is_resumed_and_nothing_of_the_past_runs() {
        comesAfter(Duration.ofDays(30));
        work(Duration.ofSeconds(3));
        assertThat(rows.one("select group_concat(distinct hold) from v_upcoming where job in ('paused', 'pausedrun')"))
                .isEqualTo("PAUSE");

        for (String job : List.of("paused", "pausedrun")) {
            time.hold();
            jobs.setPaused(new JobKey("default", job), false, Precondition.NONE);
        }
        work(Duration.ofSeconds(12));

        assertThat(rows.count("v_upcoming where hold is not null")).isZero();
        assertThat(rows.count("task_history where job = 'paused' and outcome = 'SUCCEEDED'"))
                .isPositive();
        assertThat(rows.count("task_history where job = 'paused' and outcome = 'SUCCEEDED' and cause <> 'SCHEDULE'"))
                .isZero();
        sessionsEnd();
        isWhole();
    }

    private void schemaOfThen() {
        Flyway.configure()
                .dataSource(server.url(), server.user(), server.password())
                .locations("classpath:db/migration")
                .table("rowlock_schema_history")
                .target("5")
                .load()
                .migrate();
    }

    private static String text() throws IOException {
        try (InputStream file = LeftByOlderVersionTest.class.getResourceAsStream("left-by-0.1.0.sql")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void comesAfter(Duration pause) {
        time.rules(node);
        time.advance(pause);
        node.keeper.runOnce();
        assertThat(node.lease.current()).isPresent();
        olderNodes.runOnce();
    }

    private void work(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(STRETCH)) {
            time.hold();
            Playground.round(node);
            node.reconsidering.runOnce();
            time.advance(STRETCH);
        }
    }

    private void sessionsEnd() {
        time.hold();
        node.beatFor(Duration.ofSeconds(40));
        work(Duration.ofSeconds(4));
        olderNodes.runOnce();
        assertThat(rows.one("select group_concat(node) from session")).isEqualTo("c");
    }

    /** Attempt, outcome and cause of what became of a fire time. */
    private String ran(String job, String fireTime) {
        return String.valueOf(rows.one("select group_concat(concat_ws(' ', attempt, outcome, cause) order by attempt)"
                + " from task_history where job = '" + job + "' and fire_time = '" + fireTime + "'"));
    }

    /** The same of what was asked for by hand. */
    private List<String> runs(String job) {
        return rows
                .all("select concat_ws(' ', attempt, outcome, cause) as run from task_history where job = '" + job
                        + "' and origin <> '' order by attempt")
                .stream()
                .map(row -> String.valueOf(row.get("run")))
                .toList();
    }

    private void isWhole() {
        time.hold();
        List<AccountingResult> wrong = new ArrayList<>();
        new Accounting(new AccountingQueries(database), Duration.ZERO, Accounting.Limits.DEFAULT)
                .check(new Scope(null, null, null), account -> {
                    if (!account.addsUp()) {
                        wrong.add(account);
                    }
                });
        assertThat(wrong).isEmpty();
        assertThat(BrokenLinks.count(database, Duration.ofDays(40))).isZero();
        assertThat(rows.count("task t left join session s on s.id = t.session_id"
                        + " where t.state <> 'IDLE' and s.id is null"))
                .isZero();
        assertThat(rows.count("task where state = 'IDLE' and due_at is null and hold is null"))
                .isZero();
        assertThat(rows.count("task_history where last_fire_time > fire_time")).isEqualTo(rows.count("task_span"));
    }
}
