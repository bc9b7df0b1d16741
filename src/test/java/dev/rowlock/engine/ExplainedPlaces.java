package dev.rowlock.engine;

import static dev.rowlock.engine.ExplainStage.time;

import dev.rowlock.engine.ExplainTest.Situation;
import dev.rowlock.explain.Explanation;
import dev.rowlock.store.audit.Audit;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Of groups, selectors, broadcasts, slots. */
final class ExplainedPlaces {

    private static final String MINUTELY = "'schedule': '* * * * *'";

    private ExplainedPlaces() {}

    static Stream<Situation> situations() {
        return Stream.of(groups(), selectors(), broadcasts()).flatMap(s -> s);
    }

    private static Situation situation(
            String name, String verdict, String summary, Function<ExplainStage, Explanation> play) {
        return new Situation(name, verdict, summary, play);
    }

    private static Stream<Situation> groups() {
        return Stream.of(
                situation(
                        "its group is full",
                        "WAITING",
                        "default/j of 2026-03-02T10:00:03Z (asked for by somebody) has been waiting since "
                                + "2026-03-02T10:00:04Z (GROUP): no free slot in group g. Group g executes 1 of at "
                                + "most 1 task.",
                        s -> {
                            s.group("g", 1);
                            s.put("first", "'schedule': '@manual', 'group': 'g'");
                            s.put("j", "'schedule': '@manual', 'group': 'g'");
                            s.run("first");
                            s.look(2);
                            long task = s.run("j");
                            return s.look(5).task(task);
                        }),
                situation(
                        "it had to wait for its group",
                        "RAN",
                        "default/j of 2026-03-02T10:00:03Z (asked for by somebody) ran on node #, started "
                                + "11s late (9s held by its policy, 2s on the node, for no known reason), and ended "
                                + "after 0s: SUCCEEDED. It had to wait: no free slot in group g.",
                        s -> {
                            s.group("g", 1);
                            s.put("first", "'schedule': '@manual', 'group': 'g'");
                            s.put("j", "'schedule': '@manual', 'group': 'g'");
                            s.run("first");
                            s.look(2);
                            long task = s.run("j");
                            s.look(10).end(0);
                            s.wakeGroups();
                            return s.look(1).end(0).task(task);
                        }),
                situation(
                        "its group is stopped",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z "
                                + "(GROUP): no free slot in group g. Group g is stopped (limit 0). The fire time "
                                + "after it is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.group("g", 0);
                            s.put("j", MINUTELY + ", 'group': 'g'");
                            return s.look(65).at("j", time("10:01:00"));
                        }),
                situation(
                        "its group is stopped, and it lies ahead",
                        "TO_COME",
                        "default/j is to run at 2026-03-02T10:05:00Z, in 4m59s: every minute, UTC time. As "
                                + "things stand, it would wait: group g is stopped (limit 0).",
                        s -> {
                            s.group("g", 0);
                            s.put("j", MINUTELY + ", 'group': 'g'");
                            return s.at("j", time("10:05:00"));
                        }),
                situation(
                        "no slot is free",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been due since 2026-03-02T10:01:00Z and has "
                                + "not been started. Nodes without a free slot: a (3 of 3). The fire time after it "
                                + "is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.put("long", "'schedule': '@manual', 'overlap': 'ALLOW'");
                            s.run("long");
                            s.run("long");
                            s.run("long");
                            s.put("j", MINUTELY);
                            return s.look(70).at("j", time("10:01:00"));
                        }),
                situation(
                        "it had to wait for a slot",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 27s late (27s for a free "
                                + "slot), and ended after 1s: SUCCEEDED.",
                        s -> {
                            s.put("long", "'schedule': '@manual', 'overlap': 'ALLOW'");
                            s.run("long");
                            s.run("long");
                            s.run("long");
                            s.put("j", MINUTELY);
                            return s.look(85).end(0).look(2).end(0).at("j", time("10:01:00"));
                        }));
    }

    private static Stream<Situation> selectors() {
        String db = ", 'nodes': 'role=db'";
        return Stream.of(
                situation(
                        "no node matches, and it waits",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z "
                                + "(NODE): no node that takes work matches role=db; alive: a. The fire time after it "
                                + "is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.put("j", MINUTELY + db);
                            return s.look(70).at("j", time("10:01:00"));
                        }),
                situation(
                        "no node matched in time",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:05:00Z did not run: MISSED: it waited for longer than the "
                                + "misfire threshold of 1m: no node that takes work matches role=db; alive: a, web. The "
                                + "fire time after it is 2026-03-02T10:10:00Z.",
                        s -> {
                            s.join("web", Map.of("role", "web"));
                            s.put("j", "'schedule': '*/5 * * * *', 'nodes': 'role=db'");
                            return s.sleep(285).look(80).at("j", time("10:05:00"));
                        }),
                situation(
                        "a node that matches came later",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node db, started 22s late (22s held by its "
                                + "policy), and ended after 4s: SUCCEEDED. It had to wait: no node that takes work matches "
                                + "role=db; alive: a.",
                        s -> {
                            s.put("j", MINUTELY + db);
                            s.look(80);
                            s.join("db", Map.of("role", "db"));
                            return s.look(5).end(0).at("j", time("10:01:00"));
                        }),
                situation(
                        "no node matches, and it lies ahead",
                        "TO_COME",
                        "default/j of 2026-03-03T03:00:00Z is still to come. As things stand, it would "
                                + "wait: no node that takes work matches role=db; alive: a. The fire time after it "
                                + "is 2026-03-04T03:00:00Z.",
                        s -> {
                            s.put("j", "'schedule': '0 3 * * *'" + db);
                            return s.at("j", time("2026-03-03T03:00:00Z"));
                        }),
                situation(
                        "maxPerNode: its node has no room",
                        "WAITING",
                        "default/j of 2026-03-02T10:00:02Z (asked for by somebody) has been waiting since "
                                + "2026-03-02T10:00:03Z (NODE): the node that was to run it executes 1 tasks of the "
                                + "job, as many as it may (maxPerNode).",
                        s -> {
                            s.put("j", "'schedule': '@manual', 'overlap': 'ALLOW', 'maxPerNode': 1");
                            s.run("j");
                            s.look(1);
                            long task = s.run("j");
                            return s.look(3).task(task);
                        }),
                situation(
                        "maxPerNode: it had to wait for room",
                        "RAN",
                        "default/j of 2026-03-02T10:00:02Z (asked for by somebody) ran on node #, started "
                                + "21s late (19s held by its policy, 2s on the node, for no known reason), and ended "
                                + "after 5s: SUCCEEDED. It had to wait: the node that was to run it executes 1 tasks "
                                + "of the job, as many as it may (maxPerNode).",
                        s -> {
                            s.put("j", "'schedule': '@manual', 'overlap': 'ALLOW', 'maxPerNode': 1");
                            s.run("j");
                            s.look(1);
                            long task = s.run("j");
                            return s.look(20).end(0).look(6).end(0).task(task);
                        }),
                situation(
                        "the node was drained",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been waiting since 2026-03-02T10:01:00Z "
                                + "(NODE): no node takes work; alive: a (drained or stopping). The fire time after "
                                + "it is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.put("j", MINUTELY);
                            s.look(5);
                            s.cluster.time.hold();
                            s.cluster.settings.change("a", setting -> setting.withDrained(true), Audit.NONE);
                            return s.look(80).at("j", time("10:01:00"));
                        }));
    }

    private static Stream<Situation> broadcasts() {
        return Stream.of(
                situation(
                        "broadcast: it ran on all nodes",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on all its nodes: EXPANDED: 2 tasks, on the nodes "
                                + "a, b. Of these: a SUCCEEDED, b SUCCEEDED. The fire time after it is "
                                + "2026-03-02T10:02:00Z.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY + ", 'broadcast': true");
                            return s.look(63).end(0).at("j", time("10:01:00"));
                        }),
                situation(
                        "broadcast: the part of a node",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z on node # ran on node #, started on time, and "
                                + "ended after 4s: SUCCEEDED.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY + ", 'broadcast': true");
                            s.look(63).end(0);
                            return s.ended("SUCCEEDED");
                        }),
                situation(
                        "broadcast: a part that waits for its turn",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z on node # has been waiting since "
                                + "2026-03-02T10:01:00Z (OVERLAP): 1 other nodes first (broadcastParallel 1). The "
                                + "fire time after it is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1");
                            s.look(63);
                            return s.live();
                        }),
                situation(
                        "broadcast: a part was cancelled as another failed",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z on node # did not run: CANCELLED: task # on node # "
                                + "failed (stopOnFailure). The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1, 'stopOnFailure': true");
                            s.look(63).end(1).look(1);
                            return s.ended("CANCELLED");
                        }),
                situation(
                        "broadcast: a node died before it ran its part",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on all its nodes: EXPANDED: 2 tasks, on the nodes "
                                + "a, b. Of these: a SUCCEEDED, b MISSED. The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> {
                            s.join("b", Map.of());
                            s.put("j", MINUTELY + ", 'broadcast': true, 'broadcastParallel': 1");
                            s.look(63);
                            s.lose("b").end(0).look(2);
                            return s.at("j", time("10:01:00"));
                        }));
    }
}
