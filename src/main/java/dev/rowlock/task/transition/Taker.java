package dev.rowlock.task.transition;

import dev.rowlock.task.LaunchId;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.JobAtVersion;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Session that takes over what comes next when the end of its tasks is recorded, so that nobody has to scan for it.
 *
 * @param selectors those that are known; a task with another one is not taken
 * @param understands whether it can run a job
 * @param groups how many slots of which groups the ended tasks had
 * @param now by its estimate of the database's clock
 */
public record Taker(
        String session,
        Supplier<LaunchId> launches,
        Map<Integer, Selector> selectors,
        Predicate<JobAtVersion> understands,
        Map<String, Integer> groups,
        Instant now) {}
