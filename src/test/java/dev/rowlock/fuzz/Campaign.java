package dev.rowlock.fuzz;

import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Sends many requests to a node and judges what comes back, and what becomes of the node and its database. */
final class Campaign {

    private static final int CLIENTS = 8;
    private static final int SLOW = 200;
    private static final Duration SETTLED = Duration.ofSeconds(90);

    /** Classes are loaded, archives opened, plans of the database kept. */
    private static final int TOLERATED_FILES = 12;

    private static final int TOLERATED_THREADS = 4;

    private final Target target;
    private final long seed;
    private final Path mark;
    private final Judge judge = new Judge();
    private final Shots shots;

    /** @param dir where something appears only if a shell has read what was data */
    Campaign(Target target, long seed, Path dir) throws IOException {
        this.target = target;
        this.seed = seed;
        this.mark = dir.resolve("mark").toAbsolutePath();
        this.shots = new Shots(seed, target.stage(), target.contract(), new Words(mark.toString()));
    }

    /** Half of them have to be refused, so that nothing at all may be stored; of the others, some are taken. */
    Outcome run(int requests) throws Exception {
        long since = System.nanoTime();
        send(0, 500, true); // what is made once is made before anything is measured
        settle();
        Footprint before = Footprint.of(target.node().pid());
        Stored stored = Stored.read(target.rows());
        try (SlowCallers slow = target.slowCallers(SLOW)) {
            send(500, requests / 2, true);
            judge.lives(slow.slowestMillis());
        }
        java.util.List<String> changed = stored.differences(Stored.read(target.rows()));
        if (!changed.isEmpty()) {
            judge.find("requests that were refused, or only read, have changed something: " + changed);
        }
        try (SlowCallers slow = target.slowCallers(SLOW)) {
            send(requests / 2, requests, false);
            judge.lives(slow.slowestMillis());
        }
        double seconds = (System.nanoTime() - since) / 1e9;
        settle();
        Footprint after = settledFootprint(before);
        judgeNode();
        return new Outcome(
                seed,
                requests,
                seconds,
                judge.statuses(),
                judge.slowestMillis(),
                judge.slowestLifeMillis(),
                before,
                after,
                judge.findings());
    }

    private void send(int from, int to, boolean refused) throws Exception {
        AtomicLong next = new AtomicLong(from);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(() -> send(next, to, refused));
            }
            for (Future<Void> client : clients.invokeAll(all)) {
                client.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private Void send(AtomicLong next, int to, boolean refused) {
        try (Wire wire = new Wire(target.stage().port());
                Wire other = new Wire(target.stage().port())) {
            for (long index = next.getAndIncrement(); index < to; index = next.getAndIncrement()) {
                Shot shot = shots.shot(index, refused);
                try {
                    judge.answered(shot, (shot.operation() == null ? other : wire).ask(shot.bytes(), shot.head()));
                } catch (SocketTimeoutException e) {
                    judge.silent(shot);
                    wire.hangUp();
                } catch (IOException e) {
                    judge.find("no answer that can be read: " + e + "\n" + shot.text());
                    wire.hangUp();
                }
                if (shot.operation() == null) {
                    other.hangUp(); // nobody knows where its answer ends
                }
            }
        }
        return null;
    }

    /** Until all that was asked for is done. */
    private void settle() throws Exception {
        Until.holds(
                SETTLED,
                "the end of what runs",
                () -> target.rows().count("live_task where state = 'EXECUTING'") == 0
                        && target.rows().count("live_task where state <> 'EXECUTING' and due_at < utc_timestamp(3)")
                                == 0);
    }

    /** Connections that were closed are noticed within seconds, and threads that have nothing to do end. */
    private Footprint settledFootprint(Footprint before) throws Exception {
        try {
            Until.holds(SETTLED, "a footprint as before", () -> {
                Footprint now = Footprint.of(target.node().pid());
                return now.files() <= before.files() + TOLERATED_FILES
                        && now.threads() <= before.threads() + TOLERATED_THREADS;
            });
        } catch (AssertionError e) {
            judge.find("the node holds on to what it had no need of before: " + before + ", then "
                    + Footprint.of(target.node().pid()));
        }
        return Footprint.of(target.node().pid());
    }

    private void judgeNode() {
        if (target.node().status("/readyz") != 200) {
            judge.find("the node is not ready any more: "
                    + target.node().get("/readyz").body());
        }
        target.node()
                .log()
                .lines()
                .filter(line -> line.contains(" ERROR ")
                        || line.contains(" HttpParser: ")
                        || line.contains("the database refused it"))
                .limit(5)
                .forEach(line -> judge.find("in the log: " + line));
        if (Files.exists(mark)) {
            judge.find("a shell has read what was data: " + mark);
        }
        target.rows().all("select request_id, action, kind, name from audit where action <> 'sign_in_failed'").stream()
                .filter(row -> {
                    String id = String.valueOf(row.get("request_id"));
                    return id.equals("smuggled")
                            || id.equals("malformed")
                            || (id.startsWith("fuzz-") && !judge.isTaken(id));
                })
                .limit(5)
                .forEach(row -> judge.find("a request that was refused has changed something: " + row));
    }
}
