package dev.rowlock.node;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Loops of one node: they start together, and end together. */
public final class Loops implements AutoCloseable {

    private final Map<String, Loop> loops = new LinkedHashMap<>();
    private final Outage outage;
    private final Failures failures;

    Loops(Outage outage, Failures failures) {
        this.outage = outage;
        this.failures = failures;
    }

    /** Adds a loop that is not started yet, and returns what wakes it. */
    public Runnable add(String name, Step step) {
        return add(name, step, Duration.ZERO);
    }

    /**
     * Adds a loop with a debounce.
     *
     * @param debounce see {@link Loop}
     */
    public Runnable add(String name, Step step, Duration debounce) {
        Loop loop = new Loop(name, step, outage, failures, debounce);
        loops.put(name, loop);
        return loop::wake;
    }

    /** Returns what wakes an added loop because somebody waits for what it does. */
    public Runnable hurrying(String name) {
        return Objects.requireNonNull(loops.get(name), name)::hurry;
    }

    /** Starts the thread of each loop, in the order in which they were added. */
    public void start() {
        loops.values().forEach(Loop::start);
    }

    /** Ends the rests of all loops, as when the database has moved. */
    public void wakeAll() {
        loops.values().forEach(Loop::wake);
    }

    /** Returns a step, for tests that drive a node by hand. */
    Step step(String name) {
        return Objects.requireNonNull(loops.get(name), name).step();
    }

    @Override
    public void close() {
        loops.values().forEach(Loop::close);
    }
}
