/**
 * Way of a result from the exit of a command to its row of history, on one page:
 *
 * <pre>
 * a command exits
 *   → Exits           what the exit means: the outcome, and a reason for people
 *   → ResultQueue     kept in memory and in results.journal, until it is recorded
 *   → ResultRecorder  a batch at a time, one transaction each
 *   → Finish          lock rows of the stripes; a new attempt for what failed or was lost, where the job asks for one
 *   → TaskHistory     the row of history, made from the live row under its launch id, which is deleted
 *   → DirectHandoff   what waited for this end is prepared for this node, where it can run it
 *   → OutputKeeper    head and tail of the output, in a transaction of its own
 * </pre>
 *
 * <table>
 * <caption>What can be in its way</caption>
 * <tr><th>when…</th><th>then…</th></tr>
 * <tr><td>the disk is full</td><td>the result has no line in the journal, and the log says so once. It is recorded from
 *     memory as ever, but is lost if the process dies before that.</td></tr>
 * <tr><td>the database is away</td><td>the recorder tries again every second; commands that run go on, and their
 *     results queue up. With 10,000 of them nothing more is started. When the database is back, {@link
 *     dev.rowlock.node.recorder.ResultsFirst} has them recorded before anything is scheduled.</td></tr>
 * <tr><td>the answer to a commit is lost</td><td>the batch is recorded again. What has its row of history under the
 *     same launch id is left as it is. What was prepared is not known here, and compensation gives it back.</td></tr>
 * <tr><td>the session runs out</td><td>the recorder waits for the next one. Before a node joins or leaves it records
 *     all that waits, under the launch ids of the session before: what has no result when that session ends is {@code
 *     LOST}. What exited before the trust ran out keeps its outcome.</td></tr>
 * <tr><td>the process dies</td><td>the node finds the journal when it starts again, and records it before it
 *     joins.</td></tr>
 * <tr><td>it comes too late</td><td>because others have expired the session, or the task was given back: history keeps
 *     what it says, and the log tells of the result.</td></tr>
 * <tr><td>the database refuses it for its data</td><td>the batch is split until it stands alone. It is tried without
 *     its reason; then its row says what is wrong, and it is tried again ever less often, until its session ends. Then
 *     the row is set aside, and its loss recorded as soon as that is possible.</td></tr>
 * <tr><td>the database refuses it for another reason</td><td>it is left out for a pause, so that others go on, and
 *     tried again.</td></tr>
 * </table>
 *
 * <p>One lock ({@link dev.rowlock.node.LocalTasks}) holds the transaction and the change of memory together; the
 * queue has one of its own, so that a command can end at any time.
 */
@NullMarked
package dev.rowlock.node.recorder;

import org.jspecify.annotations.NullMarked;
