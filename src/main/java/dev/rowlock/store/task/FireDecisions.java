package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Overrides;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.Elsewhere;
import dev.rowlock.policy.FireDecision;
import dev.rowlock.policy.FireDecision.Facts;
import dev.rowlock.policy.FireDecision.Kind;
import dev.rowlock.policy.FirePolicy;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.TaskHistory;
import dev.rowlock.store.task.Start.Result;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What is decided of the claims of one transaction, and what is written of it but for the starts themselves. */
final class FireDecisions {

    private final Map<Kind, List<Decided>> byKind = new EnumMap<>(Kind.class);
    private final Map<Long, Elsewhere> nowhere;
    private List<LaunchId> replaced = List.of();

    /**
     * @param misfire how late an occurrence may be started as if nothing were, unless its job says otherwise
     * @param slots how many may be started
     * @param session whose tasks they are to be
     * @param nowhere those that no node may run
     */
    record Limits(Duration misfire, int slots, String session, Map<Long, Elsewhere> nowhere) {}

    /** @param rows those that are still ours to start, by task */
    FireDecisions(Handle handle, List<Claim> claims, Map<Long, Row> rows, Limits limits) {
        this.nowhere = limits.nowhere;
        List<Claim> ours = new ArrayList<>(claims.size());
        List<Facts> facts = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Row row = rows.get(claim.id());
            if (row != null) {
                ours.add(claim);
                facts.add(row.facts(claim, limits.nowhere.get(claim.id())));
            }
        }
        FireDecision.Shared shared = new FireDecision.Shared(
                now(rows),
                limits.misfire,
                limits.slots,
                limits.session,
                LiveTasks.of(handle, jobs(facts, FirePolicy::concernsOthers)),
                RunCounts.of(handle, jobs(facts, policy -> policy.maxRuns() != null)),
                Groups.lock(handle, groups(facts), ours.stream().map(Claim::id).toList()));
        List<FireDecision> decisions = FireDecision.of(facts, shared);
        for (int i = 0; i < ours.size(); i++) {
            Claim claim = ours.get(i);
            Row row = Objects.requireNonNull(rows.get(claim.id()));
            FireDecision decision = decisions.get(i);
            byKind.computeIfAbsent(decision.kind(), kind -> new ArrayList<>()).add(new Decided(claim, row, decision));
        }
    }

    private static SortedSet<String> groups(List<Facts> tasks) {
        return tasks.stream()
                .flatMap(task -> Stream.ofNullable(task.policy().group()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Long> jobs(List<Facts> tasks, Predicate<FirePolicy> which) {
        return tasks.stream()
                .filter(task -> which.test(task.policy()))
                .map(Facts::jobId)
                .collect(Collectors.toSet());
    }

    /** The database's, when the rows were read. */
    private static Instant now(Map<Long, Row> rows) {
        return rows.values().stream()
                .findFirst()
                .map(row -> row.fireTime.plus(row.late))
                .orElse(Instant.EPOCH);
    }

    /** A claim with its row, and what becomes of it. */
    record Decided(Claim claim, Row row, FireDecision decision) {

        private StartedTask started(Map<Integer, Long> counters) {
            return new StartedTask(
                    claim.id(),
                    claim.jobId(),
                    claim.version(),
                    claim.shard(),
                    row.fireTime,
                    row.attempt,
                    row.cause,
                    claim.launch(),
                    Objects.requireNonNull(counters.get(claim.shard())) + 1,
                    row.overrides);
        }

        private Ending ending(Outcome outcome) {
            return Ending.without(
                            claim.id(), claim.held(), claim.shard(), outcome, Objects.requireNonNull(decision.reason()))
                    .supersededBy(outcome == Outcome.SKIPPED ? decision.by() : null);
        }
    }

    List<Claim> claims(Kind kind) {
        return decided(kind).stream().map(Decided::claim).toList();
    }

    private List<Decided> decided(Kind kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    /** What ends, what is held, and what follows for others. */
    void write(Handle handle, String node) {
        List<Ending> endings = Stream.of(
                        endings(Kind.SKIP, Outcome.SKIPPED),
                        endings(Kind.MISS, Outcome.MISSED),
                        endings(Kind.CANCEL, Outcome.CANCELLED),
                        displaced(false).map(d -> d.ending()))
                .flatMap(e -> e)
                .toList();
        TaskHistory.record(handle, endings, node);
        Holding.hold(handle, decided(Kind.HOLD));
        NodeWaits.await(handle, nowhere, ids(Kind.HOLD));
        NodeWaits.forget(handle, nowhere, ids(Kind.MISS));
        writeGroups(handle);
        replaced = Replacing.ask(handle, displaced(true).toList());
        RunCounts.count(handle, started(task -> task.claim.policy().maxRuns() != null && task.row.isCounted()));
        Waiters.wake(handle, ended());
    }

    private void writeGroups(Handle handle) {
        Predicate<Decided> isGrouped = d -> d.claim.policy().group() != null;
        List<Decided> done = Stream.of(Kind.START, Kind.SKIP, Kind.MISS, Kind.CANCEL)
                .flatMap(kind -> decided(kind).stream())
                .filter(isGrouped)
                .toList();
        List<Decided> held = decided(Kind.HOLD).stream()
                .filter(d -> d.decision.hold() == Hold.GROUP)
                .toList();
        if (!held.isEmpty()) {
            Groups.await(handle, held);
        }
        if (!done.isEmpty()) {
            Groups.stopWaiting(handle, Groups.ids(done));
            Groups.take(handle, started(isGrouped));
        }
    }

    private List<Decided> started(Predicate<Decided> which) {
        return decided(Kind.START).stream().filter(which).toList();
    }

    private Stream<Ending> endings(Kind kind, Outcome outcome) {
        return decided(kind).stream().map(d -> d.ending(outcome));
    }

    /** Jobs of which a task ended that others may have waited for. */
    private Set<Long> ended() {
        return Stream.of(Kind.SKIP, Kind.MISS, Kind.CANCEL)
                .flatMap(kind -> decided(kind).stream())
                .filter(d -> d.claim.policy().wakes())
                .map(d -> d.claim.jobId())
                .collect(Collectors.toSet());
    }

    private Stream<Displaced> displaced(boolean executing) {
        return Stream.of(Kind.START, Kind.HOLD)
                .flatMap(kind -> decided(kind).stream())
                .flatMap(d -> d.decision.displaced().stream()
                        .filter(other -> (other.task().state() == TaskState.EXECUTING) == executing)
                        .map(other -> new Displaced(other.task(), d.claim, other.reason())));
    }

    /** A task that ends for a claim of the same job. */
    record Displaced(LiveTask task, Claim by, String reason) {

        private Ending ending() {
            return Ending.without(task.id(), task.launch(), by.shard(), Outcome.SKIPPED, reason)
                    .supersededBy(by.id());
        }
    }

    Result result(Map<Integer, Long> counters) {
        Set<Long> ended = Stream.of(Kind.SKIP, Kind.MISS, Kind.CANCEL)
                .flatMap(kind -> ids(kind).stream())
                .collect(Collectors.toSet());
        return new Result(
                decided(Kind.START).stream().map(d -> d.started(counters)).toList(),
                ids(Kind.EARLY),
                ids(Kind.NO_SLOT),
                ended,
                replaced);
    }

    private Set<Long> ids(Kind kind) {
        return decided(kind).stream().map(d -> d.claim.id()).collect(Collectors.toSet());
    }

    /**
     * One row as it stands under the lock.
     *
     * @param version of its job; 0: there is no such job
     * @param executing a task of its job that executes; null: none does
     */
    record Row(
            long id,
            LaunchId launch,
            Instant fireTime,
            int attempt,
            Cause cause,
            boolean due,
            Duration late,
            int version,
            boolean held,
            @Nullable Long executing,
            String origin,
            boolean queued,
            long jitterMillis,
            Overrides overrides,
            int selector) {

        /** By the order of the columns and without dates: hundreds of them are read while others wait for the lock. */
        static Row read(ResultSet row) throws SQLException {
            long executing = row.getLong(10);
            boolean none = row.wasNull();
            return new Row(
                    row.getLong(1),
                    new LaunchId(row.getString(2)),
                    Instant.ofEpochMilli(row.getLong(3)),
                    row.getInt(4),
                    Cause.valueOf(row.getString(5)),
                    row.getBoolean(6),
                    Duration.of(row.getLong(7), ChronoUnit.MICROS),
                    row.getInt(8),
                    row.getBoolean(9),
                    none ? null : Long.valueOf(executing),
                    row.getString(11),
                    row.getBoolean(12),
                    row.getLong(13),
                    Overrides.read(row.getString(14)),
                    row.getInt(15));
        }

        private Facts facts(Claim claim, @Nullable Elsewhere elsewhere) {
            return new Facts(
                    claim.jobId(),
                    task(claim),
                    late.minusMillis(jitterMillis),
                    due,
                    version == claim.version() && !held,
                    executing,
                    elsewhere,
                    claim.policy().with(overrides.overlap()));
        }

        private LiveTask task(Claim claim) {
            return new LiveTask(
                    id,
                    claim.version(),
                    fireTime,
                    origin,
                    attempt,
                    cause,
                    TaskState.PREPARED,
                    null,
                    queued,
                    null,
                    launch,
                    false,
                    false);
        }

        private boolean isCounted() {
            return FireDecision.isCounted(origin, cause);
        }
    }
}
