package dev.rowlock.exec;

import dev.rowlock.job.LaunchId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts commands and ends them. Thread-safe. Four threads of its own, all daemons: two that fork, one that follows the commands, and one
 * that keeps output within bounds, so that a slow disk delays no KILL; and a small one per process. While a fork hangs, another thread
 * does its work.
 */
public final class Launcher implements Processes {

    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);
    private static final int SHOWN = 5;

    private final LongSupplier nanos;
    private final BooleanSupplier guarded;
    private final Shell shell;
    private final OutputDirectory outputs;
    private final CommandWatch watch;
    private final Duration startWithin;
    private final Forks forks;
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(named("rowlock-output"));

    /**
     * @param outputDir where output files are kept; made if it is missing. One launcher per directory
     * @param nanos monotonic, like {@link System#nanoTime()}
     * @param guarded asked before each start, e.g. {@link Guard#ensureAlive()}; while it answers false nothing is started
     * @param ended called once per launch, on the launcher's one thread: it must be quick and must not block
     * @throws UncheckedIOException if the directory cannot be made or written
     */
    public Launcher(
            Path outputDir, OutputLimits limits, LongSupplier nanos, BooleanSupplier guarded, Consumer<Ended> ended) {
        this(outputDir, limits, nanos, guarded, ended, Gate.WITHIN, new Signals(new ProcFs()));
    }

    /**
     * @param startWithin the time for a command to begin; then it is given up, and what there is of it killed
     * @param signals used by the thread that follows the commands
     */
    Launcher(
            Path outputDir,
            OutputLimits limits,
            LongSupplier nanos,
            BooleanSupplier guarded,
            Consumer<Ended> ended,
            Duration startWithin,
            Signals signals) {
        this.nanos = nanos;
        this.startWithin = startWithin;
        this.guarded = guarded;
        try {
            Files.createDirectories(outputDir);
            this.shell = new Shell(outputDir.resolve("gate.sh"));
            this.outputs = new OutputDirectory(outputDir, limits, new MiddleCut(outputDir, MiddleCut.Way.COLLAPSE));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the directory for output, " + outputDir + ", cannot be used: " + e.getMessage(), e);
        }
        this.forks = new Forks(nanos, named("rowlock-fork"));
        this.watch = new CommandWatch(nanos, signals, shell.gate(), forks::relieve, outputs::look, how -> {
            if (how.kind() != Ended.Kind.EXITED) {
                outputs.discard(how.launchId()); // there is none, and nobody else may come to ask for it
            }
            ended.accept(how);
        });
        named("rowlock-commands").newThread(watch).start();
        ScheduledFuture<?> unused = sweeper.scheduleWithFixedDelay(this::sweepOutputs, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Starts a command. Returns at once; if nothing could or may be started, the {@link Ended.Kind} says so. Throws {@link
     * IllegalStateException} if that launch is running already.
     */
    @Override
    public void start(LaunchSpec spec) {
        Running command = new Running(spec, outputs.of(spec.launchId()), startWithin);
        if (!watch.accept(command)) {
            throw new IllegalStateException("launch " + spec.launchId() + " is running already");
        }
        try {
            forks.make(command, this::fork);
        } catch (OutOfMemoryError e) { // its threads are made when they are first needed
            if (command.making.cancel()) {
                watch.tellNotStarted(command, String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * TERM now, KILL after the launch's grace, to all of its tree. Asynchronous: the end arrives as {@link Ended}. False if no such launch
     * is running.
     */
    @Override
    public boolean kill(LaunchId id, StopCause why) {
        return watch.stop(id, why);
    }

    /**
     * TERM now to every command, KILL after its own grace or after {@code most}, whichever is shorter, or earlier if that was asked for before.
     */
    @Override
    public void killAll(StopCause why, Duration most) {
        watch.stopAll(why, most);
    }

    /** Launches accepted whose {@link Ended} was not delivered yet. */
    @Override
    public int running() {
        return watch.size();
    }

    /**
     * What is kept of the output of a running or ended launch, until it is discarded; empty if there is none. Also of a launch that an
     * earlier daemon left in this directory, though what was cut from it before is not known any more.
     */
    @Override
    public Output output(LaunchId id) {
        return outputs.read(id);
    }

    /** Deletes the output: it is stored, or nobody wants it. Harmless if there is none. */
    @Override
    public void discardOutput(LaunchId id) {
        outputs.discard(id);
    }

    /** All launches of which there is output on disk, also those that an earlier daemon left there. */
    @Override
    public Set<LaunchId> outputs() {
        return outputs.onDisk();
    }

    /** What is wrong with the keeping of output; empty if nothing is. */
    @Override
    public Optional<String> outputProblem() {
        return outputs.isFull()
                ? Optional.of("the disk of data.dir is full: what commands write is lost; nothing else stops")
                : Optional.empty();
    }

    /** Why no process can be made, for people; empty if one can, as far as is known. */
    @Override
    public Optional<String> spawnProblem() {
        return forks.problem();
    }

    /** What keeps single commands from beginning, for people; empty if nothing does. */
    @Override
    public Optional<String> startProblem() {
        List<String> waits = watch.hindrances();
        return waits.isEmpty()
                ? Optional.empty()
                : Optional.of(waits.size() + (waits.size() == 1 ? " command has" : " commands have") + " not begun: "
                        + waits.stream().limit(SHOWN).collect(Collectors.joining("; "))
                        + (waits.size() > SHOWN ? "; and others" : ""));
    }

    /** Ends the threads. Does not kill: that is {@link #killAll}. Nothing is delivered after it. */
    @Override
    public void close() {
        forks.close();
        sweeper.shutdownNow();
        watch.close();
    }

    private void fork(Running command) {
        try {
            if (command.requests.why() != null) {
                notStarted(command, CommandWatch.NOT_WANTED);
            } else if (watch.isStuck(command.spec.workdir())) {
                notStarted(
                        command,
                        "its working directory " + command.spec.workdir()
                                + " does not answer, and a shell hangs there that cannot be killed");
            } else if (!guarded.getAsBoolean()) {
                if (command.making.end()) {
                    watch.tellUnguarded(command);
                }
            } else {
                make(command);
            }
        } catch (IOException e) {
            notStarted(command, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) { // whatever it is, somebody waits to hear of this launch
            LOG.warn("{} cannot be started", command.spec.launchId(), e);
            notStarted(command, String.valueOf(e.getMessage()));
        }
    }

    private void make(Running command) throws IOException {
        long bornTicks = Uptime.millis() / 10 - 1;
        Child child = shell.start(command.spec, command.making.gateDeadline(), fileFor(command.output));
        if (command.making.end()) {
            watch.tellStarted(command, child, bornTicks, nanos.getAsLong());
        } else {
            discard(command, child);
        }
    }

    private void notStarted(Running command, String why) {
        if (command.making.end()) {
            watch.tellNotStarted(command, why);
        }
    }

    /** A process that was made when its launch had been given up. Its gate lets nothing pass; it may be on its way to there. */
    private void discard(Running command, Child child) {
        ProcFs procFs = new ProcFs();
        Proc late = child.exit().isDone() ? null : procFs.process(child.pid());
        if (late != null && late.session() == child.pid()) {
            new Signals(procFs).kill(late);
        }
        CompletableFuture<Void> unused = child.exit().thenAccept(code -> outputs.discard(command.spec.launchId()));
    }

    /** Null if it cannot be made, for instance because the disk is full: then the command runs without. */
    private @Nullable Path fileFor(OutputFile output) {
        outputs.look(output);
        try {
            Files.newOutputStream(output.path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            return output.path;
        } catch (IOException e) {
            if (!outputs.isFull()) {
                LOG.warn("No output can be kept in {}: {}", output.path, e.toString());
            }
            output.lacksRoom();
            return null;
        }
    }

    private void sweepOutputs() {
        try {
            outputs.sweepOnce();
        } catch (RuntimeException e) {
            LOG.error("A sweep of the outputs failed; the next one follows", e);
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
