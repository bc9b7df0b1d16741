package dev.rowlock.node;

import dev.rowlock.exec.Ended;
import dev.rowlock.exec.ExitKind;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Commands that run until the test says how they end. */
public final class FakeProcesses implements Processes, Launching {

    private final Map<LaunchId, LaunchSpec> running = Collections.synchronizedMap(new LinkedHashMap<>());
    final List<LaunchSpec> started = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable Integer atOnce;
    /** Why no process can be made. */
    volatile @Nullable String noProcess;

    /** Commands that are to end do so only when the test says so. */
    volatile boolean ignoresTerm;

    private volatile @Nullable Runnable beforeStart;
    public final Map<LaunchId, byte[]> outputs = Collections.synchronizedMap(new LinkedHashMap<>());
    final LongSupplier nanos;
    private Consumer<Ended> listener = ended -> {};

    public FakeProcesses(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public Processes begin(BooleanSupplier guarded, Consumer<Ended> ended) {
        listener = ended;
        return this;
    }

    /** Once, when the next start is committed and handed over, but not yet known here. */
    public void beforeNextStart(Runnable what) {
        beforeStart = what;
    }

    @Override
    public void start(LaunchSpec spec) {
        Runnable before = beforeStart;
        beforeStart = null;
        if (before != null) {
            before.run();
        }
        running.put(spec.launchId(), spec);
        started.add(spec);
        Integer code = atOnce;
        if (code != null) {
            end(spec.launchId(), code, null);
        }
    }

    /** From now on, whatever is started ends by itself at once. */
    void endAtOnce(int exitCode) {
        atOnce = exitCode;
    }

    /** All running commands end with this exit code. */
    public void end(int exitCode) {
        List.copyOf(running.keySet()).forEach(launch -> end(launch, exitCode, null));
    }

    /** What runs of this job, {@code namespace/name}. */
    List<LaunchId> of(String job) {
        return List.copyOf(running.values()).stream()
                .filter(spec -> job.equals(spec.environment().get("ROWLOCK_JOB")))
                .map(LaunchSpec::launchId)
                .toList();
    }

    /** The gate of all running commands refuses them. */
    public void refuse() {
        List.copyOf(running.keySet()).forEach(this::refuse);
    }

    void refuse(LaunchId launch) {
        long now = nanos.getAsLong();
        told(new Ended(launch, ExitKind.TOO_LATE, -1, null, null, false, null, now, now, 0));
    }

    /** At the start of all running commands, there was no guard. */
    void unguarded() {
        for (LaunchId launch : List.copyOf(running.keySet())) {
            long now = nanos.getAsLong();
            told(new Ended(launch, ExitKind.UNGUARDED, -1, null, null, false, null, now, now, 0));
        }
    }

    /** The host could make no process for any running command. */
    void hostRefuses() {
        for (LaunchId launch : List.copyOf(running.keySet())) {
            long now = nanos.getAsLong();
            told(new Ended(launch, ExitKind.HOST_REFUSED, -1, null, null, false, "no room", now, now, 0));
        }
    }

    /** All running commands were to end for that reason, and could not be killed. */
    void survive(StopCause why) {
        for (LaunchId launch : List.copyOf(running.keySet())) {
            long now = nanos.getAsLong();
            String note = "could not be killed: sleep (pid 7, state D)";
            told(new Ended(launch, ExitKind.EXITED, -1, null, why, true, note, now - 1_000_000, now, 0));
        }
    }

    /** All running commands end by TERM, for the reason that counts. */
    void stop(StopCause why) {
        List.copyOf(running.keySet()).forEach(launch -> stop(launch, why));
    }

    void stop(LaunchId launch, StopCause why) {
        end(launch, 143, why);
    }

    /** All running commands turn out never to have been started, because they were to end before that. */
    void neverStart(StopCause why) {
        List.copyOf(running.keySet()).forEach(launch -> neverStart(launch, why));
    }

    void neverStart(LaunchId launch, @Nullable StopCause why) {
        long now = nanos.getAsLong();
        told(new Ended(launch, ExitKind.NOT_STARTED, -1, null, why, false, "too soon", now, now, 0));
    }

    /** One command ends by itself. */
    public void end(LaunchId launch, int exitCode) {
        end(launch, exitCode, null);
    }

    private void end(LaunchId launch, int exitCode, @Nullable StopCause stopped) {
        long now = nanos.getAsLong();
        Integer signal = exitCode > 128 ? exitCode - 128 : null;
        told(new Ended(launch, ExitKind.EXITED, exitCode, signal, stopped, false, null, now - 1_000_000, now, 0));
    }

    /** As the launcher does it: what has ended counts as running until its end was told. */
    private void told(Ended how) {
        listener.accept(how);
        running.remove(how.launchId());
    }

    @Override
    public boolean kill(LaunchId id, StopCause why) {
        boolean known = running.containsKey(id);
        if (known && !ignoresTerm) {
            end(id, 143, why);
        }
        return known;
    }

    @Override
    public void killAll(StopCause why, Duration grace) {
        List.copyOf(running.keySet()).forEach(launch -> end(launch, 143, why));
    }

    @Override
    public int running() {
        return running.size();
    }

    @Override
    public CommandOutput output(LaunchId id) {
        byte[] text = outputs.getOrDefault(id, new byte[0]);
        return new CommandOutput(text.length, text, new byte[0]);
    }

    @Override
    public void discardOutput(LaunchId id) {
        outputs.remove(id);
    }

    @Override
    public Set<LaunchId> outputs() {
        return Set.of();
    }

    @Override
    public Optional<String> outputProblem() {
        return Optional.empty();
    }

    @Override
    public void close() {}

    @Override
    public Optional<String> spawnProblem() {
        return Optional.ofNullable(noProcess);
    }

    @Override
    public Optional<String> startProblem() {
        return Optional.empty();
    }
}
