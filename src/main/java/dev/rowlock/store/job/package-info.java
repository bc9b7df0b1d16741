/** TODO */
@NullMarked
package dev.rowlock.store.job;

import org.jspecify.annotations.NullMarked;
