package dev.rowlock.node;

import dev.rowlock.node.ExplainTest.Situation;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Of nodes that die, freeze, or lose the database, and of a database whose clock is wrong. */
final class ExplainedFaults {

    private static final String MINUTELY = "'schedule': '* * * * *'";

    private ExplainedFaults() {}

    private static Situation situation(String name, String verdict, String summary, Consumer<ExplainScript> play) {
        return new Situation(name, verdict, summary, play);
    }

    static Stream<Situation> starts() {
        return Stream.of(
                situation(
                        "a process that could not be made",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "2s: FAILED: could not be started; too soon. No further attempt follows: the job "
                                + "asks for no retry.",
                        s -> s.put(MINUTELY)
                                .pass(61)
                                .each((processes, launch) -> processes.neverStart(launch, null))
                                .pass(1)
                                .at("10:01:00")),
                situation(
                        "a start that was given back",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 3s late (3s on the node, "
                                + "for no known reason), and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY)
                                .pass(61)
                                .each(FakeProcesses::refuse)
                                .pass(2)
                                .end(0)
                                .at("10:01:00")));
    }

    /** Of a node that dies with all that it executes. */
    static Stream<Situation> killed() {
        return Stream.of(
                situation(
                        "a killed node: it was lost and is run again",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z, attempt 2 (RECOVERY) ran on node #, started 1s "
                                + "late (1s on the node, for no known reason), and ended after 1ms: SUCCEEDED. Before "
                                + "that: attempt 1 LOST: node # was not heard of for longer than the session timeout.",
                        s -> s.put("'schedule': '*/5 * * * *'")
                                .sleep(260)
                                .pass(41)
                                .join("b", Map.of())
                                .pass(1)
                                .lose("a")
                                .pass(2)
                                .end(0)
                                .at("10:05:00")),
                situation(
                        "a killed node: the attempt that was lost",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z ran on node #, started on time, and ended after "
                                + "38s: LOST: node # was not heard of for longer than the session timeout. The next "
                                + "attempt is task #, due at 2026-03-02T10:05:38Z.",
                        s -> s.put("'schedule': '*/5 * * * *'")
                                .sleep(260)
                                .pass(41)
                                .join("b", Map.of())
                                .pass(1)
                                .lose("a")
                                .pass(2)
                                .ended("LOST")),
                situation(
                        "a killed node: it is not run again",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z ran on node #, started on time, and ended after "
                                + "38s: LOST: node # was not heard of for longer than the session timeout. No "
                                + "further attempt follows: the job is not run again when it is lost (onLost FAIL).",
                        s -> s.put("'schedule': '*/5 * * * *', 'onLost': 'FAIL'")
                                .sleep(260)
                                .pass(41)
                                .join("b", Map.of())
                                .pass(1)
                                .lose("a")
                                .pass(2)
                                .at("10:05:00")));
    }

    /** What happens to the nodes, or to the database, is not for others to see. */
    static Stream<Situation> alone() {
        return Stream.of(
                situation(
                        "a frozen node: it was taken over",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 1s late (1s until another node "
                                + "took it over), and ended after 1ms: SUCCEEDED. It was taken over from node #.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY)
                                .pass(50)
                                .then(stage -> stage.cluster.crash(stage.nodeOf("PREPARED")))
                                .pass(15)
                                .end(0)
                                .at("10:01:00")),
                situation(
                        "a node that was stopped",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z, attempt 2 (RECOVERY) ran on node #, started 1s "
                                + "late (1s on the node, for no known reason), and ended after 1ms: SUCCEEDED. Before "
                                + "that: attempt 1 LOST: the node was stopped.",
                        s -> s.join("b", Map.of())
                                .put("'schedule': '*/5 * * * *'")
                                .sleep(260)
                                .pass(42)
                                .then(stage -> stage.stop(stage.nodeOf("EXECUTING")))
                                .pass(5)
                                .end(0)
                                .at("10:05:00")),
                situation(
                        "a node that freezes and comes back",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 7s late (7s on the node, "
                                + "for no known reason), and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(50).sleep(15).pass(1).end(0).at("10:01:00")),
                situation(
                        "the database refuses the row",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z is waiting (ERROR): cannot be prepared: …",
                        s -> s.put(MINUTELY)
                                .then(stage -> stage.cluster.rows.run("create trigger poison before update on job_next"
                                        + " for each row begin if new.due_at is not null then"
                                        + " signal sqlstate '45000' set message_text = 'no such day'; end if; end"))
                                .pass(70)
                                .then(stage -> stage.cluster.rows.run("drop trigger poison"))
                                .at("10:01:00")),
                situation(
                        "the database's clock was ahead",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:30:00Z did not run: CANCELLED: had not come: the database's "
                                + "clock was ahead when this was recorded (for 60 fire times, 2026-03-02T10:01:00Z to "
                                + "2026-03-02T11:00:00Z). The fire time after it is 2026-03-02T11:01:00Z.",
                        s -> s.put("'schedule': '* * * * *', 'misfire': 'SKIP'")
                                .pass(5)
                                .then(stage -> stage.cluster.time.step(Duration.ofHours(1)))
                                .crash("a")
                                .join("b", Map.of())
                                .pass(5)
                                .then(stage -> stage.cluster.time.step(Duration.ofHours(-1)))
                                .then(stage -> stage.cluster.reschedule(s.job()))
                                .at("10:30:00")));
    }
}
