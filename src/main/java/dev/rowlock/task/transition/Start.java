package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.Database;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.Locks.HeldStripes;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.freeze.Freezes;
import dev.rowlock.freeze.store.KnownFreezes;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.EligibleNodes;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.FireDecisions;
import dev.rowlock.task.store.FireDecisions.CoveringClaims;
import dev.rowlock.task.store.FireDecisions.StartLimits;
import dev.rowlock.task.store.FoundTask;
import dev.rowlock.task.store.OwnerSession;
import dev.rowlock.task.store.SessionGone;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.store.TaskColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Transition prepared → executing: of our own tasks when they are due (fire), of another's when they are overdue
 * (takeover).
 */
public final class Start {

    private static final String OVERDUE = """
            select %s
              from task t force index (due)
             where t.idle = 0 and t.state = 'PREPARED' and t.due_at <= utc_timestamp(6) - interval :overdue microsecond
               and t.session_id <> :session and %s%s%s
             order by %s limit :batch
            """;
    /**
     * Update by two lists. No two tasks carry the same launch id, so they match no pair that was not claimed. A task
     * starts at the instant as of which that was decided: it may not be later than the last one allowed.
     */
    public static final String FIRE = """
            update task force index (primary)
               set state = 'EXECUTING', started_at = '%s'
             where id in (%s) and launch_id in (%s) and state = 'PREPARED' and due_at <= utc_timestamp(6)
            """;

    private static final String TAKE_OVER = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', held varchar(48) character set ascii path '$[1]',
                     launch varchar(48) character set ascii path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
              left join session s on s.id = t.session_id
               set t.state = 'EXECUTING', t.launch_id = v.launch, t.session_id = :session,
                   t.started_at = :at, t.taken_from = v.held, t.taken_node = s.node
             where t.state = 'PREPARED' and t.launch_id = v.held
               and t.due_at <= utc_timestamp(6) - interval :overdue microsecond
            """;
    /** Approximate bound on rows given back with misfires at a time: others wait for the stripes. */
    private static final int GIVEN_BACK = 1_000;

    private final Database database;
    private final Duration misfire;
    private final Supplier<Instant> latest;
    private final Supplier<Map<Integer, Selector>> selectors;
    private final ObeyedFreezes freezes;

    /** Creates one that reads all selectors it needs. */
    public Start(Database database, Duration misfire, Supplier<Instant> latest) {
        this(database, misfire, latest, Map::of, new ObeyedFreezes(new KnownFreezes(), claim -> Optional.empty()));
    }

    /**
     * Creates one that knows some selectors.
     *
     * @param misfire how late an occurrence may still start normally; a later one is given back
     * @param latest read for each transaction: while the database's clock shows a later time, nothing is due by it
     * @param selectors those that are known and need not be read
     * @param freezes those that keep tasks from starting
     */
    public Start(
            Database database,
            Duration misfire,
            Supplier<Instant> latest,
            Supplier<Map<Integer, Selector>> selectors,
            ObeyedFreezes freezes) {
        this.freezes = freezes;
        this.selectors = selectors;
        this.database = database;
        this.misfire = misfire;
        this.latest = latest;
    }

    /**
     * Freezes that starts obey.
     *
     * @param known to this node
     * @param jobs the definitions of the jobs of claims
     */
    public record ObeyedFreezes(KnownFreezes known, Function<Claim, Optional<JobDefinition>> jobs) {

        private static final Set<FreezeEffect> SKIPPING = EnumSet.of(FreezeEffect.SKIP);
        private static final Set<FreezeEffect> EITHER = EnumSet.allOf(FreezeEffect.class);

        private @Nullable CoveringFreezes of(Freezes freezes, Claim claim, Instant now) {
            Task task = claim.task();
            return task.isFreezable()
                    ? jobs.apply(claim)
                            .flatMap(job -> freezes.of(job, now, task.scheduled(), late(claim)))
                            .orElse(null)
                    : null;
        }

        /**
         * Returns what counts of freezes that are over by now. What came due under one that holds is held still, where
         * its job keeps the latest alone: that is decided of all that came due, once ({@code queued}).
         */
        private static Set<FreezeEffect> late(Claim claim) {
            Task task = claim.task();
            if (!task.isSkippable()) {
                return Set.of();
            }
            return task.queued() || task.origin().isPart() || claim.policy().keepsSeveral() ? SKIPPING : EITHER;
        }
    }

    /** Treatment of our own tasks that find no slot. */
    public enum NoSlot {
        /** Given back: another node may have a slot. */
        GIVE_BACK,
        /** Kept prepared, as there is no other node. */
        KEEP
    }

    /**
     * Tasks that others have prepared and not fired.
     *
     * @param end position up to which everything was found; null: this is all there is
     */
    public record OverdueClaims(
            List<Claim> claims, @Nullable DuePosition end) {}

    /** Finds what others have prepared and not fired, from a row on, except what the filter leaves out. */
    public OverdueClaims overdue(
            String session,
            Duration overdue,
            DuePosition from,
            int batch,
            ScanFilter filter,
            Supplier<LaunchId> launches) {
        return database.autoCommit("looking for overdue tasks", handle -> {
            List<Claim> claims = handle.createQuery(OVERDUE.formatted(
                            TaskColumns.OF_TASK,
                            FeatureLevel.MET,
                            from.behind(),
                            filter.prepared(),
                            DuePosition.ORDER_BY))
                    .bind("overdue", Acquire.micros(overdue))
                    .bind("session", session)
                    .bind("batch", batch)
                    .map((row, context) -> new Claim(TaskColumns.read(row), launches.get(), FirePolicy.PLAIN))
                    .list();
            return new OverdueClaims(
                    claims,
                    claims.size() < batch
                            ? null
                            : DuePosition.of(claims.get(claims.size() - 1).task()));
        });
    }

    /**
     * Starts, in one transaction, the tasks that are still prepared under the launch id that the claim holds, are due,
     * and have a slot. What overlap does not let run ends as {@code SKIPPED}.
     *
     * @param slots how many may be started
     * @param overdue how long a task must have been due: zero to fire our own
     * @param withoutSlot treatment of our own tasks that find no slot
     * @throws SessionGone our session was expired
     */
    public StartResult start(
            String session, String node, List<Claim> claims, int slots, Duration overdue, NoSlot withoutSlot) {
        return database.transact("starting " + claims.size() + " tasks", handle -> {
            HeldStripes stripes =
                    Locks.lock(handle, claims.stream().map(Claim::stripe).collect(Collectors.toSet()));
            Map<Integer, Long> counters = stripes.counters();
            CandidateNode self = OwnerSession.node(handle, session);
            Map<Long, FoundTask> rows = FireFacts.read(handle, claims, overdue, latest.get());
            EligibleNodes places = new EligibleNodes(
                    handle,
                    self,
                    rows.values().stream().filter(FoundTask::due).toList(),
                    broadcasts(claims, rows),
                    selectors.get());
            List<Claim> released = claims.stream()
                    .filter(c -> places.released().contains(c.id()))
                    .toList();
            rows.keySet().removeAll(places.released());
            FireDecisions decisions = new FireDecisions(
                    handle, claims, rows, new StartLimits(misfire, slots, session, places, covering(handle, stripes)));
            rows.values().stream()
                    .findAny()
                    .ifPresent(
                            row -> start(handle, session, decisions.claims(DecisionKind.START), overdue, row.asOf()));
            count(handle, counters.keySet(), decisions.claims(DecisionKind.START));
            decisions.write(handle, node);
            GivenBack givenBack = giveBack(handle, decisions.misfiredSince());
            Release.toIdle(handle, held(own(released)));
            if (withoutSlot == NoSlot.GIVE_BACK) {
                Release.toIdle(handle, held(own(decisions.claims(DecisionKind.NO_SLOT))));
            }
            return decisions.result(counters, givenBack.ids(), givenBack.left());
        });
    }

    /** Returns the freezes as of the stripes: nothing that one covers starts once its maker was answered. */
    private CoveringClaims covering(Handle handle, HeldStripes stripes) {
        Freezes freezes = this.freezes.known().asOf(handle, stripes.rules());
        return freezes.areNone() ? (claim, now) -> null : (claim, now) -> this.freezes.of(freezes, claim, now);
    }

    /**
     * Gives back misfires, and what is prepared of their jobs behind them: none may start before all are decided
     * together.
     */
    private static GivenBack giveBack(Handle handle, Map<Long, Instant> misfiredSince) {
        if (misfiredSince.isEmpty()) {
            return new GivenBack(Set.of(), Set.of());
        }
        Map<Long, LaunchId> together = new HashMap<>();
        Set<Long> left = new HashSet<>();
        for (Map<Long, LaunchId> ofJob : Misfires.prepared(handle, misfiredSince)) {
            if (together.size() < GIVEN_BACK) {
                together.putAll(ofJob);
            } else {
                left.addAll(ofJob.keySet());
            }
        }
        Release.toIdle(handle, together);
        return new GivenBack(together.keySet(), left);
    }

    private record GivenBack(Set<Long> ids, Set<Long> left) {}

    private static Set<Long> broadcasts(List<Claim> claims, Map<Long, FoundTask> rows) {
        return claims.stream()
                .filter(claim -> claim.policy().broadcast() != null)
                .flatMap(claim -> Stream.ofNullable(rows.get(claim.id())))
                .filter(found -> found.task().isWhole())
                .map(FoundTask::id)
                .collect(Collectors.toSet());
    }

    private static void start(Handle handle, String session, List<Claim> claims, Duration overdue, Instant at) {
        List<Claim> others = claims.stream().filter(c -> !c.isOwn()).toList();
        int started = fire(handle, own(claims), at) + takeOver(handle, session, others, overdue, at);
        if (started != claims.size()) {
            throw new IllegalStateException("started " + started + " of " + claims.size() + " locked tasks");
        }
    }

    private static List<Claim> own(List<Claim> claims) {
        return claims.stream().filter(Claim::isOwn).toList();
    }

    static Map<Long, LaunchId> held(List<Claim> claims) {
        return claims.stream().collect(Collectors.toMap(Claim::id, Claim::held));
    }

    private static int fire(Handle handle, List<Claim> claims, Instant at) {
        return InList.change(
                handle,
                claims,
                part -> FIRE.formatted(
                        SqlTime.text(at),
                        InList.ids(part.stream().map(Claim::id).toList()),
                        InList.texts(
                                part.stream().map(claim -> claim.held().text()).toList())));
    }

    private static int takeOver(Handle handle, String session, List<Claim> claims, Duration overdue, Instant at) {
        if (claims.isEmpty()) {
            return 0;
        }
        return handle.createUpdate(TAKE_OVER)
                .bind(
                        "rows",
                        JsonRows.of(
                                claims,
                                c -> row(c.id(), c.held().text(), c.launch().text())))
                .bind("session", session)
                .bind("overdue", Acquire.micros(overdue))
                .bind("at", SqlTime.text(at))
                .execute();
    }

    /** Counts the starts of each stripe; where nothing starts, something may still be held. */
    private static void count(Handle handle, Set<Integer> locked, List<Claim> started) {
        Set<Integer> counted = started.stream().map(Claim::stripe).collect(Collectors.toSet());
        Locks.change(handle, counted);
        Locks.changeWhereNeeded(
                handle,
                locked.stream().filter(stripe -> !counted.contains(stripe)).toList());
    }
}
