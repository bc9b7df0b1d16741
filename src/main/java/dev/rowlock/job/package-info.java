/** Jobs as people create, change, pause and run them. */
@NullMarked
package dev.rowlock.job;

import org.jspecify.annotations.NullMarked;
