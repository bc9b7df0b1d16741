package dev.rowlock.report.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.AuditEntry;
import dev.rowlock.audit.AuditFilter;
import dev.rowlock.audit.AuditQueries;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.request.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Callers who asked for a run and for its end, as the audit names them.
 *
 * @param run null: nobody asked for it, or who did is not known
 * @param end null: nobody stopped it, or who did is not known
 */
record Requesters(@Nullable String run, @Nullable String end) {

    static final Requesters NONE = new Requesters(null, null);

    /** Most by which the row of a change may be from its task, in the same transaction. */
    private static final Duration TRANSACTION = Duration.ofSeconds(10);
    /** Most changes of the job around it that are looked at. */
    private static final int LOOKED_AT = 100;

    /** @param attempts all tasks of the occurrence */
    static Requesters of(@Nullable Attempt main, List<Attempt> attempts, AuditQueries audit) {
        return main == null
                ? NONE
                : new Requesters(
                        run(main, attempts, audit).orElse(null),
                        end(main.task(), audit).orElse(null));
    }

    private static Optional<String> run(Attempt main, List<Attempt> attempts, AuditQueries audit) {
        if (!main.origin().isRun()) {
            return Optional.empty();
        }
        return attempts.stream()
                .filter(one ->
                        one.origin().equals(main.origin()) && one.task().cause().equals(Cause.MANUAL.name()))
                .filter(one -> one.task().attempt() <= main.task().attempt())
                .max(Attempt.ORDER)
                .map(Attempt::task)
                .flatMap(first -> madeAt(first)
                        .flatMap(
                                at -> who(audit, first.job(), at.minus(TRANSACTION), at, entry -> made(entry, first))));
    }

    /** Returns when a requested task was made; a rerun bears the fire time of what it repeats. */
    private static Optional<Instant> madeAt(TaskView first) {
        return Optional.ofNullable(first.origin().isRerun() ? first.queuedAt() : first.fireTime());
    }

    private static boolean made(AuditEntry entry, TaskView task) {
        @Nullable JsonNode after = entry.after();
        return after != null
                && !entry.action().equals(AuditAction.KILL.word())
                && (isAbout(after, task)
                        || StreamSupport.stream(after.path("runAgain").spliterator(), false)
                                .anyMatch(original ->
                                        Origin.again(original.asLong()).equals(task.origin())));
    }

    private static Optional<String> end(TaskView task, AuditQueries audit) {
        @Nullable Instant ended = task.endedAt();
        boolean isKilled = Outcome.KILLED.name().equals(task.outcome()) && task.replacedBy() == null;
        boolean isAsked = isKilled || Tasks.CANCELLED.equals(task.reason());
        if (ended == null || !isAsked) {
            return Optional.empty();
        }
        Instant since = task.startedAt() == null ? ended.minus(TRANSACTION) : task.startedAt();
        Predicate<AuditEntry> isKill = entry ->
                entry.action().equals(AuditAction.KILL.word()) && entry.after() != null && isAbout(entry.after(), task);
        return who(audit, task.job(), since, ended, isKill);
    }

    private static boolean isAbout(JsonNode after, TaskView task) {
        return after.path("task").asLong(-1) == task.id();
    }

    /** Returns the caller of the first such change of a job. */
    private static Optional<String> who(
            AuditQueries audit, JobKey job, Instant since, Instant until, Predicate<AuditEntry> which) {
        AuditFilter around = new AuditFilter(
                null,
                null,
                null,
                job.namespace(),
                job.name(),
                Set.of(),
                since,
                until.plus(TRANSACTION),
                null,
                LOOKED_AT);
        return audit.page(around).entries().stream()
                .filter(which)
                .min(Comparator.comparing(AuditEntry::at))
                .map(AuditEntry::who);
    }
}
