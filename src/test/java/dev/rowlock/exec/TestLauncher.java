package dev.rowlock.exec;

import dev.rowlock.definition.Command;
import dev.rowlock.exec.Launcher.ProcessStarter;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A launcher with a directory of its own, real processes, and what it delivered. */
public final class TestLauncher implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final AtomicLong COUNTER = new AtomicLong();

    public final Path directory;
    final String session = "test" + ProcessHandle.current().pid() + "." + COUNTER.incrementAndGet();
    final AtomicBoolean guarded = new AtomicBoolean(true);
    /** How many processes somebody has begun to make. */
    final AtomicInteger begun = new AtomicInteger();

    final LinkedBlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    /** How many launches were running, as others see it, at the moment when each end was told. */
    final LinkedBlockingQueue<Integer> runningWhenTold = new LinkedBlockingQueue<>();

    public final Launcher launcher;

    public TestLauncher() {
        this(SpawnMethod.AUTO);
    }

    public TestLauncher(SpawnMethod method) {
        this(method, Gate.WITHIN, new ProcessSignals(new ProcFs()));
    }

    public TestLauncher(SpawnMethod method, Duration startWithin, ProcessSignals signals) {
        this(startWithin, signals, output -> Launcher.shell(output, method));
    }

    public TestLauncher(Duration startWithin, ProcessSignals signals, Function<Path, ProcessStarter> starter) {
        try {
            directory = Files.createTempDirectory("rowlock-exec");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path output = directory.resolve("output");
        launcher = new Launcher(
                Launcher.outputs(output, new OutputLimits(1 << 20, 64 << 10, 64 << 10)),
                starter.apply(output),
                System::nanoTime,
                () -> {
                    begun.incrementAndGet();
                    return guarded.get();
                },
                this::told,
                startWithin,
                signals);
    }

    private void told(Ended how) {
        runningWhenTold.add(launcher.running());
        ended.add(how);
    }

    LaunchSpec spec(String command) {
        return new LaunchSpec(
                LaunchId.of(session, COUNTER.incrementAndGet()),
                session,
                command,
                directory,
                Map.of(),
                null,
                Duration.ofMillis(300),
                Uptime.millis() + 60_000);
    }

    public static LaunchSpec with(
            LaunchSpec spec, Map<String, String> environment, @Nullable Duration timeout, Duration grace) {
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command().toString(),
                spec.workdir(),
                environment,
                timeout,
                grace,
                spec.deadlineUptimeMillis());
    }

    public LaunchSpec with(RunOptions options, String command) {
        return with(options, Command.of(command));
    }

    public LaunchSpec with(RunOptions options, Command command) {
        LaunchSpec spec = spec("");
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                command,
                spec.workdir(),
                spec.environment(),
                options,
                spec.timeout(),
                spec.killGrace(),
                spec.deadlineUptimeMillis());
    }

    public static LaunchSpec environment(LaunchSpec spec, Map<String, String> environment) {
        return of(spec, spec.workdir(), environment, spec.deadlineUptimeMillis());
    }

    static LaunchSpec in(@Nullable Path workdir, LaunchSpec spec) {
        return of(spec, workdir, spec.environment(), spec.deadlineUptimeMillis());
    }

    private static LaunchSpec of(
            LaunchSpec spec, @Nullable Path workdir, Map<String, String> environment, long deadlineUptimeMillis) {
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command(),
                workdir,
                environment,
                spec.options(),
                spec.timeout(),
                spec.killGrace(),
                deadlineUptimeMillis);
    }

    static LaunchSpec late(LaunchSpec spec) {
        return of(spec, spec.workdir(), spec.environment(), Uptime.millis() - 10);
    }

    public LaunchSpec start(String command) {
        LaunchSpec spec = spec(command);
        launcher.start(spec);
        return spec;
    }

    public Ended run(String command) {
        return run(spec(command));
    }

    public Ended run(LaunchSpec spec) {
        launcher.start(spec);
        return nextEnded();
    }

    public Ended nextEnded() {
        try {
            Ended next = ended.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no command ended within " + PATIENCE);
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public String text(LaunchId id) {
        return new String(launcher.output(id).after(0), StandardCharsets.UTF_8);
    }

    /** Waits until the command has made the file, and something is in it. */
    String awaitFile(String name) {
        Path file = directory.resolve(name);
        await("the file " + name, () -> file.toFile().length() > 0);
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    public static void await(String what, Duration patience, BooleanSupplier condition) {
        long until = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("waited in vain for " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
        }
    }

    static boolean isAlive(String pid) {
        Proc proc = new ProcFs().process(Integer.parseInt(pid.strip()));
        return proc != null && !proc.isDead();
    }

    @Override
    public void close() {
        launcher.killAll(StopCause.SHUTDOWN, Duration.ZERO);
        await("all commands to end", () -> launcher.running() == 0);
        launcher.close();
    }
}
