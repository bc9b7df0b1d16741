package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches each node after its database has moved to another server: heartbeat, results and requests must be back in
 * time, and requests must stay so. Starts of commands are judged by {@link Punctuality}.
 */
final class Recovery {

    private static final long EVERY_MILLIS = 200;

    /** How long after the bound all requests must succeed. */
    private static final long STEADY_MILLIS = 4000;

    /** Every node records something each second or two, as some of its jobs run every second. */
    private static final long PERIOD_MILLIS = 2000;

    /** In the minute before; a node that is drained or has few slots has few such jobs, and is not asked for results. */
    private static final long MANY = 60_000 / PERIOD_MILLIS;

    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final ChaosDatabase database;
    private final Workload.Planned job;
    private final Stalls stalls;
    private final Map<String, NodeProcess> nodes = new TreeMap<>();
    private final Asking asking = new Asking();
    private @Nullable Look first;
    private final Set<String> limited = new HashSet<>();
    private final Map<String, Long> backAt = new ConcurrentHashMap<>();
    private final List<String> complaints = java.util.Collections.synchronizedList(new ArrayList<>());

    Recovery(ChaosDatabase database, List<ChaosNode> nodes, Workload.Planned job, Stalls stalls) {
        this.database = database;
        this.job = job;
        this.stalls = stalls;
        nodes.forEach(node -> node.running().ifPresent(process -> this.nodes.put(node.name(), process)));
    }

    /** @param limited nodes to which operators leave less than all of their slots */
    private record Look(Map<String, Long> beats, Map<String, Long> results, Set<String> limited) {}

    /** Returns when the bound and some steady time after it are over; what came back when, for people. */
    String watch(long goodFrom, Duration allowed) throws InterruptedException {
        long bound = goodFrom + allowed.toMillis();
        long until = bound + STEADY_MILLIS;
        List<Thread> requests = new ArrayList<>();
        nodes.forEach((name, process) -> {
            Thread thread = new Thread(() -> request(name, process, bound, until), "recovery-" + name);
            thread.start();
            requests.add(thread);
        });
        @Nullable Look before = null;
        while (Uptime.millis() < until) {
            Look now = lookAfter(before);
            first = first == null ? now : first;
            limited.addAll(now == null ? Set.of() : now.limited);
            if (before != null && now != null) {
                compare("heartbeat", before.beats, now.beats);
                compare("results", before.results, now.results);
            }
            before = now;
            Thread.sleep(EVERY_MILLIS);
        }
        for (Thread thread : requests) {
            thread.join();
        }
        return judge(goodFrom, bound);
    }

    /** What was wrong; to be counted if no other fault was near. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** What was seen before if nothing can be seen: another fault is near, and then this one is not judged. */
    private @Nullable Look lookAfter(@Nullable Look before) {
        try (Connection admin = database.admin()) {
            return look(admin);
        } catch (SQLException e) {
            return before;
        }
    }

    private static Look look(Connection admin) throws SQLException {
        return new Look(
                numbers(admin, "select node, beat from session"),
                numbers(
                        admin,
                        "select node, count(*) from task_history where fire_time > utc_timestamp(3) - interval 60 second"
                                + " and launch_id is not null and outcome <> 'LOST' group by node"),
                numbers(admin, "select node, 1 from node_setting where drained or capacity < " + Conditions.SLOTS)
                        .keySet());
    }

    private static Map<String, Long> numbers(Connection admin, String sql) throws SQLException {
        Map<String, Long> numbers = new HashMap<>();
        try (PreparedStatement statement = admin.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                numbers.put(rows.getString(1), rows.getLong(2));
            }
        }
        return numbers;
    }

    private void compare(String what, Map<String, Long> before, Map<String, Long> now) {
        long at = Uptime.millis();
        now.forEach((node, number) -> {
            if (number > before.getOrDefault(node, Long.MAX_VALUE)) {
                backAt.putIfAbsent(node + " " + what, at);
            }
        });
    }

    /** Changes a job again and again, as nobody could who had only read. */
    private void request(String name, NodeProcess process, long bound, long until) {
        try {
            while (Uptime.millis() < until) {
                long asked = Uptime.millis();
                Asking.Answer answer = asking.ask(
                        process, "PATCH", job.path(), "{\"description\": \"moved " + asked + "\"}", PATIENCE);
                // An operator may have deleted the job, or changed it meanwhile.
                boolean good = answer.status() / 100 == 2 || answer.status() / 100 == 4;
                if (good) {
                    backAt.putIfAbsent(name + " requests", Uptime.millis());
                } else if (asked > bound && stalls.within(asked, Uptime.millis()) == 0) {
                    complaints.add("node " + name + " answered a change " + answer.status() + " " + (asked - bound)
                            + " ms after the bound: " + answer.body());
                }
                Thread.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String judge(long goodFrom, long bound) {
        List<String> said = new ArrayList<>();
        for (String node : nodes.keySet()) {
            boolean records = first != null && !limited.contains(node) && first.results.getOrDefault(node, 0L) >= MANY;
            for (String what :
                    records ? List.of("heartbeat", "results", "requests") : List.of("heartbeat", "requests")) {
                Long back = backAt.get(node + " " + what);
                long allowed = what.equals("results") ? bound + PERIOD_MILLIS : bound;
                long late = (back == null ? Uptime.millis() : back) - allowed;
                if (late > stalls.within(goodFrom, allowed + late)) {
                    complaints.add(what + " of node " + node
                            + (back == null ? " did not come back within " : " came back after ")
                            + Texts.seconds(allowed + late - goodFrom));
                }
                said.add(node + " " + what + " " + (back == null ? "never" : Texts.seconds(back - goodFrom)));
            }
        }
        return String.join(", ", said);
    }
}
