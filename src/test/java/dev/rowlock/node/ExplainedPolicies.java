package dev.rowlock.node;

import dev.rowlock.exec.StopCause;
import dev.rowlock.node.ExplainTest.Situation;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Of overlap, misfires, deadlines, retries, limits. */
final class ExplainedPolicies {

    private static final String MINUTELY = "'schedule': '* * * * *'";
    private static final String RETRY = ", 'retry': {'max': 1, 'backoff': '20s'}";

    private ExplainedPolicies() {}

    private static Situation situation(String name, String verdict, String summary, Consumer<ExplainScript> play) {
        return new Situation(name, verdict, summary, play);
    }

    static Stream<Situation> executing() {
        return Stream.of(overlap(), retries()).flatMap(s -> s);
    }

    private static Stream<Situation> overlap() {
        return Stream.of(
                situation(
                        "it is executing",
                        "EXECUTING",
                        "default/j of 2026-03-02T10:01:00Z is executing on node #, started on time. The "
                                + "fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY).pass(65).at("10:01:00")),
                situation(
                        "SKIP: the job still runs",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: task # was still executing "
                                + "(overlap SKIP). The fire time after it is 2026-03-02T10:03:00Z.",
                        s -> s.put(MINUTELY).pass(125).at("10:02:00")),
                situation(
                        "QUEUE: it waits for the one before",
                        "WAITING",
                        "default/j of 2026-03-02T10:02:00Z has been waiting since 2026-03-02T10:02:00Z "
                                + "(OVERLAP): task # is executing (overlap QUEUE). The fire time after it is "
                                + "2026-03-02T10:03:00Z.",
                        s -> s.put(MINUTELY + ", 'overlap': 'QUEUE'").pass(125).at("10:02:00")),
                situation(
                        "QUEUE: it ran after the one before",
                        "RAN",
                        "default/j of 2026-03-02T10:02:00Z ran on node #, started 22s late (21s held by "
                                + "its policy, 1s on the node, for no known reason), and ended after 1ms: SUCCEEDED. "
                                + "It had to wait: task # is executing (overlap QUEUE).",
                        s -> s.put(MINUTELY + ", 'overlap': 'QUEUE'")
                                .pass(140)
                                .end(0)
                                .pass(2)
                                .end(0)
                                .at("10:02:00")),
                situation(
                        "QUEUE: too many wait",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:03:00Z did not run: SKIPPED: 1 tasks of the job were waiting, task"
                                + " # first (overlapLimit 1). Task #, which is in its way, has been waiting since"
                                + " 2026-03-02T10:02:00Z (OVERLAP): task # is executing (overlap QUEUE). The fire time"
                                + " after it is 2026-03-02T10:04:00Z.",
                        s -> s.put(MINUTELY + ", 'overlap': 'QUEUE', 'overlapLimit': 1")
                                .pass(190)
                                .at("10:03:00")),
                situation(
                        "finishBy: it finished in time",
                        "RAN",
                        "default/j of 2026-03-02T10:02:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED. It finished 54s before its deadline, "
                                + "2026-03-02T10:03:00Z (finishBy).",
                        s -> s.put(MINUTELY + ", 'overlap': 'ALLOW', 'finishBy': '1m'")
                                .pass(125)
                                .end(0)
                                .at("10:02:00")),
                situation(
                        "finishBy: it still executes, and time is left",
                        "EXECUTING",
                        "default/j of 2026-03-02T10:02:00Z is executing on node #, started on time. It is to finish by"
                                + " 2026-03-02T10:10:00Z (finishBy): 7m54s are left…",
                        s -> s.put(MINUTELY + ", 'overlap': 'ALLOW', 'finishBy': '10:10'")
                                .pass(125)
                                .at("10:02:00")),
                situation(
                        "finishBy: it failed, and the time is over",
                        "RAN",
                        "default/j of 2026-03-02T10:02:00Z ran on node #, started on time, and ended after "
                                + "1ms: FAILED: exit code 1. It was to finish by 2026-03-02T10:02:01Z"
                                + " (finishBy), 5s ago…",
                        s -> s.put(MINUTELY + ", 'overlap': 'ALLOW', 'finishBy': '1s'")
                                .pass(125)
                                .end(1)
                                .at("10:02:00")),
                situation(
                        "ALLOW: it ran beside the one before",
                        "RAN",
                        "default/j of 2026-03-02T10:02:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY + ", 'overlap': 'ALLOW'")
                                .pass(125)
                                .end(0)
                                .at("10:02:00")),
                situation(
                        "ALLOW: too many execute",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: 1 tasks of the job were "
                                + "executing, among them task # (overlapLimit 1). The fire time after it is "
                                + "2026-03-02T10:03:00Z.",
                        s -> s.put(MINUTELY + ", 'overlap': 'ALLOW', 'overlapLimit': 1")
                                .pass(125)
                                .at("10:02:00")),
                situation(
                        "REPLACE: it was killed for the next",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: KILLED: replaced by task # (overlap REPLACE). No further attempt follows: "
                                + "what was killed is not tried again.",
                        s -> s.put(MINUTELY + ", 'overlap': 'REPLACE'")
                                .pass(125)
                                .at("10:01:00")),
                situation(
                        "REPLACE: it waited until the one before was dead",
                        "RAN",
                        "default/j of 2026-03-02T10:02:00Z ran on node #, started 1s late (1s held by its policy), and"
                                + " ended after 1ms: SUCCEEDED. It had to wait: task # is being killed for it (overlap"
                                + " REPLACE).",
                        s -> s.put(MINUTELY + ", 'overlap': 'REPLACE'")
                                .pass(125)
                                .end(0)
                                .at("10:02:00")),
                situation(
                        "its deadline was over while it waited",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: MISSED: its startDeadline of 20s was "
                                + "over: task # is executing (overlap QUEUE). The fire time after it is "
                                + "2026-03-02T10:03:00Z.",
                        s -> s.put(MINUTELY + ", 'overlap': 'QUEUE', 'startDeadline': '20s'")
                                .pass(145)
                                .at("10:02:00")));
    }

    /** What happens to the nodes, or to the database, is not for others to see. */
    static Stream<Situation> alone() {
        return Stream.of(situation(
                "REPLACE: the one before is being killed",
                "WAITING",
                "default/j of 2026-03-02T10:02:00Z has been waiting since 2026-03-02T10:02:00Z "
                        + "(OVERLAP): task # is being killed for it (overlap REPLACE). The fire time after "
                        + "it is 2026-03-02T10:03:00Z.",
                s -> s.put(MINUTELY + ", 'overlap': 'REPLACE'")
                        .then(stage -> stage.a().processes.ignoresTerm = true)
                        .pass(125)
                        .at("10:02:00")));
    }

    /** The only node dies, and another comes five minutes later. */
    static Stream<Situation> outages() {
        return Stream.of(
                situation(
                        "RUN_ONCE: the latest ran",
                        "RAN",
                        "default/j of 2026-03-02T10:05:00Z (CATCH_UP: it was missed, and runs "
                                + "nevertheless) ran on node #, started 7s late (6s with no node in contact with the "
                                + "database, 1s on the node, for no known reason), and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(5).outage(300).pass(5).at("10:05:00")),
                situation(
                        "RUN_ONCE: those before were missed",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:03:00Z did not run: MISSED: no node was there to run these"
                                + " occurrences in time; the latest occurrence runs instead, unless the job is executing"
                                + " then (misfire RUN_ONCE) (for 4 fire times, 2026-03-02T10:01:00Z to"
                                + " 2026-03-02T10:04:00Z). The fire time after it is 2026-03-02T10:05:00Z.",
                        s -> s.put(MINUTELY).pass(5).outage(300).pass(5).at("10:03:00")),
                situation(
                        "SKIP: all were missed",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:03:00Z did not run: MISSED: no node was there to run these "
                                + "occurrences in time (misfire SKIP) (for 5 fire times, 2026-03-02T10:01:00Z to "
                                + "2026-03-02T10:05:00Z). The fire time after it is 2026-03-02T10:06:00Z.",
                        s -> s.put(MINUTELY + ", 'misfire': 'SKIP'")
                                .pass(5)
                                .outage(300)
                                .pass(5)
                                .at("10:03:00")),
                situation(
                        "RUN_ALL: it ran late",
                        "RAN",
                        "default/j of 2026-03-02T10:04:00Z (CATCH_UP: it was missed, and runs "
                                + "nevertheless) ran on node #, started 1m7s late (1m6s with no node in contact with "
                                + "the database, 1s on the node, for no known reason), and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY + ", 'misfire': 'RUN_ALL', 'overlap': 'ALLOW', 'catchUpLimit': 2")
                                .pass(5)
                                .outage(300)
                                .pass(5)
                                .at("10:04:00")),
                situation(
                        "RUN_ALL: it was too old",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z did not run: MISSED: no node was there to run these"
                                + " occurrences in time; only the latest 2 run (misfire RUN_ALL, catchUpLimit) (for 3 fire"
                                + " times, 2026-03-02T10:01:00Z to 2026-03-02T10:03:00Z). The fire time after it is "
                                + "2026-03-02T10:04:00Z.",
                        s -> s.put(MINUTELY + ", 'misfire': 'RUN_ALL', 'overlap': 'ALLOW', 'catchUpLimit': 2")
                                .pass(5)
                                .outage(300)
                                .pass(5)
                                .at("10:01:00")),
                situation(
                        "its deadline was over",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z did not run: MISSED: no node was there to run it in time,"
                                + " and none may start later than 1m30s after its fire time (startDeadline). The fire time"
                                + " after it is 2026-03-02T10:06:00Z.",
                        s -> s.put("'schedule': '1-59/5 * * * *', 'startDeadline': '90s'")
                                .pass(5)
                                .outage(300)
                                .pass(5)
                                .at("10:01:00")),
                situation(
                        "nobody is there",
                        "WAITING",
                        "default/j of 2026-03-02T10:01:00Z has been due since 2026-03-02T10:01:00Z and has "
                                + "not been started, as none has been in contact with the database since "
                                + "2026-03-02T10:00:06Z. The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY).pass(5).crash("a").sleep(299).at("10:01:00")),
                situation(
                        "nobody is there, and those after the first have no row",
                        "WAITING",
                        "The schedule of default/j (every minute, UTC time) asked for "
                                + "2026-03-02T10:03:00Z. It is not decided yet, as task # of 2026-03-02T10:01:00Z "
                                + "comes first: no node has taken it up, as none has been in contact with the "
                                + "database since 2026-03-02T10:00:06Z.",
                        s -> s.put(MINUTELY).pass(5).crash("a").sleep(299).at("10:03:00")));
    }

    /** Likewise, after little more than a minute. */
    static Stream<Situation> shortOutages() {
        return Stream.of(
                situation(
                        "jitter, and nobody is there",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 2s469ms late (1s469ms with no node"
                                + " in contact with the database, 1s on the node, for no known reason), and ended after"
                                + " 1ms: SUCCEEDED.",
                        s -> s.named("j")
                                .put(MINUTELY + ", 'jitter': '15s'")
                                .pass(5)
                                .outage(70)
                                .pass(5)
                                .at("10:01:00")),
                situation(
                        "a little late, and no misfire",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started 17s late (16s with no "
                                + "node in contact with the database, 1s on the node, for no known reason), and "
                                + "ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(5).outage(70).pass(5).at("10:01:00")),
                situation(
                        "a threshold of its own",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z did not run: MISSED: no node was there to run it in "
                                + "time (misfire SKIP). The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY + ", 'misfire': 'SKIP', 'misfireThreshold': '5s'")
                                .pass(5)
                                .outage(70)
                                .pass(5)
                                .at("10:01:00")));
    }

    private static Stream<Situation> retries() {
        return Stream.of(
                situation(
                        "it failed",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: FAILED: exit code 3. No further attempt follows: the job asks for no retry.",
                        s -> s.put(MINUTELY).pass(61).end(3).at("10:01:00")),
                situation(
                        "it failed and is tried again",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: FAILED: exit code 3. The next attempt is task #, due at 2026-03-02T10:01:2#Z.",
                        s -> s.put(MINUTELY + RETRY).pass(61).end(3).ended("FAILED")),
                situation(
                        "it was tried again",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z, attempt 2 (RETRY) ran on node #, started on "
                                + "time, and ended after #: SUCCEEDED. Before that: attempt 1 FAILED: exit code 3.",
                        s -> s.put(MINUTELY + RETRY)
                                .pass(61)
                                .end(3)
                                .pass(26)
                                .end(0)
                                .at("10:01:00")),
                situation(
                        "a retry that waits",
                        "TO_COME",
                        "default/j of 2026-03-02T10:01:00Z, attempt 2 (RETRY) is still to come; node # has "
                                + "prepared it; it is due at 2026-03-02T10:01:2#Z. Before that: attempt 1 FAILED: "
                                + "exit code 3. The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY + RETRY).pass(61).end(3).pass(3).at("10:01:00")),
                situation(
                        "it was tried often enough",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z, attempt 2 (RETRY) ran on node #, started on "
                                + "time, and ended after #: FAILED: exit code 3. Before that: attempt 1 FAILED: exit "
                                + "code 3. No further attempt follows: it was tried as often as the job says "
                                + "(retry.max 1).",
                        s -> s.put(MINUTELY + RETRY)
                                .pass(61)
                                .end(3)
                                .pass(26)
                                .end(3)
                                .at("10:01:00")),
                situation(
                        "an exit code that is not retried",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: FAILED: exit code 3. No further attempt follows: the job does not retry after "
                                + "exit code 3 (retry.onExitCodes).",
                        s -> s.put(MINUTELY + ", 'retry': {'max': 1, 'backoff': '20s', 'onExitCodes': [7]}")
                                .pass(61)
                                .end(3)
                                .at("10:01:00")),
                situation(
                        "a retry that a later occurrence superseded",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:01:00Z, attempt 2 (RETRY) did not run: SKIPPED: superseded: task"
                                + " #, a later occurrence, started first. Before that: attempt 1 FAILED: exit code 3. The"
                                + " fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY + ", 'retry': {'max': 1, 'backoff': '5m'}")
                                .pass(61)
                                .end(3)
                                .pass(60)
                                .at("10:01:00")),
                situation(
                        "it ran for too long",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: TIMED_OUT: ran longer than its timeout of 10s. No further attempt follows: "
                                + "the job asks for no retry.",
                        s -> s.put(MINUTELY + ", 'timeout': '10s'")
                                .pass(65)
                                .stop(StopCause.TIMEOUT)
                                .pass(1)
                                .at("10:01:00")),
                situation(
                        "it was killed on request",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: KILLED: killed on request. No further attempt follows: what was killed is not "
                                + "tried again.",
                        s -> s.put(MINUTELY)
                                .pass(65)
                                .stop(StopCause.REQUEST)
                                .pass(1)
                                .at("10:01:00")));
    }

    static Stream<Situation> limits() {
        return Stream.of(
                situation(
                        "it was cancelled before it started",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:00:01Z (asked for by somebody) did not run: CANCELLED: "
                                + "stopped by request before it was started.",
                        s -> s.put("'schedule': '@manual'").run().kill().task()),
                situation(
                        "maxRuns: it had run often enough",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) asked for "
                                + "2026-03-02T10:02:00Z, but the job had reached its maxRuns (1).",
                        s -> s.put(MINUTELY + ", 'maxRuns': 1").pass(190).at("10:02:00")),
                situation(
                        "maxRuns: and so had what came later",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) asked for "
                                + "2026-03-02T10:04:00Z, but the job had reached its maxRuns (1).",
                        s -> s.put(MINUTELY + ", 'maxRuns': 1").pass(250).at("10:04:00")),
                situation(
                        "maxRuns: and no fire time follows",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:02:05Z. The job had reached its maxRuns (1): no fire time follows.",
                        s -> s.put(MINUTELY + ", 'maxRuns': 1").pass(190).at("10:02:05")),
                situation(
                        "maxRuns: none follows the last",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:01:05Z. The fire time before it is 2026-03-02T10:01:00Z; none "
                                + "follows, as the job has reached its maxRuns (1). default/j of "
                                + "2026-03-02T10:01:00Z ran on node #, started on time, and ended after 1ms: "
                                + "SUCCEEDED.",
                        s -> s.put(MINUTELY + ", 'maxRuns': 1").pass(190).at("10:01:05")),
                situation(
                        "maxRuns: it will have run often enough",
                        "NOT_ASKED_FOR",
                        "default/j will not run at 2026-03-02T10:04:00Z: it will have reached its maxRuns "
                                + "(2) by then.",
                        s -> s.put(MINUTELY + ", 'maxRuns': 2").at("10:04:00")));
    }
}
