/** TODO */
@NullMarked
package dev.rowlock;

import org.jspecify.annotations.NullMarked;
