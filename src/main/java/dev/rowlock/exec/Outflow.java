package dev.rowlock.exec;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What a process and all that it has started write, on its way through a pipe to whoever keeps it. Thread-safe. */
interface Outflow {

    /** The outflow of what writes nothing. */
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

    /** Keeps what is written. */
    @FunctionalInterface
    interface Sink {
        /** Takes all of it; must not throw. The bytes are valid until it returns. */
        void take(ByteBuffer bytes);
    }

    /** Completed when nobody can write any more and the sink has taken everything, or when it was closed. */
    CompletableFuture<Void> end();

    /** Returns whether something was written that the sink has not taken yet. Waits for nothing. */
    boolean hasUnread();

    /** Closes it: whoever writes from now on is told so by the kernel. May be repeated; waits for nothing. */
    void close();
}
