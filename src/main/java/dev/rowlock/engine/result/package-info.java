/**
 * From the end of a command to its row of history: the journal, recording, and output.
 */
@NullMarked
package dev.rowlock.engine.result;

import org.jspecify.annotations.NullMarked;
