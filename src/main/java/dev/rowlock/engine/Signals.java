package dev.rowlock.engine;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the agents of a node tell each other without knowing each other. Made before any of them. Listeners run on the
 * thread that tells, in the order in which they were added, and must not wait for anything. Thread-safe.
 */
public final class Signals {

    private final Map<Signal, List<Runnable>> listeners = new EnumMap<>(Signal.class);

    /** Something that others may want to know. */
    public enum Signal {
        /** There may be something to acquire. */
        TASKS_FREED,
        /** Tasks were prepared for this node, and are due. */
        TASKS_HANDED,
        /** A command has ended, and holds its slot no longer. */
        COMMAND_ENDED,
        /** Likewise, and others wait for its end to be recorded. */
        AWAITED_ENDED,
        /** Results need no more recording. */
        RESULTS_RECORDED,
        /** Tasks wait for a node, perhaps this one. */
        NODE_AWAITED,
        /** A session is to be expired. */
        SESSION_DEAD
    }

    Signals() {
        for (Signal signal : Signal.values()) {
            listeners.put(signal, new CopyOnWriteArrayList<>());
        }
    }

    public void listen(Signal to, Runnable listener) {
        listeners.getOrDefault(to, List.of()).add(listener);
    }

    public void tell(Signal what) {
        listeners.getOrDefault(what, List.of()).forEach(Runnable::run);
    }
}
