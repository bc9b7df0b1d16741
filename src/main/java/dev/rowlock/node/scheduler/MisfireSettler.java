package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.definition.Outcome;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.store.KnownFreezes;
import dev.rowlock.node.Counts;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.RetryBackoff;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.NotRunReason;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.FrozenOccurrences;
import dev.rowlock.task.rule.MisfireDecision;
import dev.rowlock.task.transition.Misfires;
import dev.rowlock.task.transition.Misfires.FreezesAsked;
import dev.rowlock.task.transition.Misfires.LateOccurrence;
import dev.rowlock.task.transition.Quarantine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settlement of misfires: occurrences whose time is long past, job by job. It needs no slot, so it goes on while none
 * is free.
 */
final class MisfireSettler {

    private static final Logger log = LoggerFactory.getLogger(MisfireSettler.class);

    /** Approximate bound on rows that are written at a time. */
    private static final int ROWS = 1_000;

    private final EngineSettings settings;
    private final DatabaseClock clock;
    private final Counts counts;
    private final Misfires misfires;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final KnownFreezes freezes;
    /** Decisions that failed, by job. */
    private final RetryBackoff<MisfireDecision> postponed;

    private boolean unsettled;

    MisfireSettler(Misfires misfires, Quarantine quarantine, DefinitionCache definitionCache, NodeContext node) {
        this.settings = node.settings();
        this.clock = node.clock();
        this.counts = node.counts();
        this.freezes = node.freezes();
        this.misfires = misfires;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.postponed = new RetryBackoff<>(
                node.nanos(),
                MisfireSettler::job,
                d -> "the missed occurrences of job " + job(d) + " cannot be settled");
    }

    /**
     * Returns the jobs of these candidates of which an occurrence is a misfire, or one that somebody holds as prepared.
     */
    Set<Long> misfired(List<Task> candidates, Instant now) {
        Set<Long> misfired = new HashSet<>();
        Map<Long, Duration> suspects = new HashMap<>();
        Instant earliest = clock.earliest(); // until its time is over for certain, it may still start
        for (Task task : candidates) {
            var entry = definitionCache.find(task.jobId(), task.version());
            if (entry.isPresent() && !isHeldBySeveral(task, entry.get(), now)) {
                Duration threshold = entry.get().policy().threshold(settings.misfireThreshold());
                if (MisfireDecision.isMisfire(task.cause(), task.late(earliest), threshold)) {
                    misfired.add(task.jobId());
                } else if (task.cursor() && isLeftLying(task, now)) {
                    suspects.put(task.jobId(), threshold);
                }
            }
        }
        suspects.keySet().removeAll(misfired);
        if (!suspects.isEmpty()) {
            misfires.dueSince(suspects.keySet()).forEach((job, late) -> {
                if (MisfireDecision.isMisfire(Cause.SCHEDULE, late, suspects.getOrDefault(job, late))) {
                    misfired.add(job);
                }
            });
        }
        return misfired;
    }

    /**
     * Returns whether the start will hold it for a freeze, beside others of its job: it is no misfire, and only the
     * start knows how many may wait.
     */
    private boolean isHeldBySeveral(Task task, CachedDefinition job, Instant now) {
        return job.policy().keepsSeveral()
                && freezes.current()
                        .of(job.definition(), now)
                        .filter(by -> by.covered(task.scheduled())
                                && by.skips(task.scheduled()).isEmpty())
                        .isPresent();
    }

    /**
     * Returns the candidates of jobs of which nothing older waits: that has its turn first, or all is settled together.
     */
    List<Task> withNothingOlder(List<Task> candidates, Instant now) {
        return misfires.withNothingOlder(candidates, now.minus(settings.misfireThreshold()));
    }

    /**
     * Returns whether nobody was there to prepare the occurrence at the cursor, which happens before its time. Those
     * prepared before it may have been left since.
     */
    private boolean isLeftLying(Task task, Instant now) {
        return task.cause() == Cause.SCHEDULE && task.late(now).compareTo(settings.takeover()) > 0;
    }

    /** Returns whether some misfires were settled and the last scan may have hidden more. */
    boolean isUnsettled() {
        return unsettled;
    }

    /** Notes whether there may be more, for {@link #isUnsettled}. */
    void unsettled(boolean mayBeMore) {
        unsettled = mayBeMore;
    }

    /** Returns which of these jobs may be settled now. */
    LongPredicate ready(Set<Long> jobs) {
        return postponed.ready(jobs::contains);
    }

    Set<Long> leftOut() {
        return postponed.leftOut();
    }

    /** Notes that all jobs with something due were found, except those left out. */
    void found(Set<Long> leftOut, Set<Long> jobs) {
        postponed.found(leftOut, jobs);
    }

    /** Returns since when those are due that could not be settled. */
    Stream<Instant> postponed() {
        return postponed.items().stream().map(d -> d.first().fireTime());
    }

    /**
     * Settles some of them: a pass stays short however many there are, and due tasks are fired between two passes.
     *
     * @return true: some of them are settled, and there may be more
     */
    boolean settle(Trust trust, Set<Long> jobs, Instant now) {
        LongPredicate isReady = ready(jobs);
        List<Long> ready = jobs.stream().filter(isReady::test).toList();
        if (ready.isEmpty()) {
            return false;
        }
        Collection<List<LateOccurrence>> late = overdue(ready, Set.of());
        FreezesAsked asked = asked();
        List<Freeze> freezes =
                freezesSince(asked, late.stream().map(of -> of.get(0).row()), now);
        Iterator<List<LateOccurrence>> rows = late.iterator();
        int settled = 0;
        while (rows.hasNext() && settled == 0) {
            settled = settle(trust, decideSome(rows, freezes, now), asked);
        }
        if (settled > 0) {
            log.info("settled the missed occurrences of {} jobs", settled);
        }
        return settled > 0;
    }

    /**
     * Result for jobs that a freeze held.
     *
     * @param settled whether something was written
     * @param uncovered the jobs of which nothing more came due under it, so that no freeze holds their cursors
     */
    record SettledJobs(boolean settled, Set<Long> uncovered) {}

    /**
     * Settles what came due of these jobs while freezes covered them. It comes late because somebody wanted that, and
     * is no misfire.
     *
     * @param thawed those that no freeze covers any more
     */
    SettledJobs settleFrozen(Trust trust, List<Long> jobs, Set<Long> thawed, Instant now) {
        LongPredicate isReady = ready(Set.copyOf(jobs));
        Collection<List<LateOccurrence>> overdue =
                overdue(jobs.stream().filter(isReady::test).toList(), thawed);
        FreezesAsked asked = asked();
        List<Freeze> freezes =
                freezesSince(asked, overdue.stream().map(late -> late.get(0).row()), now);
        List<MisfireDecision> decisions = new ArrayList<>();
        Set<Long> uncovered = new HashSet<>();
        for (List<LateOccurrence> late : overdue) {
            Task first = late.get(0).row();
            definitionCache.find(first.jobId(), first.version()).ifPresent(job -> {
                List<Task> rows = late.stream()
                        .map(LateOccurrence::row)
                        .dropWhile(row -> row.hold() != Hold.FREEZE
                                && !FrozenOccurrences.isCovered(row, job.definition(), freezes))
                        .toList();
                if (!rows.isEmpty()) {
                    FrozenOccurrences.decide(rows, job.definition(), 0, freezes, job.schedule(), now)
                            .ifPresentOrElse(decisions::add, () -> uncovered.add(first.jobId()));
                }
            });
        }
        return new SettledJobs(settle(trust, decisions, asked) > 0, uncovered);
    }

    private FreezesAsked asked() {
        return freezes.wereNone() ? FreezesAsked.NONE : FreezesAsked.ALL;
    }

    /** Returns the freezes that were in force since the first of these tasks was due; reads none if there never was. */
    private List<Freeze> freezesSince(FreezesAsked asked, Stream<Task> tasks, Instant now) {
        return asked == FreezesAsked.NONE
                ? List.of()
                : tasks.map(Task::scheduled)
                        .min(Instant::compareTo)
                        .map(first -> misfires.freezesSince(first, now))
                        .orElse(List.of());
    }

    /** Returns the overdue occurrences by job. */
    private Collection<List<LateOccurrence>> overdue(List<Long> jobs, Set<Long> thawed) {
        Map<Long, List<LateOccurrence>> byJob = new LinkedHashMap<>();
        if (jobs.isEmpty()) {
            return byJob.values();
        }
        for (LateOccurrence late : misfires.overdue(jobs, thawed)) {
            byJob.computeIfAbsent(late.row().jobId(), id -> new ArrayList<>()).add(late);
        }
        return byJob.values();
    }

    /**
     * Decides on some jobs. An occurrence that is given up does not come back, so the database's own clock has the last
     * word, not our estimate of it.
     */
    private List<MisfireDecision> decideSome(
            Iterator<List<LateOccurrence>> overdue, List<Freeze> freezes, Instant now) {
        List<MisfireDecision> decisions = new ArrayList<>();
        int weight = 0;
        while (overdue.hasNext() && weight < ROWS) {
            List<LateOccurrence> late = overdue.next();
            Task first = late.get(0).row();
            MisfireDecision decision = definitionCache
                    .find(first.jobId(), first.version())
                    .flatMap(job -> decide(late, job, freezes, now))
                    .orElse(null);
            if (decision != null) {
                decisions.add(decision);
                weight += decision.weight();
            }
        }
        return decisions;
    }

    /** Decides on the late occurrences of a job: first on those that came due under a freeze, which are no misfires. */
    private Optional<MisfireDecision> decide(
            List<LateOccurrence> late, CachedDefinition job, List<Freeze> freezes, Instant now) {
        boolean several = job.policy().keepsSeveral(); // what is held of it already stays as it is
        List<LateOccurrence> open = late.stream()
                .filter(one -> !several || one.row().hold() != Hold.FREEZE)
                .toList();
        if (open.isEmpty() || !isMisfire(open.get(0), job.policy())) {
            return Optional.empty();
        }
        List<Task> rows = open.stream().map(LateOccurrence::row).toList();
        return FrozenOccurrences.decide(rows, job.definition(), late.size() - open.size(), freezes, job.schedule(), now)
                .or(() ->
                        Optional.of(FrozenOccurrences.misfires(rows, job.definition(), freezes, job.schedule(), now)));
    }

    private boolean isMisfire(LateOccurrence first, FirePolicy policy) {
        return MisfireDecision.isMisfire(Cause.SCHEDULE, first.by(), policy.threshold(settings.misfireThreshold()));
    }

    private int settle(Trust trust, List<MisfireDecision> decisions, FreezesAsked asked) {
        Set<Long> awaited = decisions.stream()
                .map(MisfireDecision::first)
                .filter(this::isAwaited)
                .map(Task::jobId)
                .collect(Collectors.toSet());
        return postponed
                .run(
                        decisions,
                        part -> {
                            List<MisfireDecision> done =
                                    misfires.settle(trust.sessionId(), part, asked, awaited::contains);
                            if (done.isEmpty() && asked == FreezesAsked.NONE) {
                                freezes.doubt(); // it may be that there is one, so they are asked next time
                            }
                            done.forEach(this::count);
                            return done.size();
                        },
                        this::setAside)
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private boolean isAwaited(Task row) {
        return definitionCache
                .find(row.jobId(), row.version())
                .filter(entry -> entry.policy().wakes())
                .isPresent();
    }

    private void count(MisfireDecision decision) {
        decision.missed().forEach(missed -> {
            NotRunReason frozen = missed.outcome() == Outcome.SKIPPED ? NotRunReason.FREEZE : NotRunReason.DEADLINE;
            counts.notRun(decision.rules().frozen() == null ? NotRunReason.MISFIRE : frozen, missed.occurrences());
        });
    }

    private boolean setAside(MisfireDecision decision, DataProblem problem) {
        log.error("the missed occurrences of job {} are set aside: they cannot be settled", job(decision), problem);
        quarantine.idle(
                decision.rows().stream().map(r -> r.ref()).toList(),
                "the missed occurrences cannot be settled: " + problem.getMessage());
        return true;
    }

    private static long job(MisfireDecision decision) {
        return decision.first().jobId();
    }
}
