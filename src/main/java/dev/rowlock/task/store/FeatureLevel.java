package dev.rowlock.task.store;

/**
 * Feature level that a task may need of the node that touches it. Where a feature changes what may be done with a task,
 * its tasks carry that feature's level, and nodes of an earlier version leave them to others.
 */
public final class FeatureLevel {

    /** Level of tasks whose policies or requests say more than version 0.1 understands. */
    public static final int POLICIES = 1;

    /** Level of this version. Tasks carry a level only if they need it: the default is zero. */
    public static final int KNOWN = POLICIES;

    /** Condition on {@code task t}: this node has what it needs. */
    public static final String MET = "t.needs <= " + KNOWN;

    private FeatureLevel() {}
}
