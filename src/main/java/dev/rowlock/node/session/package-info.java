/** Life of this node in the cluster: joining, beating, leaving, the fence, and expiring sessions that are dead. */
@NullMarked
package dev.rowlock.node.session;

import org.jspecify.annotations.NullMarked;
