/**
 * A MariaDB server of our own, for a node that is to be tried out without any other database: unpacked from the jar on the class path,
 * started as a process of its own that outlives the node's death, adopted by the next start, stopped at the end. The only place outside
 * {@code exec} that starts processes: what it starts is a part of the store, not a command of a job.
 */
@NullMarked
package dev.rowlock.embedded;

import org.jspecify.annotations.NullMarked;
