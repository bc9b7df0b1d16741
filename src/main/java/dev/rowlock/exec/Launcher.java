package dev.rowlock.exec;

import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.output.OutputDirectory;
import dev.rowlock.exec.output.OutputFile;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start and end of commands. Thread-safe. Its threads are daemons: two that fork, one that follows the commands, one
 * that keeps output within bounds, so that a slow disk delays no KILL, and a small one for each process.
 */
public final class Launcher implements Processes {

    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);
    private static final int SHOWN = 5;

    private final LongSupplier nanos;
    private final BooleanSupplier guarded;
    private final ProcessStarter starter;
    private final OutputDirectory outputs;
    private final CommandWatch watch;
    private final Duration startWithin;
    private final Forks forks;
    private final Refusals refusals = new Refusals();
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(named("rowlock-output"));

    /**
     * @param outputDir where output files are kept, made if missing; one launcher for each directory
     * @param method must have no {@link SpawnMethod#problem()}
     * @param nanos monotonic, like {@link System#nanoTime()}
     * @param guarded asked before each start; while it answers false, nothing is started
     * @param ended called once for each launch, on the one thread that follows all: it must not block
     * @throws UncheckedIOException if the directory cannot be made or written
     */
    public Launcher(
            Path outputDir,
            OutputLimits limits,
            SpawnMethod method,
            LongSupplier nanos,
            BooleanSupplier guarded,
            Consumer<Ended> ended) {
        this(
                outputs(outputDir, limits),
                shell(outputDir, method),
                nanos,
                guarded,
                ended,
                Gate.WITHIN,
                new ProcessSignals(new ProcFs()));
    }

    /** Starter of processes, implemented by {@link Shell}. */
    public interface ProcessStarter {

        /** Prepares for the first start, on the thread that will make it. */
        void prepare();

        /** Returns the file that a shell reads until it has passed the gate. */
        Path gate();

        /** Starts a process, see {@link Shell#start}. */
        Child start(LaunchSpec spec, long gateDeadlineMillis, Outflow.Sink output) throws IOException;

        /** Creates a process that does nothing, or throws with the reason why there can be none. */
        void probe() throws IOException;
    }

    /**
     * @param startWithin the time for a command to begin; what has not is given up and killed
     * @param signals used by the thread that follows the commands
     */
    Launcher(
            OutputDirectory outputs,
            ProcessStarter starter,
            LongSupplier nanos,
            BooleanSupplier guarded,
            Consumer<Ended> ended,
            Duration startWithin,
            ProcessSignals signals) {
        this.nanos = nanos;
        this.startWithin = startWithin;
        this.guarded = guarded;
        this.outputs = outputs;
        this.starter = starter;
        this.forks = new Forks(nanos, named("rowlock-fork"), starter::prepare);
        this.watch = new CommandWatch(nanos, signals, starter.gate(), forks::relieve, outputs::check, how -> {
            if (how.kind() != ExitKind.EXITED) {
                outputs.discard(how.launchId()); // there is none, and nobody else may come to ask for it
            }
            ended.accept(how);
        });
        named("rowlock-commands").newThread(watch).start();
        ScheduledFuture<?> unused = sweeper.scheduleWithFixedDelay(this::sweepOutputs, 1, 1, TimeUnit.SECONDS);
    }

    static OutputDirectory outputs(Path directory, OutputLimits limits) {
        try {
            Files.createDirectories(directory);
            return new OutputDirectory(directory, limits);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    static Shell shell(Path directory, SpawnMethod method) {
        try {
            return new Shell(directory.resolve("gate.sh"), method);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static UncheckedIOException unusable(Path directory, IOException e) {
        return new UncheckedIOException(
                "the directory for output, " + directory + ", cannot be used: " + e.getMessage(), e);
    }

    /** @throws IllegalStateException if that launch is running already */
    @Override
    public void start(LaunchSpec spec) {
        OutputFile output = outputs.of(spec.launchId(), !spec.secrets().isEmpty());
        Running command = new Running(spec, output, startWithin);
        if (!watch.accept(command)) {
            throw new IllegalStateException("launch " + spec.launchId() + " is running already");
        }
        try {
            forks.make(command, this::fork);
        } catch (OutOfMemoryError e) { // its threads are made when they are first needed
            if (command.making.cancel()) {
                refused(command, String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public boolean kill(LaunchId id, StopCause why) {
        return watch.stop(id, why);
    }

    @Override
    public void killAll(StopCause why, Duration most) {
        watch.stopAll(why, most);
    }

    @Override
    public int running() {
        return watch.size();
    }

    @Override
    public CommandOutput output(LaunchId id) {
        return outputs.read(id);
    }

    @Override
    public void discardOutput(LaunchId id) {
        outputs.discard(id);
    }

    @Override
    public Set<LaunchId> outputs() {
        return outputs.onDisk();
    }

    @Override
    public Optional<String> outputProblem() {
        return outputs.problem().map(why -> why + ": what commands write is lost; nothing else stops");
    }

    @Override
    public Optional<String> spawnProblem() {
        return forks.problem().or(refusals::problem);
    }

    @Override
    public Optional<String> startProblem() {
        List<String> waits = watch.hindrances();
        return waits.isEmpty()
                ? Optional.empty()
                : Optional.of(waits.size() + (waits.size() == 1 ? " command has" : " commands have") + " not begun: "
                        + waits.stream().limit(SHOWN).collect(Collectors.joining("; "))
                        + (waits.size() > SHOWN ? "; and others" : ""));
    }

    @Override
    public void close() {
        forks.close();
        sweeper.shutdownNow();
        watch.close();
    }

    private void fork(Running command) {
        try {
            Optional<String> objection = watch.objection(command);
            if (objection.isPresent()) {
                notStarted(command, objection.get());
            } else if (!guarded.getAsBoolean()) {
                if (command.making.end()) {
                    watch.tell(command, command::unguarded);
                }
            } else {
                make(command);
            }
        } catch (HostRefused e) {
            if (command.making.end()) {
                refused(command, String.valueOf(e.getMessage()));
            }
        } catch (IOException e) {
            notStarted(command, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) { // whatever it is, somebody waits to hear of this launch
            LOG.warn("{} cannot be started", command.spec.launchId(), e);
            notStarted(command, String.valueOf(e.getMessage()));
        }
    }

    private void make(Running command) throws IOException {
        LaunchSpec spec = command.spec.withSecretsKnown(command.output);
        long bornTicks = Uptime.millis() / 10 - 1;
        outputs.make(command.output);
        if (!command.making.spawn()) {
            outputs.discard(command.spec.launchId());
            return;
        }
        long asked = nanos.getAsLong();
        Child child = starter.start(spec, command.making.gateDeadline(), command.output);
        refusals.end();
        command.output.follow(child.outflow());
        if (command.making.end()) {
            watch.tellStarted(command, child, bornTicks, asked, nanos.getAsLong());
        } else {
            discard(command, child);
        }
    }

    private void refused(Running command, String why) {
        refusals.add(why);
        watch.tell(command, now -> command.hostRefused(why, now));
    }

    private void notStarted(Running command, String why) {
        if (command.making.end()) {
            watch.tell(command, now -> command.notStarted(why, now));
        }
    }

    /** Kills the process of a launch that was given up meanwhile. It may not have come to its gate yet. */
    private void discard(Running command, Child child) {
        ProcFs procFs = new ProcFs();
        Proc late = child.exit().isDone() ? null : procFs.process(child.pid());
        if (late != null && late.session() == child.pid()) {
            new ProcessSignals(procFs).kill(late);
        }
        CompletableFuture<Void> unused = child.exit().thenAccept(code -> {
            outputs.discard(command.spec.launchId());
            child.outflow().close();
            child.provision().takeBack();
        });
    }

    private void sweepOutputs() {
        try {
            outputs.sweepOnce();
            refusals.tryAgain(starter);
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

    /** Number of starts in a row that the host has refused. Thread-safe. */
    private static final class Refusals {

        private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
        /** Number of refusals in a row that are no accident. */
        private static final int MANY = 3;

        private final AtomicInteger count = new AtomicInteger();
        private volatile String last = "";

        void add(String why) {
            last = why;
            if (count.incrementAndGet() == MANY) {
                LOG.warn(
                        "The host has refused {} starts in a row; nothing is started until one succeeds: {}",
                        MANY,
                        why);
            }
        }

        /** Resets the count, as a process was created. */
        void end() {
            count.set(0);
        }

        /** Returns why none can be created, for people; empty if one can, as far as is known. */
        Optional<String> problem() {
            return count.get() < MANY ? Optional.empty() : Optional.of("no process can be made on this host: " + last);
        }

        /** Tries again: while nothing is started, only an attempt shows that it would work. */
        void tryAgain(Launcher.ProcessStarter starter) {
            if (count.get() >= MANY) {
                try {
                    starter.probe();
                    end();
                    LOG.info("The host makes processes again");
                } catch (IOException e) {
                    last = String.valueOf(e.getMessage());
                }
            }
        }
    }
}
