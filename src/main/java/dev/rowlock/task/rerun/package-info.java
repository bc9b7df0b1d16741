/** Reruns: tasks that ended, queued once more. */
@NullMarked
package dev.rowlock.task.rerun;

import org.jspecify.annotations.NullMarked;
