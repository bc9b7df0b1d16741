package dev.rowlock.exec;

import dev.rowlock.job.LaunchId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that follows all commands: their ends, timeouts, graces and what they leave behind. What happens is queued to it, so its
 * state needs no lock. One look at {@code /proc} serves all commands that want one; between two looks it rests four times as long as the
 * last one took, so that looking never costs more than a fifth of a core.
 */
final class CommandWatch implements Runnable {

    static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();
    static final long LOOK_AGAIN = Duration.ofMillis(100).toNanos();
    private static final Logger LOG = LoggerFactory.getLogger(CommandWatch.class);
    private static final long MIN_REST = Duration.ofMillis(20).toNanos();

    private final Map<LaunchId, Running> commands = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final ProcFs procFs = new ProcFs();
    private final Signals signals = new Signals(procFs);
    private final LongSupplier nanos;
    private final Consumer<OutputFile> room;
    private final Consumer<Ended> ended;
    private long nextLook;
    private volatile boolean closed;

    /** @param room looks whether there is room on the disk when a command has ended */
    CommandWatch(LongSupplier nanos, Consumer<OutputFile> room, Consumer<Ended> ended) {
        this.nanos = nanos;
        this.room = room;
        this.ended = ended;
        this.nextLook = nanos.getAsLong();
    }

    /** False if that launch is here already. */
    boolean accept(Running command) {
        return commands.putIfAbsent(command.spec.launchId(), command) == null;
    }

    void tellStarted(Running command, Child child, long bornTicks, long at) {
        events.add(() -> command.started(child.pid(), bornTicks, at));
        CompletableFuture<Void> unused = child.exit().thenAccept(code -> {
            long endedAt = nanos.getAsLong();
            events.add(() -> command.exited(code, endedAt, nanos.getAsLong()));
        });
    }

    void tellNotStarted(Running command, String why) {
        events.add(() -> deliver(command, command.notStarted(why, nanos.getAsLong())));
    }

    void tellUnguarded(Running command) {
        events.add(() -> deliver(command, command.unguarded(nanos.getAsLong())));
    }

    boolean stop(LaunchId id, StopCause why) {
        Running command = commands.get(id);
        if (command == null) {
            return false;
        }
        stop(command, why, command.spec.killGrace());
        return true;
    }

    /** KILL follows after a command's own grace, but after {@code most} at the latest. */
    void stopAll(StopCause why, Duration most) {
        for (Running command : commands.values()) {
            Duration own = command.spec.killGrace();
            stop(command, why, own.compareTo(most) < 0 ? own : most);
        }
    }

    private void stop(Running command, StopCause why, Duration grace) {
        if (why.outranks(command.unwanted)) {
            command.unwanted = why; // read by the thread that is about to fork it
        }
        if (command.isNews(why, nanos.getAsLong() + grace.toNanos())) { // the fence asks ten times a second
            events.add(() -> command.stop(why, grace, nanos.getAsLong()));
        }
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
                LOG.error("A step of the command watch failed; it goes on", e);
            }
        }
    }

    void close() {
        closed = true;
        events.add(() -> {});
    }

    private void step(long now) {
        boolean lookWanted = false;
        for (Running command : commands.values()) {
            if (command.isTimedOut(now)) {
                command.stop(StopCause.TIMEOUT, command.spec.killGrace(), now);
            }
            lookWanted |= command.lookAt <= now;
        }
        if (lookWanted && now >= nextLook) {
            try {
                look(now);
            } finally {
                long cost = nanos.getAsLong() - now;
                nextLook = now + cost + Math.max(MIN_REST, 4 * cost);
            }
        }
    }

    private void look(long now) {
        Collection<Running> started =
                commands.values().stream().filter(Running::isStarted).toList();
        Map<Running, List<Proc>> members = ProcessTree.of(procFs, started);
        List<Running> over = new ArrayList<>();
        for (Running command : started) {
            if (command.seen(members.getOrDefault(command, List.of()), signals, now)) {
                over.add(command);
            }
        }
        for (Running command : over) {
            room.accept(command.output);
            deliver(command, command.ended());
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
            return LOOK_EVERY;
        }
        long byTimer = next == Running.NEVER ? LOOK_EVERY : next - now;
        return Math.max(Math.max(byTimer, nextLook - now), 0);
    }

    /** The end is told before the command leaves: who finds that nothing runs must find the results of all that ran. */
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
        }
    }
}
