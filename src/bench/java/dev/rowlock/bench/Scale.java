package dev.rowlock.bench;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** One burst shared by one, two, three nodes on the same cores: does more of them do less, do they wait for each other, is anything done twice? */
final class Scale {

    private static final double PATIENCE = 300;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int rounds;
    private final int lead;
    private final int capacity;
    private final List<Integer> nodes;

    Scale(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.number("jobs", 10_000);
        rounds = options.number("rounds", 3);
        lead = options.number("lead", 8);
        capacity = options.number("capacity", 1000);
        nodes = options.numbers("nodes", "1,2,3");
    }

    void run() throws Exception {
        report.note(jobs + " jobs, NOOP, due " + lead + " s after the nodes began, " + capacity
                + " slots each; nodes are objects of one JVM with connections of their own");
        for (int round = 0; round <= rounds; round++) {
            for (int count : nodes) {
                Line line = once(count);
                if (round == 0) {
                    report.warmUp(count + " nodes", line);
                } else {
                    report.add(count + " nodes", line.with("round", round));
                }
            }
        }
        double one = report.median(nodes.get(0) + " nodes", "fires_per_s");
        nodes.stream().skip(1).forEach(count -> report.note(count + " nodes / " + nodes.get(0) + " = "
                + Line.text(report.median(count + " nodes", "fires_per_s") / one)));
    }

    private Line once(int count) throws Exception {
        try (Schema schema = server.schema()) {
            Instant due = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(lead + 4 + jobs / 20_000);
            Starts starts = new Starts(jobs * 2);
            Contender.Task task = new Contender.Task(
                    schema, jobs, capacity, Contender.Command.NOOP, Burst.yearly(due), due, starts);
            try (Contender nodes = new Rowlock(task, count)) {
                Machine.await(PATIENCE, 1, () -> !Starts.now().isBefore(due.minusSeconds(lead)));
                Cost before = server.cost();
                nodes.start();
                Machine.await(PATIENCE, 1, () -> !Starts.now().isBefore(due));
                Cost preparing = server.cost().since(before);
                Machine.await(PATIENCE, 2, () -> starts.count() >= jobs);
                Machine.await(PATIENCE, 5, nodes::isDone);
                double seconds = ChronoUnit.MICROS.between(due, Starts.now()) / 1e6;
                Cost spent = server.cost().since(before);
                long finished = nodes.finished();
                return Line.of("jobs", jobs)
                        .with("finished", finished)
                        .with("started_twice", starts.count() - jobs)
                        .with("seconds", seconds)
                        .with("fires_per_s", finished / seconds)
                        .with(starts.lateness())
                        .with(spent.per(jobs))
                        .with("lock_wait_share", share(spent.lockMillis() - preparing.lockMillis(), seconds * count))
                        .with("preparing_lock_wait_share", share(preparing.lockMillis(), (double) lead * count))
                        .with("nodes_that_fired", schema.number("select count(distinct node) from task_history"));
            }
        }
    }

    /** Of the time of all nodes: what they waited for each other's rows. */
    private static double share(double waitedMillis, double seconds) {
        return waitedMillis / 1000 / seconds;
    }
}
