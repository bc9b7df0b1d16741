package dev.rowlock.freeze.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.freeze.FreezeJson;
import dev.rowlock.freeze.FreezeRequest;
import dev.rowlock.freeze.FreezeRequest.FreezeChange;
import dev.rowlock.freeze.Freezes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Freezes in the database. Each change is one transaction under the locks of all stripes, and raises the number of the
 * rules: see {@link Locks#raiseRules}. Thread-safe.
 */
public final class FreezeStore {

    /** Bound on freezes that are not over: each start looks at all of them. */
    private static final int MOST = 100;

    private static final int PAGE = 200;

    private static final String COLUMNS = "f.id, f.scope, f.effect, f.from_at, f.until_at, f.reason, f.made_by,"
            + " f.created_at, f.held_until, f.ended_by";
    /**
     * Query of what nodes keep in mind, also the latest that are over, as what came due under them may be decided late;
     * one row without a freeze if there is none.
     */
    private static final String KNOWN = """
            select l.rules, %s
              from cluster_lock l
              left join (select * from freeze force index (by_end)
                          where until_at > utc_timestamp(3)
                         union
                         (select * from freeze force index (by_end)
                           where until_at <= utc_timestamp(3) and until_at > utc_timestamp(3) - interval 1 day
                           order by until_at desc limit 100)
                         union
                         select * from freeze force index (by_held) where held_until is not null) f on true
             where l.name = 'task-00'
             order by f.id
            """.formatted(COLUMNS);

    private static final String OVERLAPPING =
            "select %s from freeze f where f.until_at > :first and f.from_at <= :last order by f.id".formatted(COLUMNS);
    private static final String LIST = """
            select %s, utc_timestamp(3) as now from freeze f
             where :before is null or f.id < :before order by f.id desc limit :most
            """.formatted(COLUMNS);
    private static final String FIND = "select %s from freeze f where f.id = :id".formatted(COLUMNS);
    private static final String SOME = "select %s from freeze f where f.id in (<ids>)".formatted(COLUMNS);
    /** Labels of a job, and the database's time. */
    private static final String LABELS = """
            select json_extract(definition, '$.labels') as labels, utc_timestamp(3) as now
              from job where namespace = :namespace and name = :name
            """;

    private static final String COUNT = "select count(*) from freeze where until_at > utc_timestamp(3)";
    private static final String ADD = """
            insert into freeze (scope, effect, from_at, until_at, reason, made_by, created_at, changed_at)
            values (:scope, :effect, :from, :until, :reason, :by, utc_timestamp(3), utc_timestamp(3))
            """;
    private static final String CHANGE = """
            update freeze set from_at = :from, until_at = :until, reason = :reason, held_until = :held,
                   ended_by = :ended, changed_at = utc_timestamp(3)
             where id = :id
            """;
    private static final String WOKEN = """
            update freeze set held_until = null where id = :id and until_at = :until and held_until = :held
            """;

    private final Database database;

    public FreezeStore(Database database) {
        this.database = database;
    }

    /** Freeze, and the database's time when it was read. */
    public record FreezeAt(Freeze freeze, Instant now) {

        public ObjectNode json() {
            return FreezeJson.of(freeze, now);
        }
    }

    /** Result of an attempt to add a freeze or to change one. */
    public enum FreezeRefusal {
        /** There are as many that are not over as may be. */
        TOO_MANY,
        NOT_THERE,
        OVER
    }

    /** @param refused why nothing was written; null: it was */
    public record SavedFreeze(
            @Nullable FreezeAt saved, @Nullable FreezeRefusal refused) {

        static SavedFreeze not(FreezeRefusal why) {
            return new SavedFreeze(null, why);
        }
    }

    /**
     * Lists the freezes made before this one that are wanted, newest first.
     *
     * @param wanted by the freeze and the database's time
     */
    public List<FreezeAt> list(@Nullable Long before, int most, BiPredicate<Freeze, Instant> wanted) {
        List<FreezeAt> found = new ArrayList<>();
        @Nullable Long from = before;
        List<FreezeAt> page;
        do {
            @Nullable Long next = from;
            page = database.autoCommit(
                    "listing freezes",
                    handle -> query(handle, LIST, "before", next, "most", PAGE)
                            .map((row, context) -> new FreezeAt(read(row), SqlTime.read(row, "now")))
                            .list());
            page.stream().filter(at -> wanted.test(at.freeze, at.now)).forEach(found::add);
            from = page.isEmpty()
                    ? from
                    : Long.valueOf(page.get(page.size() - 1).freeze.id());
        } while (page.size() == PAGE && found.size() < most);
        return found.subList(0, Math.min(most, found.size()));
    }

    public Optional<FreezeAt> find(long id) {
        return database.autoCommit(
                "reading freeze " + id,
                handle -> find(handle, id).map(freeze -> new FreezeAt(freeze, SqlTime.now(handle))));
    }

    /**
     * Adds a freeze: once it is committed, nothing that it covers starts.
     *
     * @throws dev.rowlock.field.InvalidDefinition it would end before it begins
     */
    public SavedFreeze add(FreezeRequest asked, Audit audit) {
        return database.transact("adding a freeze", handle -> {
            long unused = Locks.raiseRules(handle);
            Instant now = SqlTime.now(handle);
            if (handle.createQuery(COUNT).mapTo(Integer.class).one() >= MOST) {
                return SavedFreeze.not(FreezeRefusal.TOO_MANY);
            }
            long id = handle.createUpdate(ADD)
                    .bind("scope", FreezeJson.stored(asked.scope()))
                    .bind("effect", asked.then().name())
                    .bind("from", SqlTime.text(asked.from(now)))
                    .bind("until", SqlTime.text(asked.until(now)))
                    .bind("reason", asked.reason())
                    .bind("by", Objects.requireNonNullElse(audit.who(), "Rowlock"))
                    .executeAndReturnGeneratedKeys("id")
                    .mapTo(Long.class)
                    .one();
            Freeze made = find(handle, id).orElseThrow();
            audit.doing(AuditAction.CREATE).write(handle, subject(made), FreezeJson.said(made));
            return new SavedFreeze(new FreezeAt(made, now), null);
        });
    }

    /**
     * Changes a freeze that is not over.
     *
     * @param guard told what is there; if it throws, nothing is changed
     */
    public SavedFreeze change(long id, FreezeChange asked, Consumer<Freeze> guard, Audit audit) {
        return database.transact("changing freeze " + id, handle -> {
            long unused = Locks.raiseRules(handle);
            Instant now = SqlTime.now(handle);
            Optional<Freeze> was = find(handle, id);
            was.ifPresent(guard);
            if (was.isEmpty() || !was.get().until().isAfter(now)) {
                return SavedFreeze.not(was.isEmpty() ? FreezeRefusal.NOT_THERE : FreezeRefusal.OVER);
            }
            Freeze became =
                    write(handle, was.get(), was.get().from(), asked.until(was.get(), now), asked.reason(), null);
            audit.doing(AuditAction.PATCH)
                    .write(
                            handle,
                            subject(became),
                            () -> FieldChange.between(FreezeJson.said(was.get()), FreezeJson.said(became)));
            return new SavedFreeze(new FreezeAt(became, now), null);
        });
    }

    /**
     * Ends a freeze now; one that is over stays as it is.
     *
     * @param guard told what is there; if it throws, nothing is changed
     * @return false: there is none
     */
    public boolean end(long id, Consumer<Freeze> guard, Audit audit) {
        return database.transact("ending freeze " + id, handle -> {
            long unused = Locks.raiseRules(handle);
            Instant now = SqlTime.now(handle);
            Optional<Freeze> was = find(handle, id);
            was.ifPresent(guard);
            was.filter(freeze -> freeze.until().isAfter(now)).ifPresent(freeze -> {
                Instant from = freeze.from().isBefore(now) ? freeze.from() : now;
                String by = Objects.requireNonNullElse(audit.who(), "Rowlock");
                Freeze ended = write(handle, freeze, from, now, null, by);
                audit.doing(AuditAction.DELETE)
                        .write(handle, subject(ended), FreezeJson.said(freeze), FreezeJson.said(ended));
            });
            return was.isPresent();
        });
    }

    private static Freeze write(
            Handle handle, Freeze was, Instant from, Instant until, @Nullable String reason, @Nullable String endedBy) {
        @Nullable Instant held = was.heldUntil();
        if (until.isBefore(was.until()) && (held == null || held.isBefore(was.until()))) {
            held = was.until();
        }
        update(
                handle,
                CHANGE,
                "id",
                was.id(),
                "from",
                SqlTime.text(from),
                "until",
                SqlTime.text(until),
                "reason",
                reason == null ? was.reason() : reason,
                "held",
                SqlTime.textOrNull(held),
                "ended",
                endedBy);
        return find(handle, was.id()).orElseThrow();
    }

    /** Notes that all that a freeze held beyond its end was woken, unless it was changed since. */
    public static void woken(Handle handle, Freeze freeze) {
        update(
                handle,
                WOKEN,
                "id",
                freeze.id(),
                "until",
                SqlTime.text(freeze.until()),
                "held",
                SqlTime.textOrNull(freeze.heldUntil()));
    }

    /** Returns the freezes that are not over, and those for which tasks are still to be woken, with the number. */
    public static Freezes read(Handle handle) {
        List<Freeze> all = new ArrayList<>();
        List<Long> rules = query(handle, KNOWN)
                .map((row, context) -> {
                    if (row.getString("scope") != null) {
                        all.add(read(row));
                    }
                    return row.getLong("rules");
                })
                .list();
        return new Freezes(rules.isEmpty() ? 0 : rules.get(0), List.copyOf(all));
    }

    /** Returns the freezes that cover a job now; empty: none does, or there is no such job. */
    public static Optional<CoveringFreezes> covering(Handle handle, JobKey job) {
        Freezes freezes = read(handle);
        return freezes.areNone()
                ? Optional.empty()
                : query(handle, LABELS, "namespace", job.namespace(), "name", job.name())
                        .map((row, context) ->
                                freezes.of(job, JsonRows.someTexts(row, "labels"), SqlTime.read(row, "now")))
                        .findOne()
                        .flatMap(covering -> covering);
    }

    /** Returns the freezes that were in force at some time from the first to the last of these instants. */
    public static List<Freeze> overlapping(Handle handle, Instant first, Instant last) {
        return query(handle, OVERLAPPING, "first", SqlTime.text(first), "last", SqlTime.text(last))
                .map((row, context) -> read(row))
                .list();
    }

    private static Optional<Freeze> find(Handle handle, long id) {
        return query(handle, FIND, "id", id).map((row, context) -> read(row)).findOne();
    }

    static List<Freeze> find(Handle handle, Collection<Long> ids) {
        return handle.createQuery(SOME)
                .bindList("ids", List.copyOf(ids))
                .map((row, context) -> read(row))
                .list();
    }

    private static Subject subject(Freeze freeze) {
        List<String> namespaces = freeze.scope().namespaces();
        return new Subject("freeze", namespaces.size() == 1 ? namespaces.get(0) : null, String.valueOf(freeze.id()));
    }

    private static Freeze read(ResultSet row) throws SQLException {
        return new Freeze(
                row.getLong("id"),
                FreezeJson.scope(row.getString("scope")),
                FreezeEffect.read(row.getString("effect")),
                SqlTime.read(row, "from_at"),
                SqlTime.read(row, "until_at"),
                row.getString("reason"),
                row.getString("made_by"),
                SqlTime.read(row, "created_at"),
                SqlTime.readOrNull(row, "held_until"),
                row.getString("ended_by"));
    }
}
