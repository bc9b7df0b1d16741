package dev.rowlock.bench;

import dev.rowlock.exec.SpawnMethod;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Many jobs that are due at the same instant: how long until the last of them is durably recorded as finished. */
final class Burst {

    private static final DateTimeFormatter YEARLY =
            DateTimeFormatter.ofPattern("s m H d M '?'").withZone(ZoneOffset.UTC);
    private static final double PATIENCE = 300;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int rounds;
    private final int lead;
    private final Contender.Command command;
    private final int capacity;
    private final int threads;
    private final Map<String, Contender.Maker> contenders = new LinkedHashMap<>();

    Burst(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        command = options.command();
        jobs = options.number("jobs", command == Contender.Command.NOOP ? 10_000 : 2_000);
        rounds = options.number("rounds", 3);
        lead = options.number("lead", 8);
        capacity = options.number("capacity", command == Contender.Command.NOOP ? 1000 : 64);
        threads = options.number("threads", 32);
        List<SpawnMethod> methods = options.list("spawn", "AUTO").stream().map(SpawnMethod::valueOf).toList();
        for (SpawnMethod method : methods) {
            contenders.put(methods.size() == 1 ? "rowlock" : "rowlock-" + method, task -> new Rowlock(task, 1, method));
        }
        if (options.text("rules", "no").equals("yes")) {
            contenders.put("rowlock-watched", task -> {
                Rowlock watched = new Rowlock(task, 1);
                RowlockJobs.insertRules(task.schema(), task.jobs());
                return watched;
            });
        }
        for (String peer : options.list("peers", "quartz,db-scheduler")) {
            contenders.putAll(Peers.named(peer));
        }
    }

    void run() throws Exception {
        boolean spawns = command == Contender.Command.TRUE;
        report.note(jobs + " jobs, " + command + ", due " + lead + " s after their scheduler began; Rowlock with "
                + capacity + " slots, peers with " + threads + " threads");
        for (int round = 0; round <= rounds; round++) {
            Line limits = Limits.measure(server, threads, spawns);
            show(round, "limits", limits);
            List<String> order = new ArrayList<>(contenders.keySet());
            Collections.rotate(order, -round); // what one leaves behind in the server is not always met by the same one
            for (String who : order) {
                show(round, who, once(who, Objects.requireNonNull(contenders.get(who))));
            }
        }
        double ours = report.median(contenders.keySet().iterator().next(), "fires_per_s");
        contenders.keySet().stream().skip(1).forEach(peer -> report.note(
                "rowlock / " + peer + " = " + Line.text(ours / report.median(peer, "fires_per_s"))));
        if (spawns) {
            for (String who : contenders.keySet()) {
                double fires = report.median(who, "fires_per_s");
                String shares = who + " / bare spawns = " + Line.text(fires / report.median("limits", "spawns_per_s"));
                report.note(
                        Spawns.mechanisms().contains("VFORK")
                                ? shares + ", with VFORK "
                                        + Line.text(fires / report.median("limits", "vfork_spawns_per_s"))
                                : shares);
            }
        }
    }

    /** The expression that asks for this instant, once a year. */
    static String yearly(Instant due) {
        return YEARLY.format(due);
    }

    private void show(int round, String who, Line line) {
        if (round == 0) {
            report.warmUp(who, line);
        } else {
            report.add(who, line.with("round", round));
        }
    }

    private Line once(String name, Contender.Maker maker) throws Exception {
        int slots = name.startsWith("rowlock") ? capacity : threads;
        try (Schema schema = server.schema()) {
            // Making the rows takes time, and the first fire time must lie behind it.
            Instant due = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(lead + 4 + jobs / 20_000);
            Starts starts = new Starts(jobs);
            Contender.Task task =
                    new Contender.Task(schema, jobs, slots, command, yearly(due), due, starts);
            try (Contender contender = maker.make(task)) {
                Instant begin = due.minusSeconds(lead);
                Machine.await(PATIENCE, 1, () -> !Starts.now().isBefore(begin));
                System.gc(); // what the one before has left in the heap is not charged to this one
                Cost before = server.cost();
                contender.start();
                boolean done = Machine.await(PATIENCE, 2, () -> starts.count() >= jobs)
                        && Machine.await(PATIENCE, 5, contender::isDone);
                double seconds = ChronoUnit.MICROS.between(due, Starts.now()) / 1e6;
                Cost spent = server.cost().since(before);
                long finished = contender.finished();
                if (!done || finished != jobs) {
                    report.note(name + " has finished " + finished + " of " + jobs + " within " + seconds + " s");
                }
                return Line.of("jobs", jobs)
                        .with("finished", finished)
                        .with("seconds", seconds)
                        .with("fires_per_s", finished / seconds)
                        .with(starts.lateness())
                        .with(spent.per(jobs));
            }
        }
    }
}
