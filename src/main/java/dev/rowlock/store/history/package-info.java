/** TODO */
@NullMarked
package dev.rowlock.store.history;

import org.jspecify.annotations.NullMarked;
