package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;

/** Failure to join: another live daemon has this node's name, and this one has never joined. */
public final class NodeNameTaken extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NodeNameTaken(ClusterSession other) {
        super("node.name: a node named \"" + other.node() + "\" is alive already (host "
                + other.host().name() + ", process " + other.host().pid()
                + "); give this one another name (node.name, ROWLOCK_NODE_NAME)");
    }
}
