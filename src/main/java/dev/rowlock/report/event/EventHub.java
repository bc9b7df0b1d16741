package dev.rowlock.report.event;

import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hub that sends events to all listeners on this node. It has no thread: one waiting listener at a time looks for all,
 * every second or two; without listeners, nobody looks. Thread-safe; closing it ends all listeners.
 */
public final class EventHub implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EventHub.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    /**
     * Rest after a look that found something, which takes a second statement: listening costs one statement a second.
     */
    private static final Duration BUSY = Duration.ofSeconds(2);
    /** Bound on the queue of a slow listener, which is dropped beyond it. Listeners share the texts. */
    private static final int MOST_BYTES = 8 << 20;

    private static final int MOST_EVENTS = 20_000;
    private static final int AT_ONCE = 64 << 10;
    /** Rest as a multiple of the time that a look took, so that listeners do not slow down a busy database. */
    private static final int RESTS_PER_LOOK = 20;

    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    private final Events events;
    private final Function<Event, byte[]> form;
    private final LongSupplier nanoTime;
    private final Set<Listener> listeners = new HashSet<>();
    private EventWatch watch;
    private boolean looking;
    private boolean failing;
    private boolean closed;
    private long nextNanos;
    private volatile Duration rest = PERIOD;

    /** @param form an event as it is sent */
    public EventHub(Events events, Function<Event, byte[]> form, LongSupplier nanoTime) {
        this.events = events;
        this.form = form;
        this.nanoTime = nanoTime;
        this.watch = new EventWatch(events);
    }

    /** Event as it is sent. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Text(Event event, byte[] bytes) {}

    /** Listener, from its creation to its closing. For one thread. */
    public final class Listener implements AutoCloseable {

        private final Event.Filter filter;
        private final Deque<Text> queue = new ArrayDeque<>();
        private final Set<String> replayed = new HashSet<>();
        private long bytes;
        private boolean dropped;

        private Listener(Event.Filter filter) {
            this.filter = filter;
        }

        /**
         * Returns what to send next, and waits for it if there is nothing; events that came together are sent together.
         *
         * @return no bytes: nothing happened for so long; empty: it is over, as this node stops or the listener was
         *     too slow
         */
        public Optional<byte[]> await(Duration patience) {
            long endNanos = nanoTime.getAsLong() + patience.toNanos();
            while (true) {
                Turn turn = turn(this, endNanos);
                if (turn == Turn.OVER) {
                    return Optional.empty();
                }
                if (turn == Turn.SEND) {
                    return take();
                }
                if (turn == Turn.NOTHING) {
                    return Optional.of(new byte[0]);
                }
                if (turn == Turn.LOOK) {
                    look();
                }
            }
        }

        /** Takes events together, as separate writes would cost more than the events. */
        private Optional<byte[]> take() {
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            synchronized (EventHub.this) {
                if (queue.isEmpty()) { // dropped, since it was this one's turn
                    return Optional.empty();
                }
                do {
                    byte[] next = queue.remove().bytes;
                    together.writeBytes(next);
                    bytes -= next.length;
                } while (!queue.isEmpty() && together.size() + queue.element().bytes.length <= AT_ONCE);
            }
            return Optional.of(together.toByteArray());
        }

        private void tell(Text text) {
            if (dropped || !filter.matches(text.event) || replayed.contains(text.event.id())) {
                return;
            }
            if (queue.size() >= MOST_EVENTS || bytes + text.bytes.length > MOST_BYTES) {
                dropped = true;
                queue.clear();
                return;
            }
            queue.add(text);
            bytes += text.bytes.length;
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    private enum Turn {
        SEND,
        LOOK,
        AGAIN,
        NOTHING,
        OVER
    }

    /**
     * Starts listening.
     *
     * @param seen when the last event happened that was seen before; null: there was none, or it does not matter
     * @throws Refused this node stops
     */
    public Listener listen(Event.Filter filter, @Nullable Instant seen) {
        Listener listener = new Listener(filter);
        synchronized (this) {
            if (closed) {
                throw new Refused(Reason.BUSY, "this node stops");
            }
            listeners.add(listener);
        }
        try {
            begin();
            if (seen != null) {
                replay(listener, seen);
            }
            return listener;
        } catch (RuntimeException e) {
            leave(listener);
            throw e;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Sends past events first. Those since the start of listening are in the queue already, and are not sent twice. */
    private void replay(Listener listener, Instant seen) {
        List<Text> texts = events.since(seen).stream().map(this::text).toList();
        synchronized (this) {
            List<Text> since = new ArrayList<>(listener.queue);
            listener.queue.clear();
            listener.bytes = 0;
            for (Text text : texts) {
                // Beyond what may wait it would be dropped, and come back for the same.
                if (listener.bytes + text.bytes.length > MOST_BYTES / 2) {
                    listener.tell(text(Events.gap(Objects.requireNonNull(Event.timeOf(text.event.id())), seen)));
                    break;
                }
                listener.tell(text);
                listener.replayed.add(text.event.id());
            }
            since.forEach(listener::tell);
        }
    }

    /** Begins the watch before any question, so that whatever happens after that is told. */
    private void begin() {
        synchronized (this) {
            while (looking && !watch.hasBegun()) {
                await(PERIOD);
            }
            if (watch.hasBegun()) {
                return;
            }
            looking = true;
        }
        try {
            watch.begin();
        } finally {
            looked();
        }
    }

    private synchronized Turn turn(Listener listener, long endNanos) {
        if (closed || listener.dropped) {
            return Turn.OVER;
        }
        if (!listener.queue.isEmpty()) {
            return Turn.SEND;
        }
        long now = nanoTime.getAsLong();
        if (!looking && now - nextNanos >= 0) {
            looking = true;
            return Turn.LOOK;
        }
        if (now - endNanos >= 0) {
            return Turn.NOTHING;
        }
        long until = looking ? endNanos - now : Math.min(endNanos - now, nextNanos - now);
        await(Duration.ofNanos(until));
        return Turn.AGAIN;
    }

    private void look() {
        long since = nanoTime.getAsLong();
        try {
            List<Text> found = watch.next().stream().map(this::text).toList();
            Duration took = Duration.ofNanos(nanoTime.getAsLong() - since);
            rest = watch.hasMore() ? PERIOD : rest(found.isEmpty() ? PERIOD : BUSY, took);
            synchronized (this) {
                found.forEach(text -> listeners.forEach(listener -> listener.tell(text)));
                if (failing) {
                    log.info("events are read again");
                }
                failing = false;
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                if (!failing) {
                    log.warn("events cannot be read, and who listens has to wait: {}", e.toString());
                }
                failing = true;
            }
        } finally {
            looked();
        }
    }

    private static Duration rest(Duration usual, Duration took) {
        Duration fair = took.multipliedBy(RESTS_PER_LOOK);
        return fair.compareTo(usual) < 0 ? usual : fair.compareTo(LONGEST_REST) < 0 ? fair : LONGEST_REST;
    }

    private synchronized void looked() {
        looking = false;
        nextNanos = nanoTime.getAsLong() + rest.toNanos();
        notifyAll();
    }

    private synchronized void leave(Listener listener) {
        listeners.remove(listener);
        if (listeners.isEmpty()) {
            watch = new EventWatch(events); // who comes next hears of nothing that happened meanwhile
        }
        notifyAll();
    }

    private Text text(Event event) {
        return new Text(event, form.apply(event));
    }

    private void await(Duration time) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, time.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }
}
