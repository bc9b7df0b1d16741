package dev.rowlock.node;

import dev.rowlock.task.Ending;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Traces of what this node runs, if it is configured to make some. Called for every task: it must not block. */
public interface TaskTraces extends AutoCloseable {

    /** Implementation that makes none. */
    TaskTraces NONE = new TaskTraces() {
        @Override
        public @Nullable String started(Executing task, Instant now) {
            return null;
        }

        @Override
        public @Nullable String ended(Executing task, @Nullable Ending ending) {
            return null;
        }

        @Override
        public void close() {}
    };

    /**
     * Begins the trace of a command that is about to be handed to the launcher.
     *
     * @param now by the database's clock
     * @return trace context for the command, as {@code TRACEPARENT}; null: none
     */
    @Nullable
    String started(Executing task, Instant now);

    /**
     * Ends the trace of a task.
     *
     * @param ending null: it was never tried
     * @return the id of its trace; null: it has none
     */
    @Nullable
    String ended(Executing task, @Nullable Ending ending);

    /** Exports what is left, for a moment. */
    @Override
    void close();
}
