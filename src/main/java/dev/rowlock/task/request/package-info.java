/** Requests on tasks: list, show, kill, read output, run again. */
@NullMarked
package dev.rowlock.task.request;

import org.jspecify.annotations.NullMarked;
