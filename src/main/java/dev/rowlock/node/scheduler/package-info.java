/**
 * The scheduling pass: preparing what comes next, starting what is due, taking over what others left, and settling what
 * was missed. One pass of {@code Scheduler} is four nouns, one after the other:
 * <pre>
 *   Scan ────────▶ Intents ────────────▶ transaction ─────────────────────▶ Dispatch
 *   what is due,   pure: candidates,     lock, facts, decide, write:        what was committed goes
 *   from where     budget, clock         Acquire, Start, Misfires           to memory, launcher, counts
 * </pre>
 * {@code Acquirer} runs them for what is idle, {@code Starter} for what is prepared (what of it is due,
 * {@code DueTasks} says), {@code TakeOver} for what others prepared and did not start. A pass answers with a
 * {@code Next}: more is due, more is ahead, or nothing for so long.
 *
 * <p><b>Why a task is not prepared</b>, in the order in which it is decided:
 * <ol>
 *   <li>the node does not schedule: no session, draining, its clock in doubt, or no guard ({@code Scheduler});
 *   <li>no slot is free and nobody else is there, or as many are prepared as may be ({@code Acquirer});
 *   <li>the scan does not find it: it is held, further ahead than the horizon, of a stripe that another node prefers
 *       and not close to its time, left out after a failure, or above the node's feature level ({@code Scan});
 *   <li>this node may not run it: its selector names others, or the job fills its {@code maxPerNode} here
 *       ({@code Scan.mine});
 *   <li>it is a misfire: it is settled with all that is overdue of its job ({@code MisfireSettler});
 *   <li>what comes before it takes the slots or the room ({@code Intents});
 *   <li>its definition is not understood here, is too large to be read in this pass, or names a secret whose key this
 *       node lacks ({@code DefinitionCache}, {@code JobSecrets});
 *   <li>under the lock it is not there any more, or was edited or paused since ({@code task.transition.Acquire}).
 * </ol>
 */
@NullMarked
package dev.rowlock.node.scheduler;

import org.jspecify.annotations.NullMarked;
