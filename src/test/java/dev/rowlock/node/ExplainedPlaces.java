package dev.rowlock.node;

import dev.rowlock.node.ExplainTest.Situation;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Of groups, selectors, broadcasts, slots. */
final class ExplainedPlaces {

    private static final String MINUTELY = "'schedule': '* * * * *'";
    private static final String ON_DB = ", 'nodes': 'role=db'";

    private ExplainedPlaces() {}

    private static Situation situation(String name, String verdict, String summary, Consumer<ExplainScript> play) {
        return new Situation(name, verdict, summary, play);
    }

    static Stream<Situation> executing() {
        return Stream.of(groups(), selectors()).flatMap(s -> s);
    }

    private static Stream<Situation> groups() {
        return Stream.of(
                situation(
                        "its group is full",
                        "WAITING",
                        "default/j of 2026-03-02T10:00:03Z (asked for by somebody) has been waiting since "
                                + "2026-03-02T10:00:04Z (GROUP): no free slot in group g. Group g executes 1 of at "
                                + "most 1 task.",
                        s -> s.group("g", 1)
                                .putOther("'schedule': '@manual', 'group': 'g'")
                                .put("'schedule': '@manual', 'group': 'g'")
                                .runOther()
                                .pass(2)
                                .run()
                                .pass(5)
                                .task()),
                situation(
                        "it had to wait for its group",
                        "RAN",
                        "default/j of 2026-03-02T10:00:03Z (asked for by somebody) ran on node #, started "
                                + "11s late (9s held by its policy, 2s on the node, for no known reason), and ended "
                                + "after 1ms: SUCCEEDED. It had to wait: no free slot in group h.",
                        s -> s.group("h", 1)
                                .putOther("'schedule': '@manual', 'group': 'h'")
                                .put("'schedule': '@manual', 'group': 'h'")
                                .runOther()
                                .pass(2)
                                .run()
                                .pass(10)
                                .endOther(0)
                                .then(ExplainStage::wakeGroups)
                                .pass(1)
                                .end(0)
                                .task()),
                situation(
                        "its group is stopped",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z (GROUP): no"
                                + " free slot in group stopped. Group stopped is stopped (limit 0). The fire time after it"
                                + " is 2026-03-02T10:02:00Z.",
                        s -> s.group("stopped", 0)
                                .put(MINUTELY + ", 'group': 'stopped'")
                                .pass(65)
                                .at("10:01:00")),
                situation(
                        "its group is stopped, and it lies ahead",
                        "TO_COME",
                        "default/j is to run at 2026-03-02T10:05:00Z, in 4m59s: every minute, UTC time. As "
                                + "things stand, it would wait: group off is stopped (limit 0).",
                        s -> s.group("off", 0)
                                .put(MINUTELY + ", 'group': 'off'")
                                .at("10:05:00")));
    }

    /** On a node with three slots. */
    static Stream<Situation> slots() {
        return Stream.of(
                situation(
                        "no slot is free",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been due since 2026-03-02T10:01:00Z and has "
                                + "not been started. Nodes without a free slot: a (3 of 3). The fire time after it "
                                + "is 2026-03-02T10:02:00Z.",
                        s -> s.putOther("'schedule': '@manual', 'overlap': 'ALLOW'")
                                .runOther()
                                .runOther()
                                .runOther()
                                .put(MINUTELY)
                                .pass(70)
                                .at("10:01:00")),
                situation(
                        "it had to wait for a slot",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 27s late (27s for a free "
                                + "slot), and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY)
                                .pass(85)
                                .then(stage -> stage.a().processes.end(0))
                                .pass(2)
                                .end(0)
                                .at("10:01:00")));
    }

    private static Stream<Situation> selectors() {
        return Stream.of(
                situation(
                        "no node matches, and it waits",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z "
                                + "(NODE): no node that takes work matches role=db; alive: a. The fire time after it "
                                + "is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY + ON_DB).pass(70).at("10:01:00")),
                situation(
                        "SKIP: the task in its way waits for a node",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: task # was still waiting to start"
                                + " (overlap SKIP). Task #, which is in its way, has been waiting since"
                                + " 2026-03-02T10:01:00Z (NODE): no node that takes work matches role=db; alive: a. The"
                                + " fire time after it is 2026-03-02T10:03:00Z.",
                        s -> s.put(MINUTELY + ON_DB + ", 'startDeadline': '1h'")
                                .pass(125)
                                .at("10:02:00")),
                situation(
                        "no node matches, and it lies ahead",
                        "TO_COME",
                        "default/j of 2026-03-03T03:00:00Z is still to come. As things stand, it would "
                                + "wait: no node that takes work matches role=db; alive: a. The fire time after it "
                                + "is 2026-03-04T03:00:00Z.",
                        s -> s.put("'schedule': '0 3 * * *'" + ON_DB).at("2026-03-03T03:00:00Z")),
                situation(
                        "maxPerNode: its node has no room",
                        "WAITING",
                        "default/j of 2026-03-02T10:00:02Z (asked for by somebody) has been waiting since "
                                + "2026-03-02T10:00:03Z (NODE): the node that was to run it executes 1 tasks of the "
                                + "job, as many as it may (maxPerNode).",
                        s -> s.put("'schedule': '@manual', 'overlap': 'ALLOW', 'maxPerNode': 1")
                                .run()
                                .pass(1)
                                .run()
                                .pass(3)
                                .task()),
                situation(
                        "maxPerNode: it had to wait for room",
                        "RAN",
                        "default/j of 2026-03-02T10:00:02Z (asked for by somebody) ran on node #, started "
                                + "21s late (19s held by its policy, 2s on the node, for no known reason), and ended "
                                + "after 1ms: SUCCEEDED. It had to wait: the node that was to run it executes 1 tasks "
                                + "of the job, as many as it may (maxPerNode).",
                        s -> s.put("'schedule': '@manual', 'overlap': 'ALLOW', 'maxPerNode': 1")
                                .run()
                                .pass(1)
                                .run()
                                .pass(20)
                                .end(0)
                                .pass(6)
                                .end(0)
                                .task()));
    }

    /** What happens to the nodes, or to the database, is not for others to see. */
    static Stream<Situation> alone() {
        return Stream.of(
                situation(
                        "no node matched in time",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:05:00Z did not run: MISSED: it waited for longer than the misfire"
                                + " threshold of 1m: no node that takes work matches role=db; alive: a, web. The fire time"
                                + " after it is 2026-03-02T10:10:00Z.",
                        s -> s.join("web", Map.of("role", "web"))
                                .put("'schedule': '*/5 * * * *', 'nodes': 'role=db'")
                                .sleep(285)
                                .pass(80)
                                .at("10:05:00")),
                situation(
                        "a node that matches came later",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node db, started 22s late (22s held by its policy),"
                                + " and ended after 1ms: SUCCEEDED. It had to wait: no node that takes work matches"
                                + " role=db; alive: a.",
                        s -> s.put(MINUTELY + ON_DB)
                                .pass(80)
                                .join("db", Map.of("role", "db"))
                                .pass(5)
                                .end(0)
                                .at("10:01:00")),
                situation(
                        "SKIP: the task in its way got its node later",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: task # was still waiting to start"
                                + " (overlap SKIP). Task #, which was in its way, waited until …",
                        s -> s.put(MINUTELY + ON_DB + ", 'startDeadline': '1h'")
                                .pass(125)
                                .join("db", Map.of("role", "db"))
                                .pass(5)
                                .end(0)
                                .at("10:02:00")),
                situation(
                        "SKIP: the task in its way found no node in time",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: task # was still waiting to start"
                                + " (overlap SKIP). Task #, which was in its way, did not run either: MISSED: …",
                        s -> s.put(MINUTELY + ON_DB + ", 'startDeadline': '90s'")
                                .pass(160)
                                .at("10:02:00")),
                situation(
                        "the node was drained",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z "
                                + "(NODE): no node takes work; alive: a (drained or stopping). The fire time after "
                                + "it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY)
                                .pass(5)
                                .then(stage -> stage.drain("a"))
                                .pass(80)
                                .at("10:01:00")));
    }

    static Stream<Situation> broadcasts() {
        return Stream.of(
                situation(
                        "broadcast: it ran on all nodes",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on all its nodes: EXPANDED: 2 tasks, on the nodes "
                                + "a, b. Of these: a SUCCEEDED, b SUCCEEDED. The fire time after it is "
                                + "2026-03-02T10:02:00Z.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY + ", 'broadcast': true")
                                .pass(63)
                                .end(0)
                                .at("10:01:00")),
                situation(
                        "broadcast: the part of a node",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z on node # ran on node #, started on time, and "
                                + "ended after 1ms: SUCCEEDED.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY + ", 'broadcast': true")
                                .pass(63)
                                .end(0)
                                .ended("SUCCEEDED")),
                situation(
                        "broadcast: a part that waits for its turn",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z on node # has been waiting since "
                                + "2026-03-02T10:01:00Z (OVERLAP): 1 other nodes first (broadcastParallel 1). The "
                                + "fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1")
                                .pass(63)
                                .live()),
                situation(
                        "broadcast: a part was cancelled as another failed",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z on node # did not run: CANCELLED: task # on node # "
                                + "failed (stopOnFailure). The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1, 'stopOnFailure': true")
                                .pass(63)
                                .end(1)
                                .pass(1)
                                .ended("CANCELLED")),
                situation(
                        "broadcast: a node died before it ran its part",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on all its nodes: EXPANDED: 2 tasks, on the nodes a, b."
                                + " Of these: a SUCCEEDED, b MISSED. The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.join("b", Map.of())
                                .put(MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1")
                                .pass(63)
                                .lose("b")
                                .end(0)
                                .pass(2)
                                .at("10:01:00")));
    }
}
