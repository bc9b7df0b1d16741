package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Three nodes and a job that runs on each of them. */
abstract class Broadcasting extends NodeByHand {

    static final String PARTS =
            "select group_concat(concat(origin, ' ', state) order by origin separator ', ') from live_task"
                    + " where origin like 'node:%'";
    static final String ENDED =
            "select group_concat(concat(substring_index(origin, '#', 1), ' ', outcome) order by id separator ', ')"
                    + " from task_history where origin like 'node:%'";
    static final String REASON =
            "select group_concat(distinct reason) from task_history where origin like 'node:%' and outcome = ";

    HandDrivenNode b;
    HandDrivenNode c;

    @BeforeEach
    void joinOthers() {
        b = playground.joined("b", playground.address());
        c = playground.joined("c", playground.address());
    }

    /** The node that a part was for, whoever recorded its end, and where it comes from. */
    @Nullable
    String nodeOf(String outcome) {
        return rows.one("select concat(node, ' ', origin) from v_history where outcome = '" + outcome + "'");
    }

    void create(String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"broadcast\": true" + more
                        + "}"));
    }

    /** An occurrence of the schedule that is due now. */
    long due() {
        long id = jobs.run(KEY, null).task();
        rows.run("update task t join job_next c on c.job_id = t.job_id set t.cause = 'SCHEDULE', t.origin = '',"
                + " t.next_fire_time = c.fire_time where t.id = " + id);
        return id;
    }

    void everywhere() {
        playground.nodes.forEach(HandDrivenNode::schedule);
        playground.nodes.forEach(HandDrivenNode::schedule);
    }

    void lookAround() {
        playground.nodes.forEach(node -> node.keeper.runOnce());
    }

    static void finish(HandDrivenNode node, int exitCode) {
        node.processes.end(exitCode);
        node.recorder.runOnce();
    }

    void expire(HandDrivenNode dead) {
        HandDrivenNode witness = playground.nodes.stream()
                .filter(node -> node != dead)
                .findFirst()
                .orElseThrow();
        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + dead.session() + "'")));
        assertThat(witness.sessions.expire(witness.session(), dead.session(), beat, "gone"))
                .isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }
}
