package dev.rowlock.node.scheduler;

import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.transition.Acquisition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of a node on the tasks that a scan has found: which it prepares, in turn, each with further occurrences of
 * its job. No I/O, no clock.
 *
 * @param acquire tasks to be prepared
 * @param lacksSlots whether some of what is due is left for want of a slot
 */
record Intents(List<Acquisition> acquire, boolean lacksSlots) {

    /**
     * Slots and room that are left.
     *
     * @param slots for tasks that are due
     * @param above the lowest priority of those that wait here for the others: what goes before them may overtake
     * @param free slots at all
     * @param own the stripes that this node prefers
     */
    record Budget(int slots, int above, int free, PrepareBudget room, Set<Integer> own, Instant now) {

        private boolean overtakes(Task task, int planned) {
            return task.priority() > above && planned < free;
        }

        private int room(boolean due) {
            return due ? room.left() : room.leftAhead();
        }

        /**
         * Returns the limit for further occurrences. A task that no node may run is prepared by any, to be held:
         * nothing of its job goes with it.
         */
        private Instant until(Task task, boolean isMine, int planned) {
            return isMine ? room.until(now, own.contains(task.stripe()), planned) : now;
        }
    }

    /** Plan for one task. */
    @FunctionalInterface
    interface TaskPlan {

        /**
         * Plans what is prepared of a task.
         *
         * @param isMine whether this node may run it
         * @param until when what is prepared with it is due at the latest
         * @return empty: it is not prepared now, as its job is not known here, it was missed, or it failed just now
         */
        Optional<Acquisition> of(Task task, boolean isMine, Instant until);
    }

    /** Returns what is prepared of these tasks, which are in turn. */
    static Intents of(List<Task> inTurn, Budget budget, Placement placement, TaskPlan plan) {
        List<Acquisition> acquire = new ArrayList<>();
        int planned = 0;
        int plannedDue = 0;
        boolean lacks = false;
        for (Task task : inTurn) {
            boolean due = !task.due().isAfter(budget.now());
            boolean noSlot = due && plannedDue >= budget.slots();
            lacks |= noSlot;
            if ((noSlot && !budget.overtakes(task, planned)) || planned >= budget.room(due)) {
                continue;
            }
            boolean isMine = placement.isMine(task.selector());
            @Nullable
            Acquisition acquisition =
                    plan.of(task, isMine, budget.until(task, isMine, planned)).orElse(null);
            if (acquisition != null) {
                acquire.add(acquisition);
                planned += 1 + acquisition.further().size();
                plannedDue += due ? 1 : 0;
            }
        }
        return new Intents(acquire, lacks);
    }
}
