package dev.rowlock.bench;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Jobs that are each due every second: how many of the fires that the schedules ask for are started, and how late. */
final class Steady {

    private static final double HELD_SHARE = 0.999;
    private static final double HELD_P99_MILLIS = 1000;
    private static final int NARROWINGS = 3;
    /** Fires of the first seconds do not count: caches are cold, and what is found due at once is no fault. */
    private static final int WARM_UP = 6;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int seconds;
    private final int rounds;
    private final boolean search;
    private final Contender.Command command;
    private final int capacity;
    private final int threads;
    private final Map<String, Contender.Maker> contenders = new LinkedHashMap<>();

    Steady(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        command = options.command();
        jobs = options.number("jobs", 200);
        seconds = options.number("seconds", 15);
        rounds = options.number("rounds", 3);
        search = options.text("search", "no").equals("yes");
        capacity = options.number("capacity", command == Contender.Command.NOOP ? 1000 : 64);
        threads = options.number("threads", 32);
        int nodes = options.number("nodes", 1);
        contenders.put("rowlock", task -> new Rowlock(task, nodes));
        for (String peer : options.list("peers", "none")) {
            contenders.putAll(Peers.named(peer));
        }
    }

    void run() throws Exception {
        report.note("every job due every second for " + seconds + " s, " + command + "; Rowlock with " + capacity
                + " slots, peers with " + threads + " threads; a fire counts when it was started within a second of the end");
        if (search) {
            for (Map.Entry<String, Contender.Maker> contender : contenders.entrySet()) {
                int most = largestHeld(contender.getKey(), contender.getValue());
                report.note(contender.getKey() + ": the largest N that holds is " + most);
            }
            return;
        }
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, Contender.Maker> contender : contenders.entrySet()) {
                Line line = once(contender.getKey(), contender.getValue(), jobs);
                if (round == 0) {
                    report.warmUp(contender.getKey(), line);
                } else {
                    report.add(contender.getKey(), line.with("round", round));
                }
            }
        }
    }

    /** Doubles until it does not hold, then narrows down. */
    private int largestHeld(String name, Contender.Maker maker) throws Exception {
        report.warmUp(name, once(name, maker, jobs));
        int held = 0;
        int tried = jobs;
        while (holds(name, maker, tried)) {
            held = tried;
            tried *= 2;
        }
        int step = (tried - held) / 2;
        for (int i = 0; i < NARROWINGS && step > 0; i++) {
            if (holds(name, maker, held + step)) {
                held += step;
            }
            step /= 2;
        }
        return held;
    }

    private boolean holds(String name, Contender.Maker maker, int tried) throws Exception {
        Line line = once(name, maker, tried);
        boolean held = (double) line.values.get("achieved_share") >= HELD_SHARE
                && (double) line.values.get("late_p99_ms") < HELD_P99_MILLIS;
        report.add(name + " " + tried, line.with("holds", held));
        return held;
    }

    private Line once(String name, Contender.Maker maker, int tried) throws Exception {
        int slots = name.equals("rowlock") ? capacity : threads;
        try (Schema schema = server.schema()) {
            Instant first = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5 + tried / 20_000);
            Instant from = first.plusSeconds(WARM_UP);
            Instant until = from.plusSeconds(seconds);
            Starts starts = new Starts(tried * seconds);
            starts.countOnly(from, until);
            Contender.Task task =
                    new Contender.Task(schema, tried, slots, command, "* * * * * ?", first, starts);
            try (Contender contender = maker.make(task)) {
                contender.start();
                awaitInstant(from);
                Cost before = server.cost();
                awaitInstant(until);
                Cost spent = server.cost().since(before);
                awaitInstant(until.plusMillis(1000));
                int offered = tried * seconds;
                int achieved = starts.count();
                return new Line()
                        .with("jobs", tried)
                        .with("offered", offered)
                        .with("achieved", achieved)
                        .with("achieved_share", (double) achieved / offered)
                        .with("given_up", contender.givenUp())
                        .with(starts.lateness())
                        .with(contender.recorded(from, until))
                        .with(spent.per(offered))
                        .with("server_cores", spent.serverCpu() / seconds)
                        .with("java_cores", spent.javaCpu() / seconds);
            }
        }
    }

    private static void awaitInstant(Instant when) {
        Machine.await(600, 1, () -> !Starts.now().isBefore(when));
    }
}
