package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.engine.Postponed;
import dev.rowlock.policy.MisfireDecision;
import dev.rowlock.policy.MisfireDecision.Overdue;
import dev.rowlock.store.task.Misfires;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Quarantine.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles, job by job, occurrences whose time is long past. */
final class Settling {

    private static final Logger log = LoggerFactory.getLogger(Settling.class);

    private final Misfires misfires;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    /** By job. */
    private final Postponed<MisfireDecision> postponed;

    Settling(Misfires misfires, Quarantine quarantine, DefinitionCache definitionCache, LongSupplier nanos) {
        this.misfires = misfires;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.postponed = new Postponed<>(
                nanos, Settling::job, d -> "the missed occurrences of job " + job(d) + " cannot be settled");
    }

    /** Which of these jobs may be settled now. */
    LongPredicate ready(Set<Long> jobs) {
        return postponed.ready(jobs::contains);
    }

    Set<Long> leftOut() {
        return postponed.leftOut();
    }

    /** All jobs with something due were found, these left out. */
    void found(Set<Long> leftOut, Set<Long> jobs) {
        postponed.found(leftOut, jobs);
    }

    /** Since when those are due that could not be settled. */
    Stream<Instant> postponed() {
        return postponed.items().stream().map(d -> d.first().fireTime());
    }

    /** True: some of them are settled. */
    boolean settle(Trust trust, Set<Long> jobs, Instant now) {
        LongPredicate isReady = ready(jobs);
        List<Long> ready = jobs.stream().filter(isReady::test).toList();
        if (ready.isEmpty()) {
            return false;
        }
        Map<Long, List<Overdue>> byJob = new LinkedHashMap<>();
        for (Overdue row : misfires.overdue(ready)) {
            byJob.computeIfAbsent(row.jobId(), id -> new ArrayList<>()).add(row);
        }
        List<MisfireDecision> decisions = new ArrayList<>();
        byJob.forEach((job, rows) -> definitionCache
                .find(job, rows.get(0).version())
                .ifPresent(entry -> decisions.add(MisfireDecision.runOnce(rows, entry.schedule(), now))));
        AtomicInteger settled = new AtomicInteger();
        postponed.run(decisions, part -> settled.addAndGet(misfires.settle(trust.sessionId(), part)), this::setAside);
        if (settled.get() > 0) {
            log.info("settled the missed occurrences of {} jobs", settled);
        }
        return settled.get() > 0;
    }

    private boolean setAside(MisfireDecision decision, DataProblem problem) {
        log.error("the missed occurrences of job {} are set aside: they cannot be settled", job(decision), problem);
        quarantine.idle(
                decision.rows().stream()
                        .map(r -> new Row(r.id(), r.version(), r.shard()))
                        .toList(),
                "the missed occurrences cannot be settled: " + problem.getMessage());
        return true;
    }

    private static long job(MisfireDecision decision) {
        return decision.first().jobId();
    }
}
