/** Loops of a node; the scheduling pass is in {@code node.scheduler}. */
@NullMarked
package dev.rowlock.node;

import org.jspecify.annotations.NullMarked;
