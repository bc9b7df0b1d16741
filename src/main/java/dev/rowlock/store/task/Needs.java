package dev.rowlock.store.task;

/**
 * What a task may need of the node that touches it. Where a feature changes what may be done with a task, its tasks
 * carry that feature's level, and nodes of a version before it leave them to others.
 */
final class Needs {

    /** What this version knows. Nothing carries a level so far: it is the default of {@code task.needs}. */
    static final int KNOWN = 0;

    /** A condition on {@code task t}: this node has what it needs. */
    static final String MET = "t.needs <= " + KNOWN;

    private Needs() {}
}
