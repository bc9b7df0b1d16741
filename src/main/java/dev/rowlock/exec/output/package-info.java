/** Output of commands: from the pipe into files within bounds, masked where secrets may stand in it. */
@NullMarked
package dev.rowlock.exec.output;

import org.jspecify.annotations.NullMarked;
