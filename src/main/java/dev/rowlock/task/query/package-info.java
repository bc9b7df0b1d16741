/** Tasks as people look for them: lists, filters, totals. */
@NullMarked
package dev.rowlock.task.query;

import org.jspecify.annotations.NullMarked;
