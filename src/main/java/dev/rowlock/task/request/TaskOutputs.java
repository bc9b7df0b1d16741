package dev.rowlock.task.request;

import dev.rowlock.access.Crowded;
import dev.rowlock.definition.Outcome;
import dev.rowlock.http.Refused;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.CommandOutput.Stretch;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.history.OutputQueries;
import dev.rowlock.task.history.OutputQueries.KeptOutput;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rerun.RequestStore;
import dev.rowlock.task.rerun.Requests.RequestKind;
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
 * Output of tasks: of commands on this node from its files; of others from the database, to which their node writes on
 * request. Thread-safe; closing it ends whoever is waiting.
 */
public final class TaskOutputs implements AutoCloseable {

    /** Copies of an output in memory on its way from the database, or a file, to the client. */
    private static final int COPIES = 5;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SOON = Duration.ofMillis(50);
    /** Time that another node may take to write what its command has written so far: a heartbeat or two. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    /** Time to wait for the output of an ended task, which is written after its result. */
    private static final Duration LAST_WRITE = Duration.ofSeconds(3);
    /** Interval of repeating a request to follow, which holds for 15 seconds. */
    private static final Duration RENEW = Duration.ofSeconds(4);
    /** Longest duration of following, so that a client that vanished is not served forever. */
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

    /** Destination of output, and the caller whose share of memory it takes on its way. */
    public interface FollowSink {

        /** Returns the caller who reads it. */
        String who();

        /** @throws IOException if nobody reads it any more */
        void write(byte[] bytes) throws IOException;

        /** Returns the next stretch to write after a position. */
        default Stretch next(long position, CommandOutput output) throws IOException {
            return output.marked(position);
        }

        /** Notes that there is nothing to write for the moment. */
        default void idle() throws IOException {}

        /** Returns whether no more is accepted. */
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

    /** Writes the output so far; waits a few seconds for another node's. */
    public void read(long id, long from, FollowSink sink) throws IOException {
        TaskView task = task(id);
        if (writeLocal(task, from, sink).isEmpty()) {
            Optional<KeptOutput> kept = task.isExecuting() ? elsewhere(task) : ended(task);
            if (kept.isPresent()) {
                write(task, kept.get(), from, sink);
            }
        }
        sink.idle();
    }

    private Optional<KeptOutput> elsewhere(TaskView task) {
        Optional<Instant> before = kept(task).map(KeptOutput::writtenAt);
        ask(task);
        long askedNanos = nanoTime.getAsLong();
        while (!isOver(askedNanos, PATIENCE) && !isClosedAfter(POLL)) {
            Optional<KeptOutput> kept = kept(task);
            if (kept.isPresent() && !kept.map(KeptOutput::writtenAt).equals(before)) {
                return kept;
            }
        }
        return kept(task);
    }

    /** Returns the kept output of an ended task, which is stored a moment after its result. */
    private Optional<KeptOutput> ended(TaskView task) {
        long sinceNanos = nanoTime.getAsLong();
        Optional<KeptOutput> kept = kept(task);
        while (!isWhole(task, kept.orElse(null)) && !isOver(sinceNanos, LAST_WRITE) && !isClosedAfter(SOON)) {
            kept = kept(task);
        }
        return kept;
    }

    /** Writes what follows a position. Returns the position reached. */
    private long write(TaskView task, KeptOutput kept, long position, FollowSink sink) throws IOException {
        return kept.totalBytes() <= position
                ? position
                : write(kept.keptBytes(), () -> outputs.content(task.id(), kept.launchId()), position, sink)
                        .orElse(position);
    }

    /**
     * Writes the output of a command that this node executes. Returns the position reached; empty if there is no such
     * command.
     */
    private OptionalLong writeLocal(TaskView task, long position, FollowSink sink) throws IOException {
        if (!task.isExecuting() || task.launchId() == null) {
            return OptionalLong.empty();
        }
        LaunchId launch = new LaunchId(task.launchId());
        return write(largest, () -> local.output(launch), position, sink);
    }

    private OptionalLong write(long bytes, Supplier<Optional<CommandOutput>> source, long position, FollowSink sink)
            throws IOException {
        try (MemoryShare part = heap.take(sink.who(), COPIES * bytes)) {
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

    /**
     * Returns the next stretch, which is all that stays in memory while a client reads it; null if there is no output.
     */
    private static @Nullable Stretch next(Optional<CommandOutput> output, long position, FollowSink sink)
            throws IOException {
        return output.isEmpty() ? null : sink.next(position, output.get());
    }

    private static boolean isWhole(TaskView task, @Nullable KeptOutput kept) {
        long written = task.outputBytes() == null ? 0 : task.outputBytes();
        return written == 0 || (kept != null && kept.totalBytes() >= written);
    }

    /** Writes the output until the task has ended, this is closed, or an hour is over. */
    public void follow(long id, long from, FollowSink sink) throws IOException {
        long startedNanos = nanoTime.getAsLong();
        long position = from;
        FollowState state = new FollowState();
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

    /**
     * Writes what follows a position. Returns the position reached, which is unchanged if there is no memory just now.
     */
    private long writeOn(TaskView task, FollowState state, long position, FollowSink sink) throws IOException {
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

    /** State of a follower between two polls. */
    private static final class FollowState {
        @Nullable
        Long askedNanos;

        @Nullable
        Long endedNanos;

        @Nullable
        KeptOutput kept;
    }

    private long writeFromDatabase(TaskView task, FollowState state, long position, FollowSink sink)
            throws IOException {
        if (task.isExecuting() && (state.askedNanos == null || isOver(state.askedNanos, RENEW))) {
            ask(task);
            state.askedNanos = nanoTime.getAsLong();
        }
        KeptOutput kept = kept(task).orElse(null);
        state.kept = kept;
        return kept == null ? position : write(task, kept, position, sink);
    }

    /** Returns whether the last output of an ended task was written: it is stored after the end. */
    private boolean isComplete(TaskView task, FollowState state, long position) {
        if (isWhole(task, state.kept) && (state.kept == null || position >= state.kept.totalBytes())) {
            return true;
        }
        if (state.endedNanos == null) {
            state.endedNanos = nanoTime.getAsLong();
        }
        return isOver(state.endedNanos, LAST_WRITE);
    }

    /** Returns the kept output of this launch of the task, not of an earlier, lost one. */
    private Optional<KeptOutput> kept(TaskView task) {
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
