/** TODO */
@NullMarked
package dev.rowlock.store.task;

import org.jspecify.annotations.NullMarked;
