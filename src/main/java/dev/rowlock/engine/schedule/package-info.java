/** TODO */
@NullMarked
package dev.rowlock.engine.schedule;

import org.jspecify.annotations.NullMarked;
