package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.definition.Outcome;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Hold;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.NotRunReason;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.rule.FireDecision;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.store.FireDecisions.Displacement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
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

/** Decisions on the claims of one transaction, and all that is written of them except the starts themselves. */
public final class FireDecisions {

    private static final String PARALLEL = """
            select b.id, b.parallel
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join backfill b force index (primary) on b.id = v.id
            """;

    private final Map<DecisionKind, List<Decided>> byKind = new EnumMap<>(DecisionKind.class);
    private final EligibleNodes places;
    private final String session;
    private List<LaunchId> replaced = List.of();

    /**
     * Limits of the decisions.
     *
     * @param misfire how late an occurrence may still start normally, unless its job says otherwise
     * @param slots how many may be started
     * @param session whose tasks they are to be
     * @param places where they may run
     * @param freezes those that cover the jobs of the claims
     */
    public record StartLimits(
            Duration misfire, int slots, String session, EligibleNodes places, CoveringClaims freezes) {}

    /**
     * Decides on these claims.
     *
     * @param rows those that are still ours to start, by task
     */
    public FireDecisions(Handle handle, List<Claim> claims, Map<Long, FoundTask> rows, StartLimits limits) {
        this.places = limits.places;
        this.session = limits.session;
        List<Claim> ours = new ArrayList<>(claims.size());
        List<StartFacts> facts = new ArrayList<>(claims.size());
        List<StartFacts> concerned = new ArrayList<>();
        for (Claim claim : claims) {
            FoundTask row = rows.get(claim.id());
            if (row != null) {
                ours.add(claim);
                StartFacts task =
                        row.facts(claim, places.nowhere().get(claim.id()), limits.freezes.of(claim, row.now()));
                facts.add(task);
                if (isConcerned(claim, task)) {
                    concerned.add(task);
                }
            }
        }
        FireDecision.Shared shared = new FireDecision.Shared(
                now(rows),
                limits.misfire,
                limits.slots,
                limits.session,
                OtherTasks.of(handle, facts, concerned),
                RunCounts.of(
                        handle,
                        facts.stream()
                                .filter(task -> task.policy().maxRuns() != null)
                                .map(StartFacts::jobId)
                                .collect(Collectors.toSet())),
                GroupSlots.lock(
                        handle, groups(facts), ours.stream().map(Claim::id).toList()),
                parallel(handle, facts));
        List<FireDecision> decisions = FireDecision.of(facts, shared);
        for (int i = 0; i < ours.size(); i++) {
            Claim claim = ours.get(i);
            FoundTask row = Objects.requireNonNull(rows.get(claim.id()));
            FireDecision decision = decisions.get(i);
            byKind.computeIfAbsent(decision.kind(), kind -> new ArrayList<>()).add(new Decided(claim, row, decision));
        }
    }

    /** Returns how many fire times of each backfill may execute at once; reads nothing where there is none. */
    private static Map<Long, Integer> parallel(Handle handle, List<StartFacts> tasks) {
        Set<Long> backfills = tasks.stream()
                .map(task -> task.task().origin())
                .filter(Origin::isBackfill)
                .map(Origin::backfill)
                .collect(Collectors.toSet());
        Map<Long, Integer> parallel = new HashMap<>();
        if (!backfills.isEmpty()) {
            query(handle, PARALLEL, "ids", JsonRows.ids(backfills))
                    .map((row, context) -> parallel.put(row.getLong("id"), row.getInt("parallel")))
                    .list();
        }
        return parallel;
    }

    private static SortedSet<String> groups(List<StartFacts> tasks) {
        return tasks.stream()
                .filter(task -> task.policy().group() != null)
                .map(task -> Objects.requireNonNull(task.policy().group()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns whether the job's other tasks are read: also where one run obeys an overlap that its job does not have,
     * but not for a part of a broadcast whose node no longer runs it.
     */
    private static boolean isConcerned(Claim claim, StartFacts task) {
        return (task.elsewhere() == null || !task.task().origin().isPart())
                && (task.concernsOthers()
                        || (task.policy().concernsExecuting() && !claim.policy().concernsExecuting()));
    }

    /** Freezes that cover the jobs of claims. */
    @FunctionalInterface
    public interface CoveringClaims {

        /** Returns those that cover it at that time; null: none does, or they leave it alone. */
        @Nullable
        CoveringFreezes of(Claim claim, Instant now);
    }

    /** Returns the database's time when the rows were read. */
    private static Instant now(Map<Long, FoundTask> rows) {
        return rows.values().stream().findFirst().map(FoundTask::now).orElse(Instant.EPOCH);
    }

    /** Claim with its row, and the decision on it. */
    record Decided(Claim claim, FoundTask row, FireDecision decision) {

        private Started started(String session, Map<Integer, Long> counters) {
            return new Started(
                    row.task().executing(claim.launch(), session),
                    Objects.requireNonNull(counters.get(claim.stripe())) + 1,
                    row.overrides());
        }

        private NotRunReason whyMissed(EligibleNodes places) {
            if (!places.nowhere().containsKey(claim.id())) {
                return NotRunReason.DEADLINE;
            }
            return row.task().origin().isPart() ? NotRunReason.NODE_GONE : NotRunReason.NO_NODE;
        }

        private Ending ending(Outcome outcome) {
            return Ending.without(claim.task().ref(), outcome, Objects.requireNonNull(decision.reason()))
                    .supersededBy(outcome == Outcome.SKIPPED ? decision.by() : null);
        }
    }

    public List<Claim> claims(DecisionKind kind) {
        return decided(kind).stream().map(Decided::claim).toList();
    }

    private List<Decided> decided(DecisionKind kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    /** Writes what ends, what is held, and what follows for others. */
    public void write(Handle handle, String node) {
        List<Ending> endings = Stream.of(
                        endings(DecisionKind.SKIP, Outcome.SKIPPED),
                        endings(DecisionKind.MISS, Outcome.MISSED),
                        endings(DecisionKind.CANCEL, Outcome.CANCELLED),
                        displaced(false).map(d -> d.ending()),
                        Expanding.expand(handle, decided(DecisionKind.EXPAND), places.everywhere()).stream())
                .flatMap(e -> e)
                .toList();
        HoldStore.hold(handle, decided(DecisionKind.HOLD)); // first: one of them may end for another, as held by nobody
        TaskHistory.record(handle, endings, node);
        Stopping.after(handle, notTriedAgain());
        Waits.forNode(
                handle,
                decided(DecisionKind.HOLD).stream()
                        .filter(d -> d.decision.hold() == Hold.NODE)
                        .map(d -> d.claim.id())
                        .filter(places.nowhere()::containsKey)
                        .toList());
        writeGroups(handle);
        replaced = Replacing.ask(handle, displaced(true).toList());
        RunCounts.count(handle, counted());
        Waiters.wake(handle, left(), FreedResource.TURN);
    }

    private List<Decided> counted() {
        return Stream.of(DecisionKind.START, DecisionKind.EXPAND)
                .flatMap(kind -> decided(kind).stream())
                .filter(task ->
                        task.claim.policy().maxRuns() != null && task.row.task().isCounted())
                .toList();
    }

    /** Returns parts of a broadcast that failed before, and now for good, as their node is gone. */
    private List<Stopping.Failed> notTriedAgain() {
        return decided(DecisionKind.MISS).stream()
                .filter(d -> d.claim.policy().stopsOnFailure()
                        && d.row.task().origin().isPart()
                        && d.row.task().isFurtherAttempt())
                .map(d -> new Stopping.Failed(d.row.task(), Outcome.MISSED))
                .toList();
    }

    /** Returns those that no node may run. */
    private Set<Long> nowhere(DecisionKind kind) {
        Set<Long> tasks = ids(kind);
        tasks.retainAll(places.nowhere().keySet());
        return tasks;
    }

    private void writeGroups(Handle handle) {
        Predicate<Decided> isGrouped = d -> d.claim.policy().group() != null;
        List<Decided> done = Stream.of(
                        DecisionKind.START,
                        DecisionKind.EXPAND,
                        DecisionKind.SKIP,
                        DecisionKind.MISS,
                        DecisionKind.CANCEL)
                .flatMap(kind -> decided(kind).stream())
                .filter(isGrouped)
                .toList();
        List<Decided> held = decided(DecisionKind.HOLD).stream()
                .filter(d -> d.decision.hold() == Hold.GROUP)
                .toList();
        Waits.forGroup(handle, held);
        Set<Long> waitNoMore = nowhere(DecisionKind.MISS);
        done.forEach(d -> waitNoMore.add(d.claim.id()));
        List<Displacement> replaced =
                displaced(false).filter(Displacement::mayHaveWaited).toList();
        Waits.inherit(handle, replaced);
        replaced.forEach(d -> waitNoMore.add(d.task.id()));
        Waits.forget(handle, waitNoMore);
        GroupSlots.take(handle, started(isGrouped));
    }

    private List<Decided> started(Predicate<Decided> which) {
        return decided(DecisionKind.START).stream().filter(which).toList();
    }

    private Stream<Ending> endings(DecisionKind kind, Outcome outcome) {
        return decided(kind).stream().map(d -> d.ending(outcome));
    }

    /**
     * Returns the jobs of which a task that others may have waited for has ended, or lets them by from now on, as it
     * has no node.
     */
    private Set<Long> left() {
        Stream<Decided> ended = Stream.of(DecisionKind.SKIP, DecisionKind.MISS, DecisionKind.CANCEL)
                .flatMap(kind -> decided(kind).stream());
        Stream<Decided> aside = decided(DecisionKind.HOLD).stream().filter(d -> places.isNews(d.claim.id()));
        Stream<Claim> left = Stream.concat(ended, aside)
                .filter(d -> d.claim.policy().wakesAs(d.row.overrides().overlap()))
                .map(Decided::claim);
        Stream<Claim> displacing = displaced(false)
                .map(Displacement::by)
                .filter(claim -> claim.policy().wakes());
        return Stream.concat(left, displacing).map(Claim::jobId).collect(Collectors.toSet());
    }

    private Stream<Displacement> displaced(boolean executing) {
        return Stream.of(DecisionKind.START, DecisionKind.HOLD)
                .flatMap(kind -> decided(kind).stream())
                .filter(d -> !d.decision.displaced().isEmpty())
                .flatMap(d -> d.decision.displaced().stream()
                        .filter(other -> (other.task().state() == TaskState.EXECUTING) == executing)
                        .map(other -> new Displacement(other.task(), d.claim, other.reason())));
    }

    /** Task that ends for a claim of the same job. */
    record Displacement(Task task, Claim by, String reason) {

        /** Returns whether it may have waited for its group, or for a node. */
        private boolean mayHaveWaited() {
            return by.policy().group() != null || task.hold() == Hold.NODE;
        }

        private Ending ending() {
            return Ending.without(task.ref(), Outcome.SKIPPED, reason).supersededBy(by.id());
        }
    }

    /** Returns the fire time of the first misfire, by job. */
    public Map<Long, Instant> misfiredSince() {
        return decided(DecisionKind.MISFIRED).stream()
                .collect(Collectors.toMap(
                        d -> d.claim.jobId(), d -> d.row.task().fireTime(), (a, b) -> a.isBefore(b) ? a : b));
    }

    /**
     * Returns the result of the transaction.
     *
     * @param givenBack the misfires and what was given back with them, except what was left
     */
    public StartResult result(Map<Integer, Long> counters, Set<Long> givenBack, Set<Long> left) {
        Set<Long> ended = Stream.of(DecisionKind.SKIP, DecisionKind.MISS, DecisionKind.CANCEL, DecisionKind.EXPAND)
                .flatMap(kind -> ids(kind).stream())
                .collect(Collectors.toSet());
        return new StartResult(
                decided(DecisionKind.START).stream()
                        .map(d -> d.started(session, counters))
                        .toList(),
                ids(DecisionKind.EARLY),
                ids(DecisionKind.NO_SLOT),
                ended,
                givenBack,
                left,
                replaced,
                notRun());
    }

    private List<NotRunReason> notRun() {
        return Stream.of(
                        decided(DecisionKind.SKIP).stream()
                                .map(d ->
                                        d.decision.hold() == Hold.FREEZE ? NotRunReason.FREEZE : NotRunReason.OVERLAP),
                        decided(DecisionKind.MISS).stream().map(d -> d.whyMissed(places)),
                        displaced(false).map(d -> NotRunReason.SUPERSEDED))
                .flatMap(reason -> reason)
                .toList();
    }

    private Set<Long> ids(DecisionKind kind) {
        return decided(kind).stream().map(d -> d.claim.id()).collect(Collectors.toSet());
    }

    /** Other tasks of the jobs of fired tasks: no more than the decision needs. */
    private static final class OtherTasks {

        private OtherTasks() {}

        /**
         * Reads the other tasks, by job.
         *
         * @param tasks those that are fired
         * @param concerned those of them that others may be in the way of
         */
        static Map<Long, List<Task>> of(Handle handle, Collection<StartFacts> tasks, Collection<StartFacts> concerned) {
            if (concerned.isEmpty()) {
                return Map.of();
            }
            Map<Long, List<StartFacts>> byJob = tasks.stream().collect(Collectors.groupingBy(StartFacts::jobId));
            Set<Long> whole =
                    jobs(concerned.stream().filter(StartFacts::concernsAll).toList());
            Set<Long> first = jobs(concerned);
            first.removeAll(whole);
            Map<Long, List<Task>> others = new HashMap<>(LiveTasks.inTheWayOf(
                    handle, tasks.stream().map(task -> task.task().id()).toList(), first));
            others.forEach(
                    (job, known) -> byJob.getOrDefault(job, List.of()).forEach(fired -> known.add(fired.task())));
            others.entrySet().stream()
                    .filter(job -> byJob.getOrDefault(job.getKey(), List.of()).stream()
                            .anyMatch(task -> !task.isDecidedBy(job.getValue())))
                    .forEach(job -> whole.add(job.getKey()));
            others.putAll(LiveTasks.of(handle, whole));
            return others;
        }

        private static Set<Long> jobs(Collection<StartFacts> tasks) {
            return tasks.stream().map(StartFacts::jobId).collect(Collectors.toCollection(HashSet::new));
        }
    }

    /** Requests to end executing tasks, within the transaction that holds what replaces them. */
    private static final class Replacing {

        private static final String NOTE = """
                update json_table(:rows, '$[*]' columns (id bigint path '$[0]', replaced_by bigint path '$[1]')) v
                  straight_join task t force index (primary) on t.id = v.id
                   set t.replaced_by = v.replaced_by
                 where t.state = 'EXECUTING' and t.replaced_by is null
                """;
        /** Request that lets an earlier one stand: by a person, or for the task that replaced it first. */
        private static final String ASK = """
                insert ignore into task_request (session_id, launch_id, kind, requested_at, replaced_by)
                select v.session, v.launch, 'KILL', utc_timestamp(3), v.replaced_by
                  from json_table(:rows, '$[*]' columns (
                         replaced_by bigint path '$[0]', session varchar(24) character set ascii path '$[1]',
                         launch varchar(48) character set ascii path '$[2]')) v
                """;

        private Replacing() {}

        /** Requests the ends, and returns the launch ids, so that those that run here need not wait for the request. */
        static List<LaunchId> ask(Handle handle, List<Displacement> tasks) {
            if (tasks.isEmpty()) {
                return List.of();
            }
            update(handle, NOTE, "rows", JsonRows.of(tasks, d -> row(d.task().id(), d.by().id())));
            update(
                    handle,
                    ASK,
                    "rows",
                    JsonRows.of(
                            tasks,
                            d -> row(d.by().id(), d.task().session(), launch(d).text())));
            return tasks.stream().map(Replacing::launch).toList();
        }

        private static LaunchId launch(Displacement displaced) {
            return Objects.requireNonNull(displaced.task().launch());
        }
    }
}
