package dev.rowlock.node.scheduler;

import dev.rowlock.node.Pass;
import java.time.Duration;

/** Answer of a pass of the scheduler, or of a part of it: what is left to do. */
sealed interface Next {

    /** More is due or overdue: the scheduler goes on at once. */
    record MoreDue() implements Next {}

    /** There is more to prepare, and none of it is due: what is due is fired before. */
    record MoreAhead() implements Next {}

    /**
     * Nothing is left, unless somebody wakes the scheduler.
     *
     * @param rest for how long at most
     */
    record IdleFor(Duration rest) implements Next {}

    /** Returns the answer of a part that has nothing left to do, whatever others have. */
    static Next idle() {
        return new IdleFor(Duration.ofDays(1));
    }

    /** Returns the more urgent of both. */
    default Next or(Next other) {
        if (this instanceof MoreDue || other instanceof IdleFor) {
            return this;
        }
        return other;
    }

    /** Returns the same for a loop. */
    default Pass pass() {
        return this instanceof IdleFor idle ? Pass.rest(idle.rest()) : Pass.MORE;
    }
}
