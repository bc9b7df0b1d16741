package dev.rowlock.engine;

import static dev.rowlock.engine.ExplainStage.time;

import dev.rowlock.engine.ExplainTest.Situation;
import dev.rowlock.explain.Explanation;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Of nodes that die, freeze, or lose the database, and of a database whose clock is wrong. */
final class ExplainedFaults {

    private static final String MINUTELY = "'schedule': '* * * * *'";

    private ExplainedFaults() {}

    private static Situation situation(
            String name, String verdict, String summary, Function<ExplainStage, Explanation> play) {
        return new Situation(name, verdict, summary, play);
    }

    /** The node that has prepared what is due next. */
    private static String whoPrepared(ExplainStage s) {
        return String.valueOf(s.cluster.rows.one(
                "select s.node from task t join session s on s.id = t.session_id where t.state = 'PREPARED'"));
    }

    static Stream<Situation> situations() {
        return Stream.of(
                situation(
                        "a frozen node: it was taken over",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 1s late (1s until another node "
                                + "took it over), and ended after 5s: SUCCEEDED. It was taken over from node #.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY);
                            s.look(50);
                            s.cluster.crash(whoPrepared(s));
                            return s.look(15).end(0).at("j", time("10:01:00"));
                        }),
                situation(
                        "a killed node: it was lost and is run again",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z, attempt 2 (RECOVERY) ran on node #, started 1s "
                                + "late (1s on the node, for no known reason), and ended after 2s: SUCCEEDED. Before "
                                + "that: attempt 1 LOST: node # was not heard of for longer than the session timeout.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", "'schedule': '*/5 * * * *'");
                            s.sleep(260).look(42);
                            return s.lose(executing(s)).look(2).end(0).at("j", time("10:05:00"));
                        }),
                situation(
                        "a killed node: the attempt that was lost",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z ran on node #, started on time, and ended after "
                                + "38s: LOST: node # was not heard of for longer than the session timeout. The next "
                                + "attempt is task #, due at 2026-03-02T10:05:38Z.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", "'schedule': '*/5 * * * *'");
                            s.sleep(260).look(42);
                            s.lose(executing(s)).look(2);
                            return s.ended("LOST");
                        }),
                situation(
                        "a killed node: it is not run again",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z ran on node #, started on time, and ended after "
                                + "38s: LOST: node # was not heard of for longer than the session timeout. No "
                                + "further attempt follows: the job is not run again when it is lost (onLost FAIL).",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", "'schedule': '*/5 * * * *', 'onLost': 'FAIL'");
                            s.sleep(260).look(42);
                            return s.lose(executing(s)).look(2).at("j", time("10:05:00"));
                        }),
                situation(
                        "a node that was stopped",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z, attempt 2 (RECOVERY) ran on node #, started 1s "
                                + "late (1s on the node, for no known reason), and ended after 4s: SUCCEEDED. Before "
                                + "that: attempt 1 LOST: the node was stopped.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", "'schedule': '*/5 * * * *'");
                            s.sleep(260).look(42);
                            HandDrivenNode node = s.cluster.node(executing(s));
                            s.cluster.time.hold();
                            node.departure.giveBackPrepared();
                            node.departure.endCommands(node.processes, Duration.ZERO);
                            node.recorder.runOnce();
                            node.departure.leave();
                            return s.look(5).end(0).at("j", time("10:05:00"));
                        }),
                situation(
                        "a process that could not be made",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "2s: FAILED: could not be started; too soon. No further attempt follows: the job "
                                + "asks for no retry.",
                        s -> {
                            s.put("j", MINUTELY);
                            s.look(61);
                            s.a().processes.neverStart(null);
                            return s.look(1).at("j", time("10:01:00"));
                        }),
                situation(
                        "a start that was given back",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 3s late (3s on the node, "
                                + "for no known reason), and ended after 1s: SUCCEEDED.",
                        s -> {
                            s.put("j", MINUTELY);
                            s.look(61);
                            s.a().processes.refuse();
                            s.look(2);
                            return s.end(0).at("j", time("10:01:00"));
                        }),
                situation(
                        "a node that freezes and comes back",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 7s late (7s on the node, "
                                + "for no known reason), and ended after 0s: SUCCEEDED.",
                        s -> {
                            s.put("j", MINUTELY);
                            s.look(50).sleep(15);
                            return s.look(1).end(0).at("j", time("10:01:00"));
                        }),
                situation(
                        "the database refuses the row",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z is waiting (ERROR): cannot be prepared: …",
                        s -> {
                            s.put("j", MINUTELY);
                            s.cluster.rows.run(
                                    "create trigger poison before update on task for each row begin if new.state ="
                                            + " 'PREPARED' then signal sqlstate '45000' set message_text = 'no such day'; end if; end");
                            try {
                                return s.look(70).at("j", time("10:01:00"));
                            } finally {
                                s.cluster.rows.run("drop trigger poison");
                            }
                        }),
                situation(
                        "the database's clock was ahead",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:30:00Z did not run: CANCELLED: had not come: the database's "
                                + "clock was ahead when this was recorded (for 60 fire times, 2026-03-02T10:01:00Z to "
                                + "2026-03-02T11:00:00Z). The fire time after it is 2026-03-02T11:01:00Z.",
                        s -> {
                            s.put("j", "'schedule': '* * * * *', 'misfire': 'SKIP'");
                            s.look(5);
                            s.cluster.time.step(Duration.ofHours(1));
                            s.cluster.crash("a");
                            s.join("b", Map.of());
                            s.look(5);
                            s.cluster.time.step(Duration.ofHours(-1));
                            s.cluster.reschedule("j");
                            return s.at("j", time("10:30:00"));
                        }));
    }

    private static String executing(ExplainStage s) {
        return String.valueOf(s.cluster.rows.one(
                "select s.node from task t join session s on s.id = t.session_id where t.state = 'EXECUTING'"));
    }
}
