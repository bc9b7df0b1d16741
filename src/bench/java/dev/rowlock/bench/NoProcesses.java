package dev.rowlock.bench;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.Output;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.LaunchId;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Starts no process: every command ends well at once, and a thread of its own says so, as the launcher's does. */
final class NoProcesses implements Processes {

    private final ExecutorService teller = Executors.newSingleThreadExecutor();
    private final AtomicInteger running = new AtomicInteger();
    private final Consumer<Ended> ended;
    private final Starts starts;

    NoProcesses(Consumer<Ended> ended, Starts starts) {
        this.ended = ended;
        this.starts = starts;
    }

    @Override
    public void start(LaunchSpec spec) {
        starts.started(Instant.parse(spec.environment().get("ROWLOCK_FIRE_TIME")));
        running.incrementAndGet();
        long startedNanos = System.nanoTime();
        teller.execute(() -> {
            running.decrementAndGet();
            ended.accept(new Ended(
                    spec.launchId(),
                    Ended.Kind.EXITED,
                    0,
                    null,
                    null,
                    null,
                    startedNanos,
                    System.nanoTime(),
                    0));
        });
    }

    @Override
    public boolean kill(LaunchId id, StopCause why) {
        return false;
    }

    @Override
    public void killAll(StopCause why, Duration grace) {
        // there is nothing to kill
    }

    @Override
    public int running() {
        return running.get();
    }

    @Override
    public Output output(LaunchId id) {
        return new Output(0, 0, new byte[0], new byte[0]);
    }

    @Override
    public void discardOutput(LaunchId id) {
        // there is none
    }

    @Override
    public Set<LaunchId> outputs() {
        return Set.of();
    }

    @Override
    public void close() {
        teller.shutdown();
    }
}
