/**
 * Freezes: stretches of time in which jobs start nothing by themselves. Whom one covers, and until when. No I/O, no
 * clock.
 *
 * <p>A freeze is a row of {@code freeze}, and a change of one raises {@code cluster_lock.rules} under the locks of all
 * stripes. A start locks stripes and sees that number: it knows the freezes as of it, or reads them anew
 * ({@code freeze.store.KnownFreezes}). So nothing covered starts once a freeze is answered, and what no freeze covers
 * pays nothing.
 * <ul>
 *   <li>What is prepared, and covered when it is due, is held until the end of the freeze, or skipped
 *       ({@code task.rule.FireRound}).
 *   <li>A job of which the latest occurrence alone is kept is not prepared at all: its cursor is parked until the end,
 *       and then all that came due is decided together ({@code FrozenCursor}; {@code task.rule.FrozenOccurrences}). So
 *       is what came due under one and would else be a misfire.
 *   <li>{@code due_at} of what is held is the end of the freeze, so that the end needs no transaction. One that ends
 *       earlier, or is shortened, wakes what it held in batches ({@code task.transition.FreezeWaits}).
 * </ul>
 */
@NullMarked
package dev.rowlock.freeze;

import org.jspecify.annotations.NullMarked;
