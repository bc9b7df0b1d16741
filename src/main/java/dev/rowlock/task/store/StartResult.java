package dev.rowlock.task.store;

import dev.rowlock.task.LaunchId;
import dev.rowlock.task.NotRunReason;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Result for the claims. Those in none of the lists are no longer ours: taken over, edited, or ended.
 *
 * @param started their commands may be started now
 * @param early not due yet by the database's clock
 * @param full due, but there was no free slot: given back or kept
 * @param skipped ended without having been started
 * @param notRun why those do not run that ended, or ended for them
 * @param givenBack misfires, and what was prepared of their jobs behind them, by whomever: to be decided together
 * @param left likewise, of further jobs: still prepared, to be given back by the next transaction
 * @param replaced tasks that are to be killed for one of the claims, as was requested
 */
public record StartResult(
        List<Started> started,
        Set<Long> early,
        Set<Long> full,
        Set<Long> skipped,
        Set<Long> givenBack,
        Set<Long> left,
        List<LaunchId> replaced,
        List<NotRunReason> notRun) {

    public static final StartResult NOTHING =
            new StartResult(List.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), List.of(), List.of());

    /** Returns the results of several transactions as one. */
    public static StartResult together(List<StartResult> results) {
        return switch (results.size()) {
            case 0 -> NOTHING;
            case 1 -> results.get(0);
            default ->
                new StartResult(
                        results.stream().flatMap(r -> r.started.stream()).toList(),
                        all(results, StartResult::early),
                        all(results, StartResult::full),
                        all(results, StartResult::skipped),
                        all(results, StartResult::givenBack),
                        all(results, StartResult::left),
                        results.stream().flatMap(r -> r.replaced.stream()).toList(),
                        results.stream().flatMap(r -> r.notRun.stream()).toList());
        };
    }

    private static Set<Long> all(List<StartResult> results, Function<StartResult, Set<Long>> which) {
        return results.stream().flatMap(r -> which.apply(r).stream()).collect(Collectors.toSet());
    }
}
