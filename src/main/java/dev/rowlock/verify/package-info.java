/** TODO */
@NullMarked
package dev.rowlock.verify;

import org.jspecify.annotations.NullMarked;
