/**
 * Trust that a node may put in its own session, and what it has seen of those of others. Compares nanoseconds,
 * never instants; knows no SQL.
 */
@NullMarked
package dev.rowlock.cluster;

import org.jspecify.annotations.NullMarked;
