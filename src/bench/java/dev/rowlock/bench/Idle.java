package dev.rowlock.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Nodes with nothing to do for a minute, however many jobs there are: what they ask of the database, the processor and the memory. */
final class Idle {

    private final Server server;
    private final Report report;
    private final List<Integer> jobs;
    private final int nodes;
    private final int seconds;
    private final int settle;
    private final int rounds;

    Idle(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.numbers("jobs", "1000,100000");
        nodes = options.number("nodes", 1);
        seconds = options.number("seconds", 60);
        settle = options.seconds("settle", 300);
        rounds = options.number("rounds", 1);
    }

    void run() throws Exception {
        report.note(nodes + " nodes as processes of the jar, no job due within the hour, measured for " + seconds
                + " s after " + settle + " s in which Java compiles what is called again and again; figures per node");
        for (int count : jobs) {
            try (Schema schema = server.schema()) {
                RowlockJobs.insertSpread(
                        schema, count, "0 0 0 1 1 ?", Starts.now().plus(Duration.ofHours(2)));
                for (int round = 1; round <= rounds; round++) {
                    report.add(count + " jobs", once(schema).with("round", round));
                }
            }
        }
    }

    private Line once(Schema schema) throws Exception {
        List<Daemon> running = new ArrayList<>();
        try {
            double slowest = 0;
            for (int i = 1; i <= nodes; i++) {
                Daemon node = new Daemon(schema, "idle-" + i, Map.of());
                running.add(node);
                slowest = Math.max(slowest, node.awaitReady());
            }
            rest(settle);
            double cpu = Daemon.cpuSeconds(running);
            Cost before = server.cost();
            rest(seconds);
            Cost spent = server.cost().since(before);
            cpu = Daemon.cpuSeconds(running) - cpu;
            double resident = running.stream()
                    .mapToDouble(node -> Machine.residentMiB(node.pid()))
                    .max()
                    .orElse(0);
            return Line.of("nodes", nodes)
                    .with("ready_s", slowest)
                    // Asking for the counters is three statements of ours.
                    .with("statements_per_s", (spent.statements() - 3) / seconds / nodes)
                    .with("cpu_s_per_min", cpu / seconds * 60 / nodes)
                    .with("cpu_percent", cpu / seconds * 100 / nodes)
                    .with("server_cpu_percent", spent.serverCpu() / seconds * 100 / nodes)
                    .with("resident_mib", resident);
        } finally {
            for (Daemon node : running) {
                node.close();
            }
        }
    }

    static void rest(double seconds) {
        Instant end = Starts.now().plusMillis((long) (seconds * 1000));
        Machine.await(seconds * 2, 20, () -> !Starts.now().isBefore(end));
    }
}
