package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Postponed;
import dev.rowlock.store.task.Claim;
import dev.rowlock.store.task.JobAtVersion;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Start;
import dev.rowlock.store.task.Start.NoSlot;
import dev.rowlock.store.task.Start.Result;
import dev.rowlock.store.task.StartedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves tasks to executing and hands them to the launcher, each only after a commit that is known to have succeeded.
 */
final class Firing {

    private static final Logger log = LoggerFactory.getLogger(Firing.class);

    private final NodeContext node;
    private final Start start;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final Commands commands;
    /** What could not be started; what of it is ours stays prepared. */
    private final Postponed<Claim> postponed;

    Firing(NodeContext node, Start start, Quarantine quarantine, DefinitionCache definitionCache, Commands commands) {
        this.node = node;
        this.start = start;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.commands = commands;
        this.postponed = new Postponed<>(node.nanos(), Claim::id, claim -> "task " + claim.id() + " cannot be started");
    }

    boolean mayStart() {
        return commands.mayStart();
    }

    /** What could not be started, and is tried again when it says so. */
    Postponed<Claim> postponed() {
        return postponed;
    }

    boolean isKnown(Claim claim) {
        return definitionCache.find(claim.jobId(), claim.version()).isPresent();
    }

    /** As many of them as memory bears the definitions of; the others come next. */
    List<Claim> loaded(List<Claim> claims) {
        Set<Long> left = definitionCache.load(claims.stream()
                .map(c -> new JobAtVersion(c.jobId(), c.version()))
                .toList());
        return left.isEmpty()
                ? claims
                : claims.stream().filter(c -> !left.contains(c.jobId())).toList();
    }

    /** @param overdue by how much each must be due */
    Result fire(Trust trust, List<Claim> claims, Duration overdue, NoSlot withoutSlot) {
        LongPredicate isReady = postponed.ready(claims.stream().map(Claim::id).collect(Collectors.toSet())::contains);
        List<Claim> known = claims.stream()
                .filter(c -> isReady.test(c.id()))
                .flatMap(
                        c -> definitionCache.find(c.jobId(), c.version()).map(entry -> c.with(entry.policy())).stream())
                .toList();
        Result sum = new Result(
                new ArrayList<>(), new HashSet<>(), new HashSet<>(), new HashSet<>(), new ArrayList<>(), List.of());
        // One that waits for the lock of its group is not to hold up the shards of all others.
        Map<String, List<Claim>> byGroup = known.stream()
                .collect(Collectors.groupingBy(
                        c -> Objects.requireNonNullElse(c.policy().group(), ""), TreeMap::new, Collectors.toList()));
        byGroup.values()
                .forEach(group -> postponed.run(
                        group, part -> run(start(part, trust, overdue, withoutSlot), trust, sum), this::setAside));
        return sum;
    }

    private Result start(List<Claim> claims, Trust trust, Duration overdue, NoSlot withoutSlot) {
        return start.start(
                trust.sessionId(), node.settings().node(), claims, node.slots().free(), overdue, withoutSlot);
    }

    private void run(Result result, Trust trust, Result sum) {
        sum.started().addAll(result.started());
        sum.early().addAll(result.early());
        sum.full().addAll(result.full());
        result.replaced().forEach(commands::replace);
        result.notRun().forEach(reason -> node.counts().notRun(reason, 1));
        Instant now = node.clock().now();
        for (StartedTask task : result.started()) {
            commands.run(
                    task, definitionCache.find(task.jobId(), task.version()).orElseThrow(), trust, now);
        }
    }

    private boolean setAside(Claim claim, DataProblem problem) {
        log.error("task {} is set aside: it cannot be started", claim.id(), problem);
        quarantine.prepared(claim, "cannot be started: " + problem.getMessage());
        return true;
    }
}
