package dev.rowlock.bench;

import dev.rowlock.db.schema.Migrations;
import dev.rowlock.db.Servers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Many tasks that are due at the same instant, once for each policy: what does each of them cost beside none? */
final class Policies {

    private static final double PATIENCE = 300;
    /** From the end of a task to the start of the next one of its job. */
    private static final String GAPS = "(select timestampdiff(microsecond, lag(ended_at) over (partition by job_id"
            + " order by started_at, id), started_at) as gap from task_history where started_at is not null) g"
            + " where gap is not null";

    private final Server server;
    private final Report report;
    private final List<PolicyCase> cases;
    private final int rounds;
    private final int lead;

    Policies(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        rounds = options.number("rounds", 2);
        lead = options.number("lead", 5);
        List<PolicyCase> all = PolicyCase.all(options.number("tasks", 2000));
        List<String> names = all.stream().map(PolicyCase::name).toList();
        List<String> only = options.list("only", String.join(",", names));
        only.stream().filter(name -> !names.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("--only " + name + ": there are " + String.join(", ", names));
        });
        cases = all.stream().filter(policy -> only.contains(policy.name())).toList();
    }

    void run() throws Exception {
        report.note("one node, NOOP, due " + lead + " s after it began; figures per task, and the server's as of then");
        for (int round = 0; round <= rounds; round++) {
            for (PolicyCase policy : cases) {
                Line line = once(policy);
                if (round == 0) {
                    report.warmUp(policy.name(), line);
                } else {
                    report.add(policy.name(), line.with("round", round));
                }
            }
        }
    }

    private Line once(PolicyCase policy) throws Exception {
        try (Schema schema = server.schema()) {
            Migrations.run(new Servers(schema.address));
            Instant due = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(lead + 2 + policy.tasks() / 10_000);
            policy.jobs().insert(schema, Burst.yearly(due), due);
            Starts starts = new Starts(policy.starts());
            Contender.Task task = new Contender.Task(
                    schema, policy.tasks(), policy.slots(), Contender.Command.NOOP, Burst.yearly(due), due, starts);
            try (Contender node = new Rowlock(task, policy.labels())) {
                Machine.await(PATIENCE, 1, () -> !Starts.now().isBefore(due.minusSeconds(lead)));
                System.gc(); // what the one before has left in the heap is not charged to this one
                Cost before = server.cost();
                node.start();
                boolean done = Machine.await(PATIENCE, 2, () -> starts.count() >= policy.starts())
                        && Machine.await(PATIENCE, 5, node::isDone);
                double seconds = ChronoUnit.MICROS.between(due, Starts.now()) / 1e6;
                Cost spent = server.cost().since(before);
                long finished = node.finished();
                if (!done || finished != policy.starts()) {
                    report.note(policy.name() + " has finished " + finished + " of " + policy.starts() + " within "
                            + seconds + " s");
                }
                return Line.of("tasks", policy.tasks())
                        .with("finished", finished)
                        .with("seconds", seconds)
                        .with("tasks_per_s", policy.tasks() / seconds)
                        .with(starts.lateness())
                        .with(spent.per(policy.tasks()))
                        .with(recorded(schema));
            }
        }
    }

    /** What the records say of how long the next one of a job took, and how late what has priority was. */
    private static Line recorded(Schema schema) {
        return Line.of("gap_p50_ms", percentile(schema, "gap / 1000", GAPS, 0.50))
                .with("gap_p99_ms", percentile(schema, "gap / 1000", GAPS, 0.99))
                .with("urgent_late_p99_ms", percentile(schema, "lateness_ms", "task_history where priority > 0", 0.99));
    }

    private static double percentile(Schema schema, String what, String rows, double share) {
        long count = schema.number("select count(*) from " + rows);
        return count == 0
                ? Double.NaN
                : schema.number("select " + what + " as value from " + rows + " order by value limit 1 offset "
                        + (long) (Math.ceil(share * count) - 1));
    }
}
