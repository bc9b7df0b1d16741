package dev.rowlock.store.task;

/**
 * What a task may need of the node that touches it. Where a feature changes what may be done with a task, its tasks
 * carry that feature's level, and nodes of a version before it leave them to others.
 */
public final class FeatureLevel {

    /** Of tasks that policies or the one who asked for them say more of than version 0.1 knows. */
    static final int POLICIES = 1;

    /** What this version knows. Tasks carry a level only if they need it: the default is zero. */
    public static final int KNOWN = POLICIES;

    /** A condition on {@code task t}: this node has what it needs. */
    static final String MET = "t.needs <= " + KNOWN;

    private FeatureLevel() {}
}
