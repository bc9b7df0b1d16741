package dev.rowlock.alert.send;

import dev.rowlock.alert.store.Outbox.Claimed;
import dev.rowlock.alert.store.Outbox.Due;
import dev.rowlock.alert.store.Outbox.MessageKind;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of one kind that are on their way: a limited number, and one to each destination, so that a slow or dead
 * destination delays itself alone. The loop hands them out and records their results; only the sending itself is done
 * by other threads.
 */
final class Lane {

    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private final MessageKind kind;
    private final int most;
    private final Executor executor;
    private final Set<String> busy = new HashSet<>();
    private final LinkedBlockingQueue<SendResult> done = new LinkedBlockingQueue<>();

    /**
     * Creates a lane.
     *
     * @param most number that is sent at once
     */
    Lane(MessageKind kind, int most, Executor executor) {
        this.kind = kind;
        this.most = most;
        this.executor = executor;
    }

    /** Single attempt to send a message. */
    interface SendAttempt {
        void send() throws NotSent;
    }

    /**
     * Result of an attempt.
     *
     * @param problem why it was not taken; null: it was
     */
    record SendResult(
            Claimed message, String destination, @Nullable String problem) {}

    MessageKind kind() {
        return kind;
    }

    boolean hasRoom() {
        return busy.size() < most;
    }

    boolean isEmpty() {
        return busy.isEmpty();
    }

    /** Returns the destinations to which something is being sent. */
    Set<String> busy() {
        return busy;
    }

    void start(Due due, Claimed message, SendAttempt attempt) {
        busy.add(due.destination());
        executor.execute(() -> {
            String problem = "an unexpected error, which is in the log of this node";
            try {
                attempt.send();
                problem = null;
            } catch (NotSent e) {
                problem = e.reason();
            } catch (RuntimeException e) {
                log.error("sending message {} to {} failed unexpectedly", message.id(), due.destination(), e);
            } finally {
                done.add(new SendResult(message, due.destination(), problem)); // or the destination stays busy for ever
            }
        });
    }

    /** Returns the first of what has ended; it stays until {@link #recorded}. Null: nothing has. */
    @Nullable
    SendResult ended() {
        return done.peek();
    }

    /** Frees the destination of what ended first. */
    void recorded() {
        SendResult first = done.remove();
        busy.remove(first.destination());
    }

    /** Waits for something to end, and returns false if nothing has by then. */
    boolean await(long nanos) throws InterruptedException {
        SendResult first = done.poll(nanos, TimeUnit.NANOSECONDS);
        return first != null && done.add(first);
    }
}
