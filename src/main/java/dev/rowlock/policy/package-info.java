/**
 * What ought to happen? Pure functions: facts in, decision out; no I/O, no clock, no SQL. Whoever asks has read the
 * facts under the lock that guards them, and writes the decision in the same transaction. So a rule stands here once,
 * and a table of cases tests it without a database.
 *
 * <p><b>A task's time has come</b> ({@link dev.rowlock.policy.FireDecision}). For all tasks that are fired in one
 * transaction, in their order, the first of these that applies:
 * <ol>
 *   <li>not due by the database's clock: it stays prepared;
 *   <li>its job was edited, paused or deleted since: it is left alone;
 *   <li>it is a misfire: it goes back to idle, and the next rule decides;
 *   <li>overlap. {@code SKIP}, the only policy so far: while a task of the job is executing anywhere, retries and
 *       recoveries included, or was started in this same transaction, it ends as {@code SKIPPED};
 *   <li>no slot is free: it goes back to idle, or waits if nobody else could take it;
 *   <li>it is started.
 * </ol>
 *
 * <p><b>An occurrence is overdue</b> ({@link dev.rowlock.policy.MisfireDecision}). It is a misfire when it comes later
 * than {@code misfireThreshold} after it was due, unless it waited by policy. From then on all overdue occurrences of
 * the job are decided together. The latest of them run now, as {@code CATCH_UP}: one with {@code RUN_ONCE}, none with
 * {@code SKIP}, up to {@code catchUpLimit} with {@code RUN_ALL}, and only within {@code startDeadline}. The others
 * are {@code MISSED}, in one row of history for all that are consecutive.
 *
 * <p><b>A fire time is due</b> as far behind it as the job's {@code jitter} says ({@link dev.rowlock.policy.Jitter}).
 * All that concerns schedules goes by fire times.
 *
 * <p><b>A node was lost with a task</b> ({@link dev.rowlock.policy.RecoveryDecision}). {@code onLost: FAIL}: it stays
 * lost. {@code RERUN}: a new attempt is made, without delay after the first loss, {@code recovery.backoff} after the
 * second, and twice as long after each further one, up to a day. After more than {@code recovery.max-lost} losses it
 * stays lost. Losses to a node that was stopped are not counted here, neither for the limit nor for the delay; after
 * more than ten of them it stays lost too.
 *
 * <p><b>A job is edited, resumed, rescheduled or deleted</b> ({@link dev.rowlock.policy.Rescheduling}). Rows that the
 * new schedule does not ask for end as {@code CANCELLED}, fire times that fell into a pause as {@code SKIPPED}, and the
 * cursor goes to the next fire time after now and after all that was made. {@link dev.rowlock.policy.NotCome} and
 * {@link dev.rowlock.policy.Withdrawn} say which fire times are asked for again after the database's clock was set
 * back. The answer is a {@link dev.rowlock.policy.ReschedulingPlan}.
 *
 * <p>What a pause holds is a condition in SQL ({@code store.task}), as every statement that finds tasks needs it.
 */
@NullMarked
package dev.rowlock.policy;

import org.jspecify.annotations.NullMarked;
