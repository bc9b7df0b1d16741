/**
 * Steps that move tasks from idle to history, and the one loop that runs them.
 *
 * <p>A step decides little and returns what it did: {@link dev.rowlock.node.Step#runOnce} is one pass, called by
 * {@link dev.rowlock.node.Loop} on a thread of its own, or by a test by hand. The right to act comes from the lease;
 * time is injected. What this node holds is in {@link dev.rowlock.node.LocalTasks}, changed under one lock together
 * with the transaction that changes the table.
 *
 * <p>Three agents make a node, one in each of the inner rooms, and each has connections of its own: the {@code
 * ResultAgent}, the {@code SessionAgent} and the {@code SchedulingAgent}. They share a {@link
 * dev.rowlock.node.NodeContext}, add their loops to its {@link dev.rowlock.node.Loops}, and tell each other what
 * has happened by its {@link dev.rowlock.node.Signals}, so that none needs one that is made after it. {@code
 * dev.rowlock.Agents} joins them, for the daemon and for tests.
 *
 * <p>Its rooms open only onto those before them: {@code node} itself (the loop, and what all share), {@code recorder}
 * (from the end of a command to its row of history), {@code session} (joining, beating, leaving, expiring others, the
 * fence) and {@code scheduler} (acquiring, starting, taking over, misfires).
 */
@NullMarked
package dev.rowlock.node;

import org.jspecify.annotations.NullMarked;
