package dev.rowlock.report.count;

import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.task.Hold;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the whole cluster for metrics.
 *
 * @param waiting how many tasks are held, at most ten thousand or so for each kind of hold
 * @param verification the last one of all jobs; null: there was none
 * @param calendarsEnding how many calendars of jobs have no dates beyond some weeks from now
 * @param withMetrics those of the jobs asked about that are there and have {@code metrics: true}
 */
public record ClusterFigures(
        Map<Hold, Long> waiting, @Nullable Verification verification, int calendarsEnding, Set<Long> withMetrics) {}
