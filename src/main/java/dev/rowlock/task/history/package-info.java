/**
 * Ended tasks: rows of history, their output, how long they are kept, and how a time inside an aggregated row is found.
 */
@NullMarked
package dev.rowlock.task.history;

import org.jspecify.annotations.NullMarked;
