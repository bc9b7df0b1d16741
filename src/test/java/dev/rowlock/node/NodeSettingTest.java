package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.audit.Audit;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators set of a node while it works: drained, capacity; and how many tasks of a job it may execute. */
@Tag("database")
class NodeSettingTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int CAPACITY = 4;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-11-22T10:00:30Z"), CAPACITY);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void a_drained_node_gives_back_what_it_prepared_and_others_run_it_on_time() {
        cluster.join("a");
        cluster.put("j", "\"schedule\": \"* * * * *\"");
        pass(Duration.ofSeconds(10));
        assertThat(cluster.node("a").localTasks.preparedCount()).isEqualTo(1);
        cluster.join("b");

        drain("a", true);
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'")).isZero();
        pass(Duration.ofSeconds(20));

        assertThat(started("a")).isZero();
        assertThat(started("b")).isEqualTo(1);
        assertThat(cluster.node("a").notReady())
                .hasValueSatisfying(why -> assertThat(why).startsWith("draining"));
        assertThat(cluster.node("b").notReady()).isEmpty();
    }

    @Test
    void a_node_that_is_alone_and_drained_holds_what_is_due_also_after_a_restart_until_it_is_undrained() {
        cluster.join("a");
        cluster.put("j", "\"schedule\": \"*/5 * * * *\"");
        drain("a", true);
        cluster.crash("a");
        cluster.rows.run("delete from session");
        cluster.sleep(Duration.ofSeconds(250));
        cluster.join("a");

        pass(Duration.ofSeconds(25));
        assertThat(started("a")).isZero();
        assertThat(cluster.rows.one(
                        "select concat(state, ' ', hold, ' ', hold_reason) from live_task where hold is not null"))
                .isEqualTo("IDLE NODE no node takes work; alive: a (drained or stopping)");

        drain("a", false);
        pass(Duration.ofSeconds(3));
        assertThat(started("a")).isEqualTo(1);
        assertThat(cluster.node("a").notReady()).isEmpty();
    }

    @Test
    void what_a_drained_node_executes_finishes() {
        cluster.join("a");
        cluster.put("j", "\"schedule\": \"* * * * *\"");
        pass(Duration.ofSeconds(31));
        assertThat(started("a")).isEqualTo(1);

        drain("a", true);
        pass(SECOND);
        assertThat(cluster.node("a").processes.running()).isEqualTo(1);
        cluster.node("a").processes.end(0);
        cluster.time.hold();
        cluster.node("a").recorder.runOnce();

        assertThat(cluster.rows.one("select outcome from task_history")).isEqualTo("SUCCEEDED");
    }

    @Test
    void capacity_changes_while_the_node_works_up_and_down() {
        cluster.join("a");
        for (int i = 0; i < 12; i++) {
            cluster.put("j" + i, "\"schedule\": \"* * * * *\"");
        }
        pass(Duration.ofSeconds(31));
        assertThat(started("a")).isEqualTo(CAPACITY);

        change("a", setting -> setting.withCapacity(6));
        pass(Duration.ofSeconds(2));
        assertThat(started("a")).isEqualTo(6);

        change("a", setting -> setting.withCapacity(1));
        pass(Duration.ofSeconds(2));
        cluster.node("a").processes.end(0);
        cluster.node("a").recorder.runOnce();
        pass(Duration.ofSeconds(2));
        assertThat(cluster.node("a").processes.running()).isEqualTo(1);

        change("a", setting -> setting.withCapacity(null));
        pass(Duration.ofSeconds(2));
        assertThat(cluster.node("a").processes.running()).isEqualTo(CAPACITY);
    }

    @Test
    void no_node_executes_more_tasks_of_a_job_than_it_may() {
        cluster.join("a");
        cluster.join("b");
        cluster.put(
                "j",
                "\"schedule\": \"*/10 * * * * *\", \"overlap\": \"ALLOW\", \"maxPerNode\": 1, \"misfireThreshold\": \"1h\"");

        pass(Duration.ofSeconds(35));
        assertThat(cluster.node("a").processes.running()).isEqualTo(1);
        assertThat(cluster.node("b").processes.running()).isEqualTo(1);
        assertThat(
                        cluster.rows.one(
                                "select count(*) > 0 and min(hold) = 'NODE' and min(queued_at is not null) from live_task where hold is not null"))
                .isEqualTo("1");

        cluster.node("a").processes.end(0);
        cluster.time.hold();
        cluster.node("a").recorder.runOnce();
        pass(SECOND);
        pass(SECOND);

        assertThat(cluster.node("a").processes.running()).isEqualTo(1);
        assertThat(cluster.node("b").processes.running()).isEqualTo(1);
        assertThat(started("a") + started("b")).isEqualTo(3);
    }

    private void drain(String node, boolean drained) {
        change(node, setting -> setting.withDrained(drained));
    }

    private void change(String node, UnaryOperator<NodeSetting> change) {
        cluster.time.hold();
        cluster.settings.change(node, change, Audit.NONE);
    }

    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            for (HandDrivenNode node : cluster.nodes()) {
                cluster.time.hold();
                node.keeper.runOnce();
                cluster.time.hold();
                node.waits.runOnce();
                cluster.time.hold();
                node.schedule();
            }
        }
    }

    private int started(String node) {
        return cluster.node(node).processes.started.size();
    }
}
