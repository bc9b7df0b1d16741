package dev.rowlock.store.task;

/**
 * What a task may need of the node that touches it. Where a feature changes what a task is, or what may be done with it, its tasks carry that
 * feature's level, and nodes of a version before it leave them to others. The one rule, for every statement that looks for tasks of others.
 */
final class Needs {

    /** What this version knows. Nothing carries a level so far: it is the lowest, and the default of {@code task.needs}. */
    static final int KNOWN = 0;

    /** A condition on {@code task t}: this node has what it needs. */
    static final String MET = "t.needs <= " + KNOWN;

    private Needs() {}
}
