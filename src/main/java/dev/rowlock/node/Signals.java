package dev.rowlock.node;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Signals between the agents of a node, which need not know each other. Made before any of them. Listeners run on the
 * signalling thread, in the order in which they were added, and must not block. Thread-safe.
 */
public final class Signals {

    private final Map<Signal, List<Runnable>> listeners = new EnumMap<>(Signal.class);

    /** Event that others may want to know. */
    public enum Signal {
        /** Tasks that may be acquired. */
        TASKS_FREED,
        /** Tasks that were prepared for this node, and are due. */
        TASKS_HANDED,
        /** Ended command, which no longer holds its slot. */
        COMMAND_ENDED,
        /** Ended command whose recorded end others wait for. */
        AWAITED_ENDED,
        /** Results that need no more recording. */
        RESULTS_RECORDED,
        /** Recorded ends of tasks of which others of their job may have waited. */
        TURN_ENDED,
        /** Tasks that wait for a node, perhaps this one. */
        NODE_AWAITED,
        /** Fire times of a backfill that wait for their turn. */
        BACKFILL_OPEN,
        /** Session that is to be expired. */
        SESSION_DEAD
    }

    public Signals() {
        for (Signal signal : Signal.values()) {
            listeners.put(signal, new CopyOnWriteArrayList<>());
        }
    }

    /** Adds a listener, for as long as the node lives. */
    public void listen(Signal to, Runnable listener) {
        listeners.getOrDefault(to, List.of()).add(listener);
    }

    /** Calls the listeners on this thread. */
    public void tell(Signal what) {
        listeners.getOrDefault(what, List.of()).forEach(Runnable::run);
    }
}
