package dev.rowlock.report.explain;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Outcome;
import dev.rowlock.report.count.OccurrenceEnds;
import dev.rowlock.report.explain.Explanation.FinishFacts;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.FinishBy;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Margin between the end of an occurrence and the {@code finishBy} of its job. */
final class FinishSaid {

    private FinishSaid() {}

    /** Returns empty if the job has no deadline, or the task is none of its schedule, or was taken away. */
    static Optional<FinishFacts> of(Evidence found) {
        @Nullable
        Attempt main = Stream.concat(Stream.ofNullable(found.main()), found.otherOrigins().stream())
                .filter(attempt -> attempt.origin().isScheduled())
                .findFirst()
                .orElse(null);
        @Nullable
        FinishBy finishBy =
                found.definition().map(definition -> definition.finishBy()).orElse(null);
        Optional<JobSchedule> schedule = found.version().flatMap(found::schedule);
        if (main == null || finishBy == null || schedule.isEmpty()) {
            return Optional.empty();
        }
        // A row may stand for many fire times, of which it names the first.
        Instant fireTime =
                main.task().occurrences() > 1 ? found.at() : main.task().fireTime();
        Map<Origin, TaskView> last = lastAttempts(found);
        @Nullable Instant finished = finishedAt(last);
        if (finished == null && isExcused(last)) {
            return Optional.empty();
        }
        Instant by = finishBy.of(fireTime, schedule.get().zoneAt(fireTime));
        Instant until = finished == null ? found.now() : finished;
        return Optional.of(
                new FinishFacts(by, finished, Duration.between(until, by).toMillis()));
    }

    private static Map<Origin, TaskView> lastAttempts(Evidence found) {
        Map<Origin, TaskView> last = new HashMap<>();
        found.attempts().stream()
                .filter(attempt -> !attempt.isExpanded()
                        && (attempt.origin().isScheduled() || attempt.origin().isRerun()))
                .map(Attempt::task)
                .forEach(task -> last.merge(task.origin(), task, (a, b) -> a.attempt() > b.attempt() ? a : b));
        return last;
    }

    /**
     * Returns when the last attempt of each of its parts, or of a rerun, had succeeded or declined; null: one has not.
     */
    private static @Nullable Instant finishedAt(Map<Origin, TaskView> last) {
        List<TaskView> again = last.values().stream()
                .filter(task -> task.origin().isRerun() && isGood(task))
                .toList();
        List<TaskView> parts = last.values().stream()
                .filter(task -> task.origin().isScheduled())
                .toList();
        boolean all = !again.isEmpty() || parts.stream().allMatch(FinishSaid::isGood);
        return !all
                ? null
                : (again.isEmpty() ? parts : again)
                        .stream()
                                .map(task -> Objects.requireNonNull(task.endedAt()))
                                .max(Instant::compareTo)
                                .orElse(null);
    }

    private static boolean isExcused(Map<Origin, TaskView> last) {
        List<TaskView> wrong = last.values().stream()
                .filter(task -> task.origin().isScheduled() && !isGood(task))
                .toList();
        return !wrong.isEmpty()
                && wrong.stream()
                        .allMatch(task -> task.outcome() != null
                                && OccurrenceEnds.isExcused(Outcome.read(task.outcome()), task.reason()));
    }

    private static boolean isGood(TaskView task) {
        return "SUCCEEDED".equals(task.outcome()) || ("SKIPPED".equals(task.outcome()) && task.startedAt() != null);
    }

    /** Returns a sentence about it, with a blank before it; empty text: there is nothing to say. */
    static String text(Optional<FinishFacts> facts, ZoneId zone) {
        return facts.map(finish -> " " + sentence(finish, zone)).orElse("");
    }

    private static String sentence(FinishFacts finish, ZoneId zone) {
        String margin =
                Durations.format(Duration.ofMillis(Math.abs(finish.marginMs())).truncatedTo(ChronoUnit.SECONDS));
        String by = Texts.time(finish.by(), zone);
        boolean inTime = finish.marginMs() >= 0;
        if (finish.finishedAt() != null) {
            return "It finished " + margin + (inTime ? " before" : " after") + " its deadline, " + by + " (finishBy).";
        }
        return inTime
                ? "It is to finish by " + by + " (finishBy): " + margin + " are left."
                : "It was to finish by " + by + " (finishBy), " + margin + " ago.";
    }
}
