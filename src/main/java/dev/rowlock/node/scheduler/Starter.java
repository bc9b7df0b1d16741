package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.ScheduleLines.ScheduleLine;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.RetryBackoff;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.node.scheduler.JobSecrets.Given;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.transition.Quarantine;
import dev.rowlock.task.transition.Start;
import dev.rowlock.task.transition.Start.NoSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transition prepared → executing: one transaction starts tasks, {@link Dispatch} hands them to the launcher, each only
 * after a commit that is known to have succeeded.
 */
final class Starter {

    private static final Logger log = LoggerFactory.getLogger(Starter.class);

    private static final Duration RECORDED_WITHIN = Duration.ofSeconds(2);

    private final NodeContext node;
    private final Start start;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final JobSecrets jobSecrets;
    private final FiredLines firedLines;
    private final Dispatch dispatch;
    /** Claims that could not be started; those that are ours stay prepared. */
    private final RetryBackoff<Claim> postponed;

    Starter(
            NodeContext node,
            Start start,
            Quarantine quarantine,
            DefinitionCache definitionCache,
            JobSecrets jobSecrets,
            FiredLines firedLines,
            Dispatch dispatch) {
        this.node = node;
        this.start = start;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.jobSecrets = jobSecrets;
        this.firedLines = firedLines;
        this.dispatch = dispatch;
        this.postponed =
                new RetryBackoff<>(node.nanos(), Claim::id, claim -> "task " + claim.id() + " cannot be started");
    }

    boolean mayStart() {
        return dispatch.mayStart();
    }

    /** Returns the claims that could not be started, and when they are retried. */
    RetryBackoff<Claim> postponed() {
        return postponed;
    }

    boolean isKnown(Claim claim) {
        return definitionCache.find(claim.jobId(), claim.version()).isPresent();
    }

    /**
     * Returns whether it would be skipped for a command that has ended here, but not for the database yet: in a moment
     * it can run. An end that takes longer to be recorded may have been refused.
     */
    boolean awaitsResult(Task task) {
        long lately = node.nanos().getAsLong() - RECORDED_WITHIN.toNanos();
        return node.localTasks().hasEndedSince(task.jobId(), lately) && skips(task);
    }

    /** Returns whether it is skipped if another of its job executes; false if its job is not known yet. */
    boolean skips(Task task) {
        return definitionCache
                .find(task.jobId(), task.version())
                .filter(entry -> entry.policy().skips())
                .isPresent();
    }

    /**
     * Returns until when it may start. Reruns have met their deadline, but only the start knows that they have none.
     */
    Instant deadline(Task task) {
        return definitionCache.deadline(task.jobId(), task.version(), task.fireTime());
    }

    /** Loads the jobs of as many of them as memory bears, and returns those; the others come next. */
    List<Claim> loaded(List<Claim> claims) {
        Set<Long> left =
                definitionCache.loadJobsOf(claims.stream().map(Claim::task).toList());
        return left.isEmpty()
                ? claims
                : claims.stream().filter(c -> !left.contains(c.jobId())).toList();
    }

    /**
     * Starts claims.
     *
     * @param overdue by how much each must be due
     */
    StartResult fire(Trust trust, List<Claim> claims, Duration overdue, NoSlot withoutSlot) {
        LongPredicate isReady = postponed.ready(claims.stream().map(Claim::id).collect(Collectors.toSet())::contains);
        List<Claim> known = claims.stream()
                .filter(c -> isReady.test(c.id()))
                .flatMap(
                        c -> definitionCache.find(c.jobId(), c.version()).map(entry -> c.with(entry.policy())).stream())
                .toList();
        // One that waits for the lock of its group is not to hold up the stripes of all others.
        Map<String, List<Claim>> byGroup = known.stream()
                .collect(Collectors.groupingBy(
                        c -> Objects.requireNonNullElse(c.policy().group(), ""), TreeMap::new, Collectors.toList()));
        return StartResult.together(byGroup.values().stream()
                .flatMap(group ->
                        postponed
                                .run(group, part -> fireTogether(part, trust, overdue, withoutSlot), this::setAside)
                                .stream())
                .toList());
    }

    private StartResult fireTogether(List<Claim> claims, Trust trust, Duration overdue, NoSlot withoutSlot) {
        Given secrets = jobSecrets.of(claims.stream()
                .flatMap(claim -> entry(claim).stream())
                .map(CachedDefinition::definition)
                .toList());
        secrets.left().forEach((job, why) -> leave(claims, job, why));
        List<Claim> mine =
                claims.stream().filter(claim -> entry(claim).isPresent()).toList();
        if (mine.isEmpty()) {
            return StartResult.NOTHING;
        }
        Function<Task, CachedDefinition> jobs = task -> job(task).orElseThrow();
        Map<Long, ScheduleLine> lines =
                firedLines.of(mine.stream().map(Claim::task).toList(), jobs);
        StartResult result = start.start(
                trust.sessionId(), node.settings().node(), mine, node.slots().free(), overdue, withoutSlot);
        dispatch.started(result, jobs, secrets::of, lines, trust);
        return result;
    }

    /**
     * Leaves the tasks of a job to others. They are no longer ours: compensation gives them back, if nobody takes them
     * over before.
     */
    private void leave(List<Claim> claims, JobKey job, String why) {
        for (Claim claim : claims) {
            entry(claim)
                    .filter(entry -> entry.definition().key().equals(job))
                    .ifPresent(entry -> definitionCache.leave(claim.jobId(), entry, why));
        }
    }

    private Optional<CachedDefinition> entry(Claim claim) {
        return job(claim.task());
    }

    private Optional<CachedDefinition> job(Task task) {
        return definitionCache.find(task.jobId(), task.version());
    }

    private boolean setAside(Claim claim, DataProblem problem) {
        log.error("task {} is set aside: it cannot be started", claim.id(), problem);
        quarantine.prepared(claim, "cannot be started: " + problem.getMessage());
        return true;
    }
}
