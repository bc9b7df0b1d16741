/** TODO */
@NullMarked
package dev.rowlock.engine.result;

import org.jspecify.annotations.NullMarked;
