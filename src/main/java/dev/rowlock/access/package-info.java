/** TODO */
@NullMarked
package dev.rowlock.access;

import org.jspecify.annotations.NullMarked;
