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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The product's own launcher; notes when each process was really there. */
final class WatchedStarts implements Processes {

    private final Map<LaunchId, Instant> due = new ConcurrentHashMap<>();
    private final Processes real;

    WatchedStarts(Function<Consumer<Ended>, Processes> launcher, Consumer<Ended> listener, Starts starts) {
        this.real = launcher.apply(ended -> {
            Instant at = Starts.now().minusNanos(System.nanoTime() - ended.startedNanos());
            Instant fireTime = due.remove(ended.launchId());
            if (fireTime != null && ended.kind() == ExitKind.EXITED) {
                starts.started(fireTime, at);
            }
            listener.accept(ended);
        });
    }

    @Override
    public void start(LaunchSpec spec) {
        due.put(spec.launchId(), Instant.parse(spec.environment().get("ROWLOCK_FIRE_TIME")));
        real.start(spec);
    }

    @Override
    public boolean kill(LaunchId id, StopCause why) {
        return real.kill(id, why);
    }

    @Override
    public void killAll(StopCause why, Duration grace) {
        real.killAll(why, grace);
    }

    @Override
    public int running() {
        return real.running();
    }

    @Override
    public CommandOutput output(LaunchId id) {
        return real.output(id);
    }

    @Override
    public void discardOutput(LaunchId id) {
        real.discardOutput(id);
    }

    @Override
    public Set<LaunchId> outputs() {
        return real.outputs();
    }

    @Override
    public Optional<String> outputProblem() {
        return real.outputProblem();
    }

    @Override
    public Optional<String> spawnProblem() {
        return real.spawnProblem();
    }

    @Override
    public Optional<String> startProblem() {
        return real.startProblem();
    }

    @Override
    public void close() {
        real.close();
    }
}
