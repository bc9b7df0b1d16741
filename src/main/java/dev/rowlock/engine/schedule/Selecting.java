package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.Placement;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Which of the tasks that were found this node prepares, and how many occurrences of their jobs with them. */
final class Selecting {

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final DefinitionCache definitionCache;
    private final Priorities priorities;
    private final CatchingUp catchingUp;

    Selecting(NodeContext node, KnownSessions knownSessions, DefinitionCache definitionCache, Priorities priorities) {
        this.node = node;
        this.knownSessions = knownSessions;
        this.definitionCache = definitionCache;
        this.priorities = priorities;
        this.catchingUp = new CatchingUp(node.settings().misfireThreshold());
    }

    /**
     * Slots for tasks that are due.
     *
     * @param above the lowest priority of those that wait here for the others
     */
    record ForDue(int slots, int above) {}

    /**
     * What is prepared of these candidates, in turn.
     *
     * @param misfired jobs whose overdue tasks are settled instead
     * @param own the stripes that this node prefers
     * @param isReady by id, whether a task may be tried now
     */
    List<Acquisition> plan(
            Trust trust,
            List<Task> candidates,
            Set<Long> misfired,
            Set<Integer> own,
            Instant now,
            ForDue forDue,
            Room room,
            LongPredicate isReady) {
        Supplier<LaunchId> launches = knownSessions.launchesOf(trust.sessionId());
        List<Acquisition> wanted = new ArrayList<>();
        int plannedDue = 0;
        int planned = 0;
        boolean lacks = false;
        Instant surely = node.clock().earliest(); // what is skipped must have been due
        Placement placement = knownSessions.selectors().placement();
        for (Task task : priorities.inTurn(candidates, now)) {
            boolean due = !task.due().isAfter(now);
            boolean noSlot = due && plannedDue >= forDue.slots();
            lacks |= noSlot;
            if (misfired.contains(task.jobId())
                    || (noSlot && !priorities.overtakes(task, forDue.above(), planned))
                    || planned >= (due ? room.left() : room.leftAhead())) {
                continue;
            }
            boolean isMine = placement.isMine(task.selector()); // else it will be held, and a node may come for others
            Instant until = isMine ? room.until(now, own.contains(task.stripe()), planned) : now;
            var entry = definitionCache.find(task.jobId(), task.version());
            if (entry.isPresent() && isReady.test(task.id())) {
                Acquisition acquisition =
                        catchingUp.prepare(task, entry.get(), isMine, surely, room.found() == null, until, launches);
                wanted.add(acquisition);
                planned += 1 + acquisition.further().size();
                plannedDue += due ? 1 : 0;
            }
        }
        node.slots().lack(lacks);
        return wanted;
    }
}
