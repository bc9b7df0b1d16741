package dev.rowlock.engine;

import dev.rowlock.task.Ending;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Traces of what this node runs, if it is told to make some. Called for every task: it must not wait for anything. */
public interface TaskTraces extends AutoCloseable {

    /** Makes none. */
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
     * A command is about to be handed to the launcher.
     *
     * @param now by the database's clock
     * @return what the command is to know of its trace, as {@code TRACEPARENT}; null: nothing
     */
    @Nullable
    String started(Executing task, Instant now);

    /**
     * It has ended.
     *
     * @param ending null: it was never tried
     * @return the id of its trace; null: it has none
     */
    @Nullable
    String ended(Executing task, @Nullable Ending ending);

    /** Hands on what is left, for a moment. */
    @Override
    void close();
}
