package dev.rowlock.exec.output;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Output of a process and all that it has started, on its way through a pipe to a sink. Thread-safe. */
public interface Outflow {

    /** Outflow without output. */
    Outflow NONE = new Outflow() {
        @Override
        public CompletableFuture<Void> end() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public boolean hasUnread() {
            return false;
        }

        @Override
        public void close() {}
    };

    /** Receiver of output. */
    @FunctionalInterface
    interface Sink {
        /** Takes all bytes; must not throw. They are valid until it returns. */
        void take(ByteBuffer bytes);
    }

    /**
     * Returns a future that completes when nobody can write any more and the sink has taken everything, or when this
     * was closed.
     */
    CompletableFuture<Void> end();

    /** Returns whether something was written that the sink has not taken yet. Waits for nothing. */
    boolean hasUnread();

    /** Closes the pipe: the kernel tells whoever writes from now on. May be repeated; waits for nothing. */
    void close();
}
