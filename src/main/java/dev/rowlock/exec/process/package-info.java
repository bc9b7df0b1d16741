/** Processes as the kernel shows them: trees, signals, control groups, the time since boot. */
@NullMarked
package dev.rowlock.exec.process;

import org.jspecify.annotations.NullMarked;
