package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.AlertFilter.AlertState;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.NamedRule;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.AlertQueries;
import dev.rowlock.alert.store.Evaluation;
import dev.rowlock.alert.store.Evaluation.EvaluationProgress;
import dev.rowlock.alert.store.OldAlerts;
import dev.rowlock.alert.store.Outbox;
import dev.rowlock.alert.store.Outbox.MessageKind;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.alert.store.TimedEvaluation;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What alerts cost with 20,000 jobs and one rule for all: each step reads its own rows, and no more. */
@Tag("database")
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AlertCostTest {

    private static final int JOBS = 20_000;
    private static final int AT_ONCE = 500;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;
    private static Rows rows;
    private static RuleBook book;

    @BeforeAll
    static void fill() throws IOException {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(60));
        rows = new Rows(SERVER);
        IdleJobs.insert(rows, JOBS);
        new StoredRules(database)
                .put(
                        "all",
                        "\"when\": [\"FAILED\", \"NEVER_SUCCEEDED\", \"NOT_STARTED_BY\", \"TOO_LONG\", \"NODE_LOST\","
                                + " \"TOKEN_EXPIRING\"], \"after\": \"1h\", \"deadline\": \"30m\", \"warnAfter\": \"5m\","
                                + " \"reminder\": \"30d\", \"groupWait\": \"1h\"");
        rows.run("update alert_rule set created_at = '2020-01-01'");
        book = new RuleStore(database).book(RuleBook.NONE);
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time, duration_ms, exit_code) select 1000000 + n, n,"
                + " 'default', concat('idle-', n), 1, '2026-01-01', '', 1, 'SCHEDULE', 'FAILED', '2026-01-01',"
                + " '2026-01-01' + interval n div 1000 second, '2026-01-01', 10, 1 from " + Numbers.upTo(JOBS));
        rows.run("replace into setting (name, value) values ('history-counted', '2026-01-02 00:00:00.000 0')");
        rows.run("update alert_state set read_at = '2025-12-31', read_id = 0");
        rows.all("analyze table task_history, job_version, task, alert");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    @Order(1)
    void what_ends_is_read_once_and_with_what_a_rule_asks_of_its_job() {
        Evaluation evaluation = new Evaluation(database);
        assertThat(rowsReadBy(evaluation, inARow())).isLessThan(AT_ONCE * 40L);
        assertThat(rowsReadBy(evaluation, book)).isLessThan(AT_ONCE * 36L);
        assertThat(ReadCounter.questionsBy(database, () -> evaluation.history(book, AT_ONCE)))
                .isLessThan(30);
        EvaluationProgress done = EvaluationProgress.MORE;
        for (int i = 0; i < JOBS / AT_ONCE && done == EvaluationProgress.MORE; i++) {
            done = evaluation.history(book, AT_ONCE);
        }
        assertThat(done).isEqualTo(EvaluationProgress.ALL);
        assertThat(rows.count("alert where kind = 'FAILED_IN_A_ROW'")).isEqualTo(2 * AT_ONCE);
        assertThat(rows.count("alert where kind = 'FAILED'")).isEqualTo(JOBS - 2 * AT_ONCE);
        assertThat(rows.count("alert_message")).isEqualTo(1);
    }

    private static long rowsReadBy(Evaluation evaluation, RuleBook rules) {
        return ReadCounter.rowsReadBy(
                database, () -> assertThat(evaluation.history(rules, AT_ONCE)).isEqualTo(EvaluationProgress.MORE));
    }

    /** The same rule, when it asks how often in a row. */
    private static RuleBook inARow() {
        NamedRule all = book.find("all").orElseThrow();
        ObjectNode fields = all.rule().json();
        fields.putArray("when").add("FAILED_IN_A_ROW");
        fields.put("times", 1);
        return new RuleBook(book.version(), List.of(new NamedRule("all", AlertRule.stored(fields), all.createdAt())));
    }

    /** Some 20,000 alerts are open by now. */
    @Test
    @Order(2)
    void a_look_at_what_passes_with_time_reads_neither_idle_tasks_nor_open_alerts() {
        TimedEvaluation timed = new TimedEvaluation(database);
        while (timed.look(book) == EvaluationProgress.MORE) {
            assertThat(timed).isNotNull();
        }
        assertThat(ReadCounter.rowsReadBy(
                        database, () -> assertThat(timed.look(book)).isEqualTo(EvaluationProgress.ALL)))
                .isLessThan(100);
    }

    @Test
    @Order(3)
    void what_passes_a_deadline_at_once_is_read_part_by_part() {
        rows.run("update live_task set fire_time = utc_timestamp(3) - interval 31 minute, due_at = null");
        rows.run("update alert_state set looked_at = looked_at - interval 1 hour, reached = null");
        TimedEvaluation timed = new TimedEvaluation(database);
        assertThat(ReadCounter.rowsReadBy(
                        database, () -> assertThat(timed.look(book)).isEqualTo(EvaluationProgress.MORE)))
                .isLessThan(30_000);
    }

    @Test
    @Order(4)
    void people_read_a_page() {
        AlertQueries queries = new AlertQueries(database);
        for (AlertState state : new AlertState[] {AlertState.OPEN, AlertState.WAITING}) {
            assertThat(ReadCounter.rowsReadBy(database, () -> queries.find(filter(state, null))))
                    .as(state.toString())
                    .isLessThan(1_000);
        }
        assertThat(ReadCounter.rowsReadBy(database, () -> queries.find(filter(null, "default"))))
                .isLessThan(1_000);
    }

    private static AlertFilter filter(@Nullable AlertState state, @Nullable String namespace) {
        return new AlertFilter(state, Set.of(), null, namespace, null, null, 50);
    }

    @Test
    @Order(5)
    void a_message_of_all_of_them_is_claimed_and_recorded_in_short_transactions() {
        rows.run("update alert_message set next_at = utc_timestamp(3)");
        Outbox outbox = new Outbox(database);
        Outbox.Due due =
                outbox.due(MessageKind.ALERT, "s-1", Set.of(), Set.of()).get(0);
        long before = System.nanoTime();
        Outbox.Claimed claimed = outbox.claim(due, "s-1", "s-1-1").orElseThrow();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(claimed.parts()).isGreaterThanOrEqualTo(JOBS);
        assertThat(outbox.parts(claimed.id(), 20)).hasSize(20);
        assertThat(outbox.sent(claimed)).isTrue();
        assertThat(rows.count("alert where sending = 'WAITING'")).isZero();
    }

    @Test
    @Order(6)
    void what_is_old_is_deleted_part_by_part_and_a_message_with_the_last_of_its_alerts() {
        rows.run("update alert set closed_at = '2026-01-01'");
        rows.run("update alert_message set created_at = '2026-01-01'");
        long alerts = rows.count("alert");
        OldAlerts old = new OldAlerts(database);
        Instant before = Instant.parse("2026-02-01T00:00:00Z");
        assertThat(ReadCounter.rowsReadBy(
                        database, () -> assertThat(old.delete(before, AT_ONCE)).isTrue()))
                .isLessThan(10_000);
        assertThat(rows.count("alert")).isEqualTo(alerts - 2 * AT_ONCE);
        assertThat(rows.count("alert_message")).isEqualTo(1);
        rows.run("delete from alert_part where alert_id > (select min(id) from alert)");
        rows.run("delete from alert where closed_at is not null and id not in (select alert_id from alert_part)");
        assertThat(old.delete(before, AT_ONCE)).isFalse();
        assertThat(rows.count("alert_part") + rows.count("alert_message")).isZero();
    }
}
