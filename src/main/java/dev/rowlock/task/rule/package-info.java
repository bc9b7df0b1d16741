/**
 * Policies as pure functions: facts in, decision out; no I/O, no clock, no SQL. The caller has read the facts under the
 * lock that guards them, and writes the decision in the same transaction. So a rule stands here once, and a table of
 * cases tests it without a database.
 *
 * <p><b>A task's time has come</b> ({@link dev.rowlock.task.rule.FireDecision}). For all tasks that are fired in one
 * transaction, earlier occurrences of a job first, the first of these that applies:
 * <ol>
 *   <li>not due by the database's clock: it stays prepared;
 *   <li>its job was edited, paused or deleted since: it is left alone;
 *   <li>it is a misfire, and has not waited by policy: it goes back to idle, and the next rule decides;
 *   <li>its job has run {@code maxRuns} times: {@code CANCELLED};
 *   <li>no node may run it ({@link dev.rowlock.task.rule.Placement}): it is held, or {@code SKIPPED} as others of its
 *       job wait;
 *   <li>it is an occurrence of a broadcast: it is expanded ({@link dev.rowlock.task.rule.Expansion});
 *   <li>it is a part of a broadcast in turns, and other parts come first ({@link dev.rowlock.task.rule.Broadcast}): it
 *       is held;
 *   <li>others of its job are in the way ({@link dev.rowlock.task.rule.OverlapDecision}), which execute or wait: {@code
 *       SKIPPED}, or held;
 *   <li>no slot is free here: it goes back to idle, or waits if nobody else could take it;
 *   <li>this node executes {@code maxPerNode} of the job: it is held;
 *   <li>its group has no slot for it ({@link dev.rowlock.task.rule.GroupOccupancy}): it is held;
 *   <li>it is started.
 * </ol>
 * What would be held or skipped ends as {@code MISSED} once its {@code startDeadline} is over. What is held is decided
 * again when its time is up, or when {@link dev.rowlock.task.rule.WakeDecision} says that nothing is in its way any
 * more.
 *
 * <p><b>An occurrence is overdue</b> ({@link dev.rowlock.task.rule.MisfireDecision}). It is a misfire when it comes
 * later than its threshold after its fire time and jitter. From then on all overdue occurrences of the job are decided
 * together: the latest runs ({@code RUN_ONCE}), none does ({@code SKIP}), or the newest {@code catchUpLimit} do
 * ({@code RUN_ALL}), as {@code CATCH_UP}; the others are {@code MISSED}, in one row of history for all that are
 * consecutive.
 *
 * <p><b>A task failed</b> ({@link dev.rowlock.task.rule.RetryDecision}). Where its job asks for it, a new attempt is
 * made after a delay that doubles, is capped, and is varied by the id of the task.
 *
 * <p><b>A node was lost with a task</b> ({@link dev.rowlock.task.rule.RecoveryDecision}). {@code onLost: FAIL}: it
 * stays lost. {@code RERUN}: a new attempt is made, without delay after the first loss, {@code recovery.backoff} after
 * the second, and twice as long after each further one, up to a day. After more than {@code recovery.max-lost} losses
 * it stays lost. Losses to a node that was stopped are not counted here, neither for the limit nor for the delay; after
 * more than ten of them it stays lost too.
 *
 * <p><b>A job is edited, resumed, rescheduled or deleted</b> ({@link dev.rowlock.task.rule.Rescheduling}). Rows that
 * the new schedule does not ask for end as {@code CANCELLED}, fire times that fell into a pause as {@code SKIPPED}, and
 * the cursor goes to the next fire time after now and after all that was made. After the database's clock was set back,
 * {@link dev.rowlock.task.rule.PrematureMisfires} and {@link dev.rowlock.task.rule.CancelledFireTimes} say which fire
 * times are asked for again. The answer is a {@link dev.rowlock.task.rule.ReschedulingPlan}.
 *
 * <p>What a pause holds is a condition in SQL ({@code task.store}), as every statement that finds tasks needs it.
 */
@NullMarked
package dev.rowlock.task.rule;

import org.jspecify.annotations.NullMarked;
