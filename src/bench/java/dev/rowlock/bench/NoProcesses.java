package dev.rowlock.bench;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.ExitKind;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Starts no process: every command ends well at once, or none does until it is killed, and a thread of its own says so, as the launcher's does.
 */
public final class NoProcesses implements Processes {

    private final ExecutorService teller = Executors.newSingleThreadExecutor();
    private final Set<LaunchId> running = ConcurrentHashMap.newKeySet();
    private final boolean hold;
    private final Consumer<Ended> ended;
    private final Starts starts;
    private volatile ReadTime lastRead = new ReadTime("", Instant.EPOCH);

    private record ReadTime(String text, Instant time) {}

    /** Ends every command well at once, and counts none. */
    public NoProcesses(Consumer<Ended> ended) {
        this(ended, new Starts(0), false);
    }

    NoProcesses(Consumer<Ended> ended, Starts starts, boolean hold) {
        this.ended = ended;
        this.starts = starts;
        this.hold = hold;
    }

    @Override
    public void start(LaunchSpec spec) {
        starts.started(fireTime(spec.environment().get("ROWLOCK_FIRE_TIME")));
        running.add(spec.launchId());
        if (!hold) {
            long startedNanos = System.nanoTime();
            teller.execute(() -> end(spec.launchId(), startedNanos, 0, null));
        }
    }

    /** Read once for all that are due at one instant: reading it is no part of what is measured. */
    private Instant fireTime(String text) {
        ReadTime known = lastRead;
        if (!known.text.equals(text)) {
            known = new ReadTime(text, Instant.parse(text));
            lastRead = known;
        }
        return known.time;
    }

    private void end(LaunchId launch, long startedNanos, int code, StopCause why) {
        if (running.remove(launch)) {
            Integer signal = code == 0 ? null : code - 128;
            ended.accept(new Ended(
                    launch, ExitKind.EXITED, code, signal, why, false, null, startedNanos, System.nanoTime(), 0));
        }
    }

    @Override
    public boolean kill(LaunchId id, StopCause why) {
        teller.execute(() -> end(id, System.nanoTime(), 143, why));
        return running.contains(id);
    }

    @Override
    public void killAll(StopCause why, Duration grace) {
        running.forEach(id -> kill(id, why));
    }

    @Override
    public int running() {
        return running.size();
    }

    @Override
    public CommandOutput output(LaunchId id) {
        return CommandOutput.NONE;
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

    @Override
    public Optional<String> outputProblem() {
        return Optional.empty();
    }

    @Override
    public Optional<String> spawnProblem() {
        return Optional.empty();
    }

    @Override
    public Optional<String> startProblem() {
        return Optional.empty();
    }
}
