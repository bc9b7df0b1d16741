package dev.rowlock.control;

import dev.rowlock.access.Crowded;
import dev.rowlock.job.CommandOutput;
import dev.rowlock.job.CommandOutput.Stretch;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.OutputQueries;
import dev.rowlock.store.history.OutputQueries.Kept;
import dev.rowlock.store.task.RequestStore;
import dev.rowlock.store.task.Requests.RequestKind;
import dev.rowlock.store.task.TaskQueries;
import dev.rowlock.task.TaskView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The output of tasks: of commands on this node from its files; of others from the database, to which their node writes
 * while it is asked to. Thread-safe; closing it ends whoever is waiting.
 */
public final class TaskOutputs implements AutoCloseable {

    /** How often an output is in memory on its way from the database, or a file, to the client. */
    private static final int COPIES = 5;

    private static final Duration POLL = Duration.ofMillis(500);
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
    private final RunningCommands local;
    private final RequestMemory heap;
    private final long largest;
    private final LongSupplier nanoTime;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param largest how many bytes of an output this node keeps at most */
    public TaskOutputs(
            TaskQueries tasks,
            OutputQueries outputs,
            RequestStore requests,
            RunningCommands local,
            RequestMemory heap,
            long largest,
            LongSupplier nanoTime) {
        this.heap = heap;
        this.largest = largest;
        this.tasks = tasks;
        this.outputs = outputs;
        this.requests = requests;
        this.local = local;
        this.nanoTime = nanoTime;
    }

    /** Where output goes, and whose share of the memory it takes on its way. */
    public interface Sink {

        /** The caller who reads it. */
        String who();

        /** @throws IOException if nobody reads it any more */
        void write(byte[] bytes) throws IOException;

        /** What is to be written of an output that was read up to a position. */
        default Stretch next(long position, CommandOutput output) throws IOException {
            return output.marked(position);
        }

        /** There is nothing to be written for the moment. */
        default void idle() throws IOException {}

        /** Whether it takes no more. */
        default boolean isOver() {
            return false;
        }
    }

    /** @throws Refused the task ran, and only its node, which has not been heard of since, knows what it wrote */
    public void requireWithinReach(TaskView task) {
        if (task.isEnded()
                && task.node() != null
                && task.outputBytes() == null
                && isLost(task)
                && kept(task).isEmpty()) {
            throw new Refused(
                    Refused.Reason.NOT_FOUND,
                    "the output of task " + task.id() + " is on node " + task.node()
                            + ", which was lost; it is here once that node is back with its data directory");
        }
    }

    private static boolean isLost(TaskView task) {
        return Outcome.LOST.name().equals(task.outcome()) && task.startedAt() != null;
    }

    /** Writes what the task has written so far; waits a few seconds for another node to tell. */
    public void read(long id, long from, Sink sink) throws IOException {
        TaskView task = task(id);
        if (writeLocal(task, from, sink).isEmpty()) {
            Optional<Kept> kept = task.isExecuting() ? elsewhere(task) : ended(task);
            if (kept.isPresent()) {
                write(task, kept.get(), from, sink);
            }
        }
        sink.idle();
    }

    private Optional<Kept> elsewhere(TaskView task) {
        Optional<Instant> before = kept(task).map(Kept::writtenAt);
        ask(task);
        long askedNanos = nanoTime.getAsLong();
        while (!isOver(askedNanos, PATIENCE) && !isClosedAfter(POLL)) {
            Optional<Kept> kept = kept(task);
            if (kept.isPresent() && !kept.map(Kept::writtenAt).equals(before)) {
                return kept;
            }
        }
        return kept(task);
    }

    /** The output is stored a moment after the result. */
    private Optional<Kept> ended(TaskView task) {
        long sinceNanos = nanoTime.getAsLong();
        Optional<Kept> kept = kept(task);
        while (!isWhole(task, kept.orElse(null)) && !isOver(sinceNanos, LAST_WRITE) && !isClosedAfter(SOON)) {
            kept = kept(task);
        }
        return kept;
    }

    /** Writes what follows a position; answers the position that was reached. */
    private long write(TaskView task, Kept kept, long position, Sink sink) throws IOException {
        return kept.totalBytes() <= position
                ? position
                : write(kept.keptBytes(), () -> outputs.content(task.id(), kept.launchId()), position, sink)
                        .orElse(position);
    }

    /** The same of a command that this node executes; empty if it does not. */
    private OptionalLong writeLocal(TaskView task, long position, Sink sink) throws IOException {
        if (!task.isExecuting() || task.launchId() == null) {
            return OptionalLong.empty();
        }
        LaunchId launch = new LaunchId(task.launchId());
        return write(largest, () -> local.output(launch), position, sink);
    }

    private OptionalLong write(long bytes, Supplier<Optional<CommandOutput>> source, long position, Sink sink)
            throws IOException {
        try (RequestMemory.Part part = heap.take(sink.who(), COPIES * bytes)) {
            Stretch next = next(source.get(), position, sink);
            if (next == null) {
                return OptionalLong.empty();
            }
            if (next.bytes().length > 0) {
                part.keepOnly(next.bytes().length);
                sink.write(next.bytes());
            }
            return OptionalLong.of(next.end());
        }
    }

    /** All that stays in memory while a client reads it; null: there is no output. */
    private static @Nullable Stretch next(Optional<CommandOutput> output, long position, Sink sink) throws IOException {
        return output.isEmpty() ? null : sink.next(position, output.get());
    }

    private static boolean isWhole(TaskView task, @Nullable Kept kept) {
        long written = task.outputBytes() == null ? 0 : task.outputBytes();
        return written == 0 || (kept != null && kept.totalBytes() >= written);
    }

    /** Writes what the task writes until it has ended, this is closed, or an hour is over. */
    public void follow(long id, long from, Sink sink) throws IOException {
        long startedNanos = nanoTime.getAsLong();
        long position = from;
        Following state = new Following();
        do {
            TaskView task = task(id);
            position = writeOn(task, state, position, sink);
            sink.idle();
            if (task.isEnded() && isComplete(task, state, position)) {
                return;
            }
        } while (!sink.isOver() && !isClosedAfter(POLL) && !isOver(startedNanos, LONGEST));
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /** Answers the position that was reached: the same one too when there is no memory for more just now. */
    private long writeOn(TaskView task, Following state, long position, Sink sink) throws IOException {
        try {
            OptionalLong here = writeLocal(task, position, sink);
            return here.isPresent() ? here.getAsLong() : writeFromDatabase(task, state, position, sink);
        } catch (Refused e) {
            if (e.reason() != Refused.Reason.BUSY) {
                throw e;
            }
            return position;
        } catch (Crowded e) {
            return position; // its caller's share of the memory is taken
        }
    }

    /** What one who follows remembers from one poll to the next. */
    private static final class Following {
        @Nullable
        Long askedNanos;

        @Nullable
        Long endedNanos;

        @Nullable
        Kept kept;
    }

    private long writeFromDatabase(TaskView task, Following state, long position, Sink sink) throws IOException {
        if (task.isExecuting() && (state.askedNanos == null || isOver(state.askedNanos, RENEW))) {
            ask(task);
            state.askedNanos = nanoTime.getAsLong();
        }
        Kept kept = kept(task).orElse(null);
        state.kept = kept;
        return kept == null ? position : write(task, kept, position, sink);
    }

    /** Whether the last of the output of an ended task has been written: it is stored after the end. */
    private boolean isComplete(TaskView task, Following state, long position) {
        if (isWhole(task, state.kept) && (state.kept == null || position >= state.kept.totalBytes())) {
            return true;
        }
        if (state.endedNanos == null) {
            state.endedNanos = nanoTime.getAsLong();
        }
        return isOver(state.endedNanos, LAST_WRITE);
    }

    /** What is kept of this launch of the task, not of one that was lost before it. */
    private Optional<Kept> kept(TaskView task) {
        return outputs.find(task.id()).filter(kept -> kept.launchId().equals(task.launchId()));
    }

    private void ask(TaskView task) {
        if (task.session() != null && task.launchId() != null) {
            requests.ask(task.session(), new LaunchId(task.launchId()), RequestKind.FOLLOW);
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
