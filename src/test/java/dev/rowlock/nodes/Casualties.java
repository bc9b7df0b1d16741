package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Marks.Mark;
import dev.rowlock.support.Rows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Commands that a node executes when something happens to it, and what becomes of them. */
final class Casualties {

    /**
     * It leaves a daemon behind that has its own process session, and neither of them ends on TERM: what they start
     * inherits that. They wait without starting processes: sixteen loops of short sleeps would keep two cores busy.
     */
    private static final String STUBBORN =
            "echo began; mark BEGAN; trap '' TERM; setsid bash -c 'sleep 600; :' & sleep 600; :";

    private final Cluster cluster;
    private final Rows rows;

    Casualties(Cluster cluster) {
        this.cluster = cluster;
        this.rows = cluster.rows;
    }

    /** Runs stubborn commands until some node executes one that is to be run again and one that is not; returns that node. */
    String withExecuting(String namespace) throws Exception {
        cluster.job(namespace, "after", "@manual", ":");
        for (int i = 0; i < 8; i++) {
            cluster.job(namespace, "rerun" + i, "@manual", STUBBORN, "onLost", "RERUN");
            cluster.job(namespace, "fail" + i, "@manual", STUBBORN, "onLost", "FAIL");
            cluster.run(namespace, "rerun" + i);
            cluster.run(namespace, "fail" + i);
        }
        Until.holds(
                SOON,
                "sixteen starts",
                () -> cluster.marks.of(namespace, "BEGAN").size() == 16);
        Until.holds(
                SOON,
                "what they wrote, in files: a pipe dies with its node",
                () -> launches(namespace).stream().allMatch(cluster::hasOutput));
        return Until.is(SOON, "a node with both kinds", () -> {
            List<Mark> starts = cluster.marks.starts(namespace);
            return Set.of("a", "b", "c").stream()
                    .filter(node -> starts.stream()
                            .anyMatch(m -> m.node().equals(node) && m.job().contains("/rerun")))
                    .filter(node -> starts.stream()
                            .anyMatch(m -> m.node().equals(node) && m.job().contains("/fail")))
                    .findFirst()
                    .orElse(null);
        });
    }

    private List<String> launches(String namespace) {
        return rows
                .all("select t.launch_id from live_task t join job j on j.id = t.job_id where t.state = 'EXECUTING'"
                        + " and j.namespace = '" + namespace + "'")
                .stream()
                .map(row -> String.valueOf(row.get("launch_id")))
                .toList();
    }

    long heldBy(String session, String state) {
        return rows.count("live_task where session_id = '" + session + "' and state = '" + state + "'");
    }

    void awaitPrepared(String session) throws Exception {
        Until.holds(SOON, "prepared tasks", () -> heldBy(session, "PREPARED") > 5);
    }

    /** What the session executed is LOST, and runs again where its job wants that. */
    void awaitRecovered(String namespace, String session) throws Exception {
        Set<String> jobs = cluster.marks.starts(namespace).stream()
                .filter(m -> m.session().equals(session))
                .map(Mark::job)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(jobs).isNotEmpty();
        Set<String> again =
                jobs.stream().filter(j -> j.contains("/rerun")).collect(Collectors.toCollection(TreeSet::new));
        Until.holds(
                SOON,
                "the second attempts of " + again,
                () -> recoveries(namespace, session).equals(again));
        assertThat(rows.count("task_history where session_id = '" + session + "' and outcome = 'LOST' and namespace = '"
                        + namespace + "'"))
                .isEqualTo(jobs.size());
        assertThat(rows.count("live_task t join job j on j.id = t.job_id where j.namespace = '" + namespace
                        + "' and j.name like 'fail%' and t.attempt > 1"))
                .isZero();
    }

    private Set<String> recoveries(String namespace, String session) throws Exception {
        return cluster.marks.starts(namespace).stream()
                .filter(m -> m.attempt() == 2
                        && m.cause().equals("RECOVERY")
                        && !m.session().equals(session))
                .map(Mark::job)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns how many milliseconds it took until the commands were LOST. */
    long reportRecovery(String what, String namespace, String session, long fromUptime) throws Exception {
        long ago = cluster.number(
                "select timestampdiff(microsecond, min(ended_at), utc_timestamp(3)) div 1000 from task_history"
                        + " where outcome = 'LOST' and session_id = '" + session + "' and namespace = '" + namespace
                        + "'");
        long lost = Uptime.millis() - fromUptime - ago;
        long rerun = cluster.marks.starts(namespace).stream()
                .filter(m -> m.attempt() == 2)
                .mapToLong(m -> m.uptimeMillis() - fromUptime)
                .max()
                .orElseThrow();
        Cluster.report(what + ": LOST after " + lost + " ms, last of the reruns started after " + rerun + " ms");
        return lost;
    }

    void assertNoOverlap(String namespace, String session, long deadUptime) throws Exception {
        assertThat(cluster.marks.starts(namespace))
                .filteredOn(m -> m.attempt() == 2)
                .allSatisfy(m -> assertThat(m.uptimeMillis()).isGreaterThanOrEqualTo(deadUptime - 100))
                .noneMatch(m -> m.session().equals(session));
    }

    /** No job each second stood still for long after that moment. */
    void assertOthersTookOver(String namespace, long fromUptime) throws Exception {
        long gap = longestGap(namespace, fromUptime);
        Cluster.report(namespace + ": longest pause of a job each second " + gap + " ms");
        assertThat(gap).as("milliseconds between two runs of a job each second").isLessThan(Cluster.TIMEOUT.toMillis());
    }

    long longestGap(String namespace, long fromUptime) throws Exception {
        Map<String, List<Long>> times = cluster.marks.starts(namespace).stream()
                .filter(m -> m.uptimeMillis() > fromUptime - 2000)
                .collect(Collectors.groupingBy(Mark::job, Collectors.mapping(Mark::uptimeMillis, Collectors.toList())));
        long longest = 0;
        for (List<Long> each : times.values()) {
            List<Long> sorted = each.stream().sorted().toList();
            for (int i = 1; i < sorted.size(); i++) {
                longest = Math.max(longest, sorted.get(i) - sorted.get(i - 1));
            }
        }
        return longest;
    }

    List<String> outcomes(String namespace, String session) {
        return rows
                .all("select outcome, reason from task_history where namespace = '" + namespace + "' and session_id = '"
                        + session + "'")
                .stream()
                .map(row -> row.get("outcome") + " " + row.get("reason"))
                .toList();
    }

    long keptOutputs(String session) {
        return rows.count("task_history h join task_output o on o.task_id = h.id and o.launch_id = h.launch_id"
                + " where h.session_id = '" + session + "' and o.head like 'began%'");
    }

    List<Map<String, @Nullable String>> historyOf(String namespace) {
        return rows.all("select id, outcome, reason, launch_id, ended_at from task_history where namespace = '"
                + namespace + "'");
    }

    String lateness(String namespace) {
        List<Long> sorted = rows
                .all("select lateness_ms from task_history where started_at is not null and namespace = '" + namespace
                        + "'")
                .stream()
                .map(row -> Long.valueOf(String.valueOf(row.get("lateness_ms"))))
                .sorted()
                .toList();
        return "p50 " + sorted.get(sorted.size() / 2) + " ms, p99 " + sorted.get(sorted.size() * 99 / 100) + " ms, max "
                + sorted.get(sorted.size() - 1) + " ms of " + sorted.size();
    }

    /** Deletes the jobs and ends their commands, so that they take no slot from the next test. */
    void endAll(String namespace) throws Exception {
        for (Map<String, @Nullable String> job :
                rows.all("select name from job where namespace = '" + namespace + "'")) {
            cluster.any().send("DELETE", "/api/v1/jobs/" + namespace + "/" + job.get("name"), "");
        }
        for (Mark mark : cluster.marks.starts(namespace)) {
            for (Path process : Cluster.processesOf(mark.session())) {
                String pid = process.getFileName().toString();
                new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
            }
        }
    }
}
