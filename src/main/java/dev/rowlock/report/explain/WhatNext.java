package dev.rowlock.report.explain;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.OnLost;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Retry;
import dev.rowlock.job.store.JobLives.JobLife;
import dev.rowlock.report.explain.Explanation.NextAttempt;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.rule.RetryDecision;
import dev.rowlock.task.rule.RetryDecision.FailureFacts;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Successor of a task, or the reason why there is no further attempt. */
final class WhatNext {

    private WhatNext() {}

    /** @param fireTime the next one of the job; null: there is none */
    static Optional<NextAttempt> of(Evidence found, @Nullable Instant fireTime) {
        @Nullable JobLife life = found.life();
        boolean goesOn =
                life != null && life.deletedAt() == null && (fireTime == null || !fireTime.isBefore(life.createdAt()));
        @Nullable Instant following = goesOn ? fireTime : null;
        Optional<Attempt> attempt = found.nextAttempt();
        if (attempt.isPresent()) {
            TaskView task = attempt.get().task();
            return Optional.of(new NextAttempt(task.id(), attempt.get().dueSince(), following, null));
        }
        @Nullable
        String why = found.main() == null ? null : whyNone(found, found.main()).orElse(null);
        return following == null && why == null
                ? Optional.empty()
                : Optional.of(new NextAttempt(null, null, following, why));
    }

    private static Optional<String> whyNone(Evidence found, Attempt main) {
        TaskView task = main.task();
        if (!task.isEnded()) {
            return Optional.empty();
        }
        Outcome outcome = Outcome.read(String.valueOf(task.outcome()));
        Optional<JobDefinition> job = found.definition();
        return switch (outcome) {
            case FAILED, TIMED_OUT ->
                Optional.of(job.map(it -> whyNoRetry(found, task, outcome, it.retry()))
                        .orElse("what the job said of retries is not known"));
            case LOST -> Optional.of(job.map(it -> whyNoRecovery(found, it)).orElse("what the job said is not known"));
            case KILLED -> Optional.of("what was killed is not tried again");
            case SUCCEEDED, SKIPPED, MISSED, CANCELLED, EXPANDED -> Optional.empty();
        };
    }

    private static String whyNoRetry(Evidence found, TaskView task, Outcome outcome, @Nullable Retry retry) {
        if (retry == null) {
            return "the job asks for no retry";
        }
        if (!RetryDecision.concerns(retry, outcome, task.exitCode())) {
            return outcome == Outcome.TIMED_OUT
                    ? "the job does not retry after a timeout (retry.onTimeout)"
                    : "the job does not retry after exit code " + task.exitCode() + " (retry.onExitCodes)";
        }
        long failures = found.sameOrigin().stream()
                .filter(other -> other.task().attempt() <= task.attempt())
                .filter(other -> "FAILED".equals(other.task().outcome())
                        || "TIMED_OUT".equals(other.task().outcome()))
                .count();
        return RetryDecision.of(new FailureFacts(task.id(), failures), retry)
                .map(again -> "a further attempt was to follow; what became of it is not known")
                .orElse("it was tried as often as the job says (retry.max " + retry.max() + ")");
    }

    /**
     * Explains why a lost occurrence was not run again. The allowed number of times is a setting of nodes, and not
     * recorded.
     */
    private static String whyNoRecovery(Evidence found, JobDefinition job) {
        return job.onLost() == OnLost.FAIL
                ? "the job is not run again when it is lost (onLost FAIL)"
                : "it was lost " + lost(found)
                        + ", and was not to run again because of recovery.max-lost, or because its node or its job"
                        + " is gone; which of them is not recorded";
    }

    static String lost(Evidence found) {
        long times = found.sameOrigin().stream().filter(Attempt::isLost).count();
        return times == 1 ? "once" : times + " times";
    }

    /** Describes what follows, for people; blank if there is nothing to say. */
    static String text(@Nullable NextAttempt next, @Nullable Attempt main) {
        if (next == null) {
            return "";
        }
        if (next.task() != null) {
            return " The next attempt is task " + next.task()
                    + (next.at() == null ? "" : ", due at " + Texts.time(next.at())) + ".";
        }
        if (next.noFurtherAttempt() != null) {
            return " No further attempt follows: " + next.noFurtherAttempt() + ".";
        }
        boolean ran = main != null && "SUCCEEDED".equals(main.task().outcome());
        return next.fireTime() == null || ran ? "" : " The fire time after it is " + Texts.time(next.fireTime()) + ".";
    }
}
