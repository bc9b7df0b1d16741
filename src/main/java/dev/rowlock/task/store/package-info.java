/**
 * Rows of live tasks, and what a transition reads and writes of them: facts under locks, holds, waits, groups,
 * eligible nodes, decisions.
 */
@NullMarked
package dev.rowlock.task.store;

import org.jspecify.annotations.NullMarked;
