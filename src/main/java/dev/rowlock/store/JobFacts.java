package dev.rowlock.store;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is going on with a job.
 *
 * @param state one of {@code PAUSED EXECUTING PREPARED IDLE ENDED}
 * @param nextFireTime of what the schedule asks for; null while nothing is going to run by itself
 * @param lastTask the newest one that is executing or has ended
 * @param setAside what the database refused of it; null: nothing
 */
public record JobFacts(
        String state,
        @Nullable Instant nextFireTime,
        Optional<TaskView> lastTask,
        @Nullable SetAside setAside) {

    /**
     * Tasks of a job that are set aside, or whose results are.
     *
     * @param why what is wrong with one of them
     * @param lookAt when the first of them is tried again; null: nobody knows
     */
    public record SetAside(int tasks, String why, @Nullable Instant lookAt) {}
}
