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
 */
public record JobFacts(String state, @Nullable Instant nextFireTime, Optional<TaskView> lastTask) {}
