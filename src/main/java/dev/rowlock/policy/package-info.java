/**
 * What ought to happen? Pure functions: facts in, decision out; no I/O, no clock, no SQL. Whoever asks has read the facts under the lock that
 * guards them, and writes the decision in the same transaction. So a rule stands here once, and a table of cases tests it without a database.
 *
 * <p><b>An occurrence is overdue</b> ({@link dev.rowlock.policy.MisfireDecision}). It is a misfire when it comes later than
 * {@code misfire.threshold} after its fire time. From then on all overdue occurrences of the job are decided together. {@code RUN_ONCE}, the only
 * policy so far: the latest runs now, as {@code CATCH_UP}; the others are {@code MISSED}, in one row of history for all that are consecutive.
 */
@NullMarked
package dev.rowlock.policy;

import org.jspecify.annotations.NullMarked;
