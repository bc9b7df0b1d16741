package dev.rowlock.exec;

import dev.rowlock.exec.output.OutputFile;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.exec.process.ProcessTree;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.task.LaunchId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that follows all commands: their ends, timeouts, graces and what they leave behind. Events are queued to it,
 * so its state needs no lock. One scan of {@code /proc} serves all commands; between two it rests four times as long as
 * the last one took, so scanning costs a fifth of a core at most.
 */
final class CommandWatch implements Runnable {

    static final long SCAN_EVERY = Duration.ofSeconds(1).toNanos();
    static final long SCAN_AGAIN = Duration.ofMillis(100).toNanos();
    private static final String NOT_WANTED = "it was to end before it had started";
    private static final Logger LOG = LoggerFactory.getLogger(CommandWatch.class);
    private static final long MIN_REST = Duration.ofMillis(20).toNanos();
    private static final long COMPLAINT_EVERY = Duration.ofMinutes(1).toNanos();

    private final Map<LaunchId, Running> commands = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final ProcFs procFs = new ProcFs();
    private final ProcessSignals signals;
    private final LongSupplier nanos;
    private final Path gate;
    private final Runnable eachStep;
    private final Consumer<OutputFile> room;
    private final Consumer<Ended> ended;
    /** Working directories where an unkillable shell hangs, with its pending exit. */
    private final Map<Path, CompletableFuture<Integer>> stuck = new ConcurrentHashMap<>();

    private volatile List<String> hindrances = List.of();
    private long nextScan;
    private @Nullable Long complained;
    private volatile boolean closed;

    /**
     * @param gate the file with the gate's text
     * @param eachStep called once a second at least
     * @param room looks whether there is room on the disk when a command has ended
     */
    CommandWatch(
            LongSupplier nanos,
            ProcessSignals signals,
            Path gate,
            Runnable eachStep,
            Consumer<OutputFile> room,
            Consumer<Ended> ended) {
        this.nanos = nanos;
        this.signals = signals;
        this.gate = gate;
        this.eachStep = eachStep;
        this.room = room;
        this.ended = ended;
        this.nextScan = nanos.getAsLong();
    }

    /** Adds a command; returns false if this launch is here already. */
    boolean accept(Running command) {
        return commands.putIfAbsent(command.spec.launchId(), command) == null;
    }

    /**
     * @param asked when its process was asked for: it may have ended before this thread goes on
     * @param made when it was there
     */
    void tellStarted(Running command, Child child, long bornTicks, long asked, long made) {
        events.add(() -> command.started(child, bornTicks, asked, made));
        CompletableFuture<Void> unused = child.exit().thenAccept(code -> {
            long endedAt = nanos.getAsLong();
            events.add(() -> command.exited(code, endedAt, nanos.getAsLong()));
        });
    }

    /** Reports an end without a process. */
    void tell(Running command, LongFunction<Ended> how) {
        events.add(() -> deliver(command, how.apply(nanos.getAsLong())));
    }

    boolean stop(LaunchId id, StopCause why) {
        Running command = commands.get(id);
        if (command == null) {
            return false;
        }
        stop(command, why, command.spec.killGrace());
        return true;
    }

    /** Stops all commands; KILL follows after a command's own grace, but after {@code most} at the latest. */
    void stopAll(StopCause why, Duration most) {
        for (Running command : commands.values()) {
            Duration own = command.spec.killGrace();
            stop(command, why, own.compareTo(most) < 0 ? own : most);
        }
    }

    private void stop(Running command, StopCause why, Duration grace) {
        if (command.requests.add(why, nanos.getAsLong() + grace.toNanos())) { // the fence asks ten times a second
            events.add(() -> stopNow(command, why, grace));
        }
    }

    private void stopNow(Running command, StopCause why, Duration grace) {
        if (command.making.cancel()) {
            deliver(command, command.notStarted(NOT_WANTED, nanos.getAsLong()));
        } else {
            command.stop(why, grace, nanos.getAsLong());
        }
    }

    /** Returns why commands have not begun though their shells exist, for people; at most a second old. */
    List<String> hindrances() {
        return hindrances;
    }

    /**
     * Returns why no process is to be created, for people. One unkillable shell that hangs in a directory is enough.
     */
    Optional<String> objection(Running command) {
        Path workdir = command.spec.workdir();
        if (command.requests.why() != null) {
            return Optional.of(NOT_WANTED);
        }
        return workdir != null && stuck.containsKey(workdir)
                ? Optional.of("its working directory " + workdir
                        + " does not answer, and a shell hangs there that cannot be killed")
                : RunAs.problem(command.spec.options());
    }

    int size() {
        return commands.size();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                step(nanos.getAsLong());
                Runnable event = events.poll(untilNextTimer(nanos.getAsLong()), TimeUnit.NANOSECONDS);
                while (event != null) {
                    event.run();
                    event = events.poll();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                complain(e);
            }
        }
    }

    /** Logs a failed step, once a minute: what fails once fails in the next step, too. */
    private void complain(RuntimeException e) {
        long now = nanos.getAsLong();
        if (complained == null || now - complained >= COMPLAINT_EVERY) {
            complained = now;
            LOG.error("A step of the command watch failed; it goes on, and says this once a minute", e);
        }
    }

    void close() {
        closed = true;
        events.add(() -> {});
    }

    private void step(long now) {
        boolean scanWanted = false;
        for (Running command : commands.values()) {
            if (command.isTimedOut(now)) {
                command.stop(StopCause.TIMEOUT, command.spec.killGrace(), now);
            }
            scanWanted |= command.scanAt <= now;
        }
        judgeStarts(now);
        eachStep.run();
        if (scanWanted && now >= nextScan) {
            try {
                scan(now);
            } finally {
                long cost = nanos.getAsLong() - now;
                nextScan = now + cost + Math.max(MIN_REST, 4 * cost);
            }
        }
    }

    /** Gives up what takes too long to be created, and notes what hinders the others. */
    private void judgeStarts(long now) {
        List<String> found = new ArrayList<>();
        for (Running command : commands.values()) {
            if (command.making.isSlow(now)) {
                judgeMaking(command, Uptime.millis(), now);
            }
            String hindrance = command.hindrance(now);
            if (hindrance != null) {
                found.add(command.spec.launchId() + ": " + hindrance);
            }
        }
        hindrances = found;
    }

    /** Gives up a start that takes too long. It may have passed its gate in time: what is seen of it is ended first. */
    private void judgeMaking(Running command, long uptimeMillis, long now) {
        if (command.making.giveUp(uptimeMillis)) {
            deliver(command, command.neverBegan("its process could not be made", now));
        } else if (command.making.isWithoutNews(uptimeMillis, now)) {
            List<Proc> members = ProcessTree.of(procFs, List.of(command)).getOrDefault(command, List.of());
            members.forEach(signals::kill);
            if (members.isEmpty() && command.making.giveUpUnknown()) {
                deliver(command, command.unknown(now));
            }
        }
    }

    private void scan(long now) {
        Collection<Running> started =
                commands.values().stream().filter(Running::isStarted).toList();
        Map<Running, List<Proc>> processes = ProcessTree.of(procFs, started);
        scanGates(started, now);
        List<Running> over = new ArrayList<>();
        for (Running command : started) {
            if (command.seen(processes.getOrDefault(command, List.of()), signals, now)) {
                over.add(command);
            }
        }
        for (Running command : over) {
            if (command.output.isAllIn(now)) {
                finish(command);
            } else {
                command.scanAt = now + SCAN_AGAIN;
                CompletableFuture<Void> unused = command.output.end().thenRun(() -> events.add(() -> finish(command)));
            }
        }
    }

    private void finish(Running command) {
        if (commands.get(command.spec.launchId()) != command) {
            return; // it is told
        }
        rememberStuck(command);
        room.accept(command.output);
        deliver(command, command.ended());
    }

    private void scanGates(Collection<Running> started, long now) {
        List<Running> unseen =
                started.stream().filter(Running::isToBeSeenPassing).toList();
        if (!unseen.isEmpty()) {
            long uptimeMillis = Uptime.millis();
            for (Running command : unseen) {
                procFs.standardInput(command.session())
                        .ifPresent(input -> command.seenAtGate(input.equals(gate), uptimeMillis, now));
            }
        }
    }

    private long untilNextTimer(long now) {
        long next = Running.NEVER;
        boolean any = false;
        for (Running command : commands.values()) {
            if (command.isStarted()) {
                long wanted = command.nextTimer();
                next = any ? Math.min(next, wanted) : wanted;
                any = true;
            }
        }
        if (!any) {
            return SCAN_EVERY;
        }
        long byTimer = next == Running.NEVER ? SCAN_EVERY : next - now;
        return Math.max(Math.max(byTimer, nextScan - now), 0);
    }

    private void rememberStuck(Running command) {
        Path workdir = command.spec.workdir();
        if (workdir != null && command.isStuckAtGate()) {
            CompletableFuture<Integer> exit = command.exit();
            stuck.put(workdir, exit);
            CompletableFuture<Void> unused = exit.thenAccept(code -> stuck.remove(workdir, exit));
        }
    }

    /** Delivers an end before the command leaves: whoever finds that nothing runs finds the results of all that ran. */
    private void deliver(Running command, Ended how) {
        if (how.survived()) {
            LOG.error("Of {} this {}", how.launchId(), how.note());
        }
        try {
            ended.accept(how);
        } catch (RuntimeException e) {
            LOG.error("Nobody took in the end of {}: {}", how.launchId(), how, e);
        } finally {
            commands.remove(command.spec.launchId(), command);
            command.provision.takeBack();
        }
    }
}
