package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.audit.Audit;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of jobs with {@code nodes}: only nodes that match start them, whatever changes. */
@Tag("database")
class NodeSelectorTest {

    private static final String DB = "\"nodes\": \"role=db\"";
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-11-22T10:00:30Z"), 50);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void runs_on_time_on_the_node_that_matches_whichever_prefers_its_stripe() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        for (int i = 0; i < 10; i++) {
            cluster.put("j" + i, "\"schedule\": \"* * * * *\", " + DB);
        }

        pass(Duration.ofSeconds(30));

        assertThat(started("db")).isEqualTo(10);
        assertThat(started("web")).isZero();
        assertThat(cluster.rows.one(
                        "select max(timestampdiff(microsecond, fire_time, started_at)) div 1000 from live_task"))
                .isEqualTo("0");
        assertThat(texts("select distinct s.expression from live_task t left join selector s on s.id = t.selector"))
                .containsExactly("role=db");
    }

    @Test
    void what_is_prepared_is_not_started_once_the_label_is_gone_even_by_a_node_that_has_not_heard_of_it() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        cluster.put("j", "\"schedule\": \"* * * * *\", " + DB);
        pass(Duration.ofSeconds(26));
        assertThat(prepared("db")).isEqualTo(1);

        relabel("db", "role", null);
        assertThat(states()).containsExactly("IDLE", "IDLE");

        pass(Duration.ofSeconds(6));
        assertThat(started("db") + started("web")).isZero();
        assertThat(cluster.rows.one("select concat(hold, ': ', hold_reason) from live_task where hold is not null"))
                .isEqualTo("NODE: no node that takes work matches role=db; alive: db, web");

        relabel("web", "role", "db");
        pass(Duration.ofSeconds(4));
        assertThat(started("web")).isEqualTo(1);
        assertThat(cluster.rows.count("task_wait")).isZero();
    }

    @Test
    void a_fire_that_comes_right_behind_a_change_of_labels_sees_it() {
        cluster.join("db", Map.of("role", "db"));
        cluster.put("j", "\"schedule\": \"* * * * *\", " + DB);
        pass(Duration.ofSeconds(26));
        cluster.time.advance(Duration.ofSeconds(4));
        cluster.node("db").keeper.runOnce();
        cluster.rows.run("update session set labels = '{}'"); // as if what is prepared was not given back yet

        cluster.node("db").schedule();

        assertThat(started("db")).isZero();
        assertThat(cluster.rows.count("live_task where hold = 'NODE' and state = 'IDLE'"))
                .isEqualTo(1);
    }

    @Test
    void what_no_node_matches_waits_for_one_and_is_missed_when_none_comes_in_time() {
        cluster.join("web", Map.of("role", "web"));
        cluster.put("j", "\"schedule\": \"*/5 * * * *\", " + DB);

        cluster.sleep(Duration.ofSeconds(250));
        pass(Duration.ofSeconds(25));
        assertThat(
                        cluster.rows.one(
                                "select concat(state, ' ', hold, ' ', queued_at >= fire_time) from live_task where hold is not null"))
                .isEqualTo("IDLE NODE 1");

        pass(Duration.ofSeconds(60));
        assertThat(cluster.rows.one("select concat(outcome, ': ', reason) from task_history"))
                .isEqualTo("MISSED: it waited for longer than the misfire threshold of 1m:"
                        + " no node that takes work matches role=db; alive: web");
        assertThat(cluster.rows.count("task_wait")).isZero();
        cluster.addsUp();
    }

    @Test
    void start_deadline_says_how_long_it_waits() {
        cluster.join("web", Map.of("role", "web"));
        cluster.put("j", "\"schedule\": \"*/5 * * * *\", \"startDeadline\": \"10s\", " + DB);
        cluster.sleep(Duration.ofSeconds(260));

        pass(Duration.ofSeconds(18));
        assertThat(cluster.rows.count("live_task where hold = 'NODE'")).isEqualTo(1);
        pass(Duration.ofSeconds(5));

        assertThat(cluster.rows.one("select concat(outcome, ': ', reason) from task_history"))
                .isEqualTo("MISSED: its startDeadline of 10s was over:"
                        + " no node that takes work matches role=db; alive: web");
    }

    @Test
    void a_node_that_joins_runs_what_waited_for_it() {
        cluster.join("web", Map.of("role", "web"));
        cluster.put("j", "\"schedule\": \"*/5 * * * *\", " + DB);
        cluster.sleep(Duration.ofSeconds(250));
        pass(Duration.ofSeconds(40));

        cluster.join("db", Map.of("role", "db"));
        pass(Duration.ofSeconds(4));

        assertThat(started("db")).isEqualTo(1);
        assertThat(cluster.rows.count("live_task where hold is not null")).isZero();
    }

    @Test
    void nobody_takes_over_what_it_does_not_match() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        cluster.put("j", "\"schedule\": \"* * * * *\", " + DB);
        pass(Duration.ofSeconds(26));
        assertThat(prepared("db")).isEqualTo(1);

        cluster.time.advance(Duration.ofSeconds(8)); // and db does nothing
        pass("web", Duration.ofSeconds(5));
        assertThat(started("web")).isZero();
        assertThat(states()).contains("PREPARED");

        cluster.join("db2", Map.of("role", "db"));
        pass("db2", Duration.ofSeconds(2));
        assertThat(started("db2")).isEqualTo(1);
    }

    @Test
    void many_tasks_for_other_nodes_do_not_delay_a_plain_one() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        cluster.put("foreign", "\"schedule\": \"0 0 1 1 *\", " + DB);
        cluster.rows.run(
                "insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state, selector)"
                        + " with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)"
                        + " select t.job_id, 1, t.stripe, '2026-11-22 10:00:20', concat('run:', k.k, '-', n.i), 1, 'MANUAL', '2026-11-22 10:00:20', 'IDLE', t.selector"
                        + " from n, (select 1 as k union select 2 union select 3 union select 4 union select 5) k, job_next t");
        cluster.put("plain", "\"schedule\": \"* * * * *\"");
        cluster.crash("db");
        cluster.time.advance(Duration.ofSeconds(30));
        cluster.node("web").keeper.runOnce();

        cluster.node("web").schedule();

        assertThat(started("web")).isEqualTo(1);
        assertThat(cluster.rows.count("live_task where state = 'IDLE' and origin <> ''"))
                .isEqualTo(5000);
    }

    @Test
    void an_edit_of_nodes_takes_effect_on_what_waits_and_what_is_prepared() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        cluster.put("j", "\"schedule\": \"* * * * *\", \"nodes\": \"role=cache\"");
        pass(Duration.ofSeconds(32));
        assertThat(cluster.rows.count("live_task where hold = 'NODE'")).isEqualTo(1);

        cluster.put("j", "\"schedule\": \"* * * * *\", \"nodes\": \"role in (db)\"");
        pass(Duration.ofSeconds(2));

        assertThat(started("db")).isEqualTo(1);
        assertThat(texts("select distinct s.expression from live_task t join selector s on s.id = t.selector"))
                .containsExactly("role=db");
        assertThat(cluster.rows.count("task_wait")).isZero();
    }

    @Test
    void a_pause_holds_what_waits_for_a_node_too() {
        cluster.join("web", Map.of("role", "web"));
        cluster.put("j", "\"schedule\": \"*/5 * * * *\", " + DB);
        cluster.sleep(Duration.ofSeconds(250));
        pass(Duration.ofSeconds(30));
        assertThat(cluster.rows.count("live_task where hold = 'NODE'")).isEqualTo(1);

        cluster.pause("j");
        cluster.join("db", Map.of("role", "db"));
        pass(Duration.ofSeconds(6));

        assertThat(started("db")).isZero();
        assertThat(texts("select distinct hold from live_task")).containsExactly("PAUSE");
    }

    @Test
    void a_recovery_goes_to_a_node_that_matches() {
        cluster.join("web", Map.of("role", "web"));
        cluster.join("db", Map.of("role", "db"));
        cluster.put("j", "\"schedule\": \"* * * * *\", " + DB);
        pass(Duration.ofSeconds(31));
        assertThat(started("db")).isEqualTo(1);
        String dead = cluster.node("db").session();
        long beat = Long.parseLong(String.valueOf(cluster.rows.one("select beat from session where node = 'db'")));
        cluster.crash("db");
        cluster.time.hold();
        HandDrivenNode web = cluster.node("web");
        assertThat(web.sessions.expire(web.session(), dead, beat, "it is dead")).isTrue();
        pass(Duration.ofSeconds(3));
        assertThat(cluster.rows.one("select concat(cause, ' ', hold) from live_task where cause = 'RECOVERY'"))
                .isEqualTo("RECOVERY NODE");
        assertThat(started("web")).isZero();

        cluster.join("db", Map.of("role", "db"));
        pass(Duration.ofSeconds(4));
        assertThat(cluster.node("db").processes.started)
                .isNotEmpty()
                .allSatisfy(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_JOB", "default/j"));
    }

    private void relabel(String node, String label, @Nullable String value) {
        change(node, setting -> setting.withLabels(Collections.singletonMap(label, value)));
    }

    private void change(String node, UnaryOperator<NodeSetting> change) {
        cluster.time.hold();
        cluster.settings.change(node, change, Audit.NONE);
    }

    /** Time goes by, second by second, with these nodes at work, and commands that go on. */
    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            cluster.nodes().forEach(this::step);
        }
    }

    private void pass(String node, Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            step(cluster.node(node));
        }
    }

    private void step(HandDrivenNode node) {
        cluster.time.hold();
        node.keeper.runOnce();
        cluster.time.hold();
        node.waits.runOnce();
        cluster.time.hold();
        node.schedule();
    }

    private int started(String node) {
        return cluster.node(node).processes.started.size();
    }

    private int prepared(String node) {
        return cluster.node(node).localTasks.preparedCount();
    }

    private List<String> states() {
        return texts("select state from live_task order by fire_time");
    }

    private List<String> texts(String sql) {
        return cluster.rows.all(sql).stream()
                .map(row -> String.valueOf(row.values().iterator().next()))
                .toList();
    }
}
