/** Acquiring what is due, firing it, taking over what others left, and settling what was missed. */
@NullMarked
package dev.rowlock.engine.schedule;

import org.jspecify.annotations.NullMarked;
