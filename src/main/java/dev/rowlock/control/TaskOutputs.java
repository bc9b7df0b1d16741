package dev.rowlock.control;

import dev.rowlock.job.CommandOutput;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.OutputQueries;
import dev.rowlock.store.OutputQueries.Kept;
import dev.rowlock.store.RequestStore;
import dev.rowlock.store.Requests.Kind;
import dev.rowlock.store.TaskQueries;
import dev.rowlock.store.TaskView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The output of tasks, wherever they are: of this node from its files, of another from the database, to which that node writes it as long as it
 * is asked to, of what has ended from the database. For use by several threads; closing it ends whoever is waiting.
 */
public final class TaskOutputs implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration SOON = Duration.ofMillis(50);
    /** How long another node may take to write what its command has written so far: a heartbeat or two. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    /** The output of a task is written after its result; how long to wait for it. */
    private static final Duration LAST_WRITE = Duration.ofSeconds(3);
    /** A request to follow holds for 15 seconds. */
    private static final Duration RENEW = Duration.ofSeconds(4);
    /** So that nobody who went away unnoticed is served for ever. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final TaskQueries tasks;
    private final OutputQueries outputs;
    private final RequestStore requests;
    private final LocalTasks local;
    private final LongSupplier nanoTime;
    private final CountDownLatch closed = new CountDownLatch(1);

    public TaskOutputs(
            TaskQueries tasks, OutputQueries outputs, RequestStore requests, LocalTasks local, LongSupplier nanoTime) {
        this.tasks = tasks;
        this.outputs = outputs;
        this.requests = requests;
        this.local = local;
        this.nanoTime = nanoTime;
    }

    /** Where followed output goes. */
    @FunctionalInterface
    public interface Sink {
        /** @throws IOException if nobody reads it any more */
        void write(byte[] bytes) throws IOException;
    }

    /** What the task has written so far; waits a few seconds for another node to tell. */
    public CommandOutput read(long id) {
        TaskView task = task(id);
        Optional<CommandOutput> here = here(task);
        if (here.isPresent()) {
            return here.get();
        }
        if (!task.isExecuting()) {
            return ended(task);
        }
        Optional<Instant> before = kept(task).map(Kept::writtenAt);
        ask(task);
        long askedNanos = nanoTime.getAsLong();
        while (!isOver(askedNanos, PATIENCE) && !isClosedAfter(LOOK)) {
            Optional<Kept> kept = kept(task);
            if (kept.isPresent() && !kept.map(Kept::writtenAt).equals(before)) {
                return kept.get().output();
            }
        }
        return kept(task).map(Kept::output).orElse(CommandOutput.NONE);
    }

    /** The output is stored a moment after the result. */
    private CommandOutput ended(TaskView task) {
        long sinceNanos = nanoTime.getAsLong();
        Optional<Kept> kept = kept(task);
        while (!isWhole(task, kept.orElse(null)) && !isOver(sinceNanos, LAST_WRITE) && !isClosedAfter(SOON)) {
            kept = kept(task);
        }
        return kept.map(Kept::output).orElse(CommandOutput.NONE);
    }

    private static boolean isWhole(TaskView task, @Nullable Kept kept) {
        long written = task.outputBytes() == null ? 0 : task.outputBytes();
        return written == 0 || (kept != null && kept.output().totalBytes() >= written);
    }

    /**
     * Writes what the task has written and goes on until it has ended, this is closed, or an hour is over.
     *
     * @throws IOException if nobody reads it any more
     */
    public void follow(long id, Sink sink) throws IOException {
        long startedNanos = nanoTime.getAsLong();
        long position = 0;
        Following state = new Following();
        do {
            TaskView task = task(id);
            CommandOutput output = here(task).orElseGet(() -> fromDatabase(task, state));
            if (output.totalBytes() > position) {
                sink.write(output.after(position));
                position = output.totalBytes();
            }
            if (task.isEnded() && isComplete(task, state)) {
                return;
            }
        } while (!isClosedAfter(LOOK) && !isOver(startedNanos, LONGEST));
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /** What one who follows remembers from one look to the next. */
    private static final class Following {
        @Nullable
        Long askedNanos;

        @Nullable
        Long endedNanos;

        @Nullable
        Kept kept;
    }

    private CommandOutput fromDatabase(TaskView task, Following state) {
        if (task.isExecuting() && (state.askedNanos == null || isOver(state.askedNanos, RENEW))) {
            ask(task);
            state.askedNanos = nanoTime.getAsLong();
        }
        Kept kept = kept(task).orElse(null);
        state.kept = kept;
        return kept == null ? CommandOutput.NONE : kept.output();
    }

    /** Whether the last of the output of an ended task has been seen: it is written after the end. */
    private boolean isComplete(TaskView task, Following state) {
        if (isWhole(task, state.kept)) {
            return true;
        }
        if (state.endedNanos == null) {
            state.endedNanos = nanoTime.getAsLong();
        }
        return isOver(state.endedNanos, LAST_WRITE);
    }

    private Optional<CommandOutput> here(TaskView task) {
        return task.isExecuting() && task.launchId() != null
                ? local.output(new LaunchId(task.launchId()))
                : Optional.empty();
    }

    /** What is kept of this launch of the task, not of one that was lost before it. */
    private Optional<Kept> kept(TaskView task) {
        return outputs.find(task.id()).filter(kept -> kept.launchId().equals(task.launchId()));
    }

    private void ask(TaskView task) {
        if (task.session() != null && task.launchId() != null) {
            requests.ask(task.session(), new LaunchId(task.launchId()), Kind.FOLLOW);
        }
    }

    private TaskView task(long id) {
        return tasks.find(id).orElseThrow(() -> Tasks.notFound(id));
    }

    private boolean isOver(long sinceNanos, Duration time) {
        return nanoTime.getAsLong() - sinceNanos >= time.toNanos();
    }

    private boolean isClosedAfter(Duration time) {
        try {
            return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
