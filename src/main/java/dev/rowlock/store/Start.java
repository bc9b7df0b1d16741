package dev.rowlock.store;

import static dev.rowlock.store.JsonRows.row;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Prepared → executing: our own tasks when they are due (fire), another's when they are overdue (takeover). */
public final class Start {

    private static final String OVERDUE = """
            select t.id, t.job_id, t.job_version, t.shard, t.launch_id
              from task t
             where t.state = 'PREPARED' and t.due_at <= utc_timestamp(6) - interval :overdue microsecond and t.session_id <> :session
             order by t.due_at limit :batch
            """;
    private static final String LOOK = """
            select t.id, t.job_id, t.fire_time, t.attempt, t.cause, t.due_at <= utc_timestamp(6) - interval :overdue microsecond as due,
                   t.cause = 'SCHEDULE' and t.fire_time < utc_timestamp(6) - interval :misfire microsecond as misfired,
                   j.version, j.paused,
                   exists (select 1 from task x where x.job_id = t.job_id and x.state = 'EXECUTING') as executing
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', held varchar(48) character set ascii path '$[1]')) v
              straight_join task t on t.id = v.id
              left join job j on j.id = t.job_id
             where t.state = 'PREPARED' and t.launch_id = v.held
            """;
    private static final String START = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', held varchar(48) character set ascii path '$[1]',
                     launch varchar(48) character set ascii path '$[2]')) v
              straight_join task t on t.id = v.id
               set t.state = 'EXECUTING', t.launch_id = v.launch, t.session_id = :session, t.started_at = utc_timestamp(3)
             where t.state = 'PREPARED' and t.launch_id = v.held
               and t.due_at <= utc_timestamp(6) - interval :overdue microsecond
            """;
    private static final String COUNT = """
            update json_table(:rows, '$[*]' columns (name varchar(16) character set ascii path '$[0]')) v
              straight_join cluster_lock l on l.name = v.name
               set l.counter = l.counter + 1
            """;

    private final Database database;
    private final Duration misfire;

    /** @param misfire how late an occurrence may be started as if nothing were; a later one goes back, to be decided with all the others */
    public Start(Database database, Duration misfire) {
        this.database = database;
        this.misfire = misfire;
    }

    /**
     * What became of the claims. Those in none of the lists are no longer ours: taken over, edited, or ended.
     *
     * @param started their commands may be started now
     * @param early the database's clock says that they are not due yet
     * @param full due, but there was no free slot: given back or kept
     */
    public record Result(List<StartedTask> started, Set<Long> early, Set<Long> full, Set<Long> skipped) {}

    /** What becomes of our own tasks that find no slot. */
    public enum NoSlot {
        /** Somebody else may have one. */
        GIVE_BACK,
        /** They stay prepared, for there is nobody else. */
        KEEP
    }

    /** Tasks that others have prepared and not fired. */
    public List<Claim> overdue(
            String session, Duration overdue, int batch, java.util.function.Supplier<LaunchId> launches) {
        return database.read(
                "looking for overdue tasks",
                handle -> handle.createQuery(OVERDUE)
                        .bind("overdue", Acquire.micros(overdue))
                        .bind("session", session)
                        .bind("batch", batch)
                        .map((row, context) -> new Claim(
                                row.getLong("id"),
                                row.getLong("job_id"),
                                row.getInt("job_version"),
                                row.getInt("shard"),
                                new LaunchId(row.getString("launch_id")),
                                launches.get()))
                        .list());
    }

    /**
     * Starts what is still prepared under the launch id that the claim holds, is due, and has a slot, in one transaction. What the overlap
     * policy does not let run ends as {@code SKIPPED}; what finds no slot goes back to idle if it is ours.
     *
     * @param slots how many may be started
     * @param overdue how long a task must have been due: zero to fire our own
     * @throws SessionGone our session was expired
     */
    public Result start(String session, String node, List<Claim> claims, int slots, Duration overdue) {
        return start(session, node, claims, slots, overdue, NoSlot.GIVE_BACK);
    }

    /** Like the other, with a say in what becomes of those without a slot. */
    public Result start(
            String session, String node, List<Claim> claims, int slots, Duration overdue, NoSlot withoutSlot) {
        return database.transact("starting " + claims.size() + " tasks", handle -> {
            Map<Integer, Long> counters =
                    Locks.shards(handle, claims.stream().map(Claim::shard).collect(Collectors.toSet()));
            Sessions.mustBeThere(handle, session);
            Sorted sorted = sort(claims, look(handle, claims, overdue), slots);
            start(handle, session, sorted.starting, overdue);
            count(handle, sorted.starting);
            skip(handle, node, sorted);
            Release.toIdle(handle, sorted.misfired);
            if (withoutSlot == NoSlot.GIVE_BACK) {
                Release.toIdle(
                        handle,
                        sorted.full.stream()
                                .filter(c -> c.held().equals(c.launch()))
                                .toList());
            }
            return sorted.result(counters);
        });
    }

    private Map<Long, Row> look(Handle handle, List<Claim> claims, Duration overdue) {
        Map<Long, Row> rows = new HashMap<>();
        handle.createQuery(LOOK)
                .bind("rows", rows(claims))
                .bind("overdue", Acquire.micros(overdue))
                .bind("misfire", Acquire.micros(misfire))
                .map((row, context) -> Row.read(row))
                .forEach(row -> rows.put(row.id, row));
        return rows;
    }

    private static Sorted sort(List<Claim> claims, Map<Long, Row> rows, int slots) {
        Sorted sorted = new Sorted(rows);
        Set<Long> starting = new HashSet<>();
        for (Claim claim : claims) {
            Row row = rows.get(claim.id());
            if (row == null) {
                continue;
            }
            if (!row.due) {
                sorted.early.add(claim);
            } else if (row.version == null || row.version != claim.version() || row.held()) {
                sorted.stale.add(claim);
            } else if (row.misfired) {
                sorted.misfired.add(claim);
            } else if (row.executing) {
                sorted.skipped.add(claim);
            } else if (starting.contains(claim.jobId())) {
                sorted.beaten.add(claim);
            } else if (sorted.starting.size() >= slots) {
                sorted.full.add(claim);
            } else {
                sorted.starting.add(claim);
                starting.add(claim.jobId());
            }
        }
        return sorted;
    }

    private static void start(Handle handle, String session, List<Claim> claims, Duration overdue) {
        if (claims.isEmpty()) {
            return;
        }
        int started = handle.createUpdate(START)
                .bind("rows", rows(claims))
                .bind("session", session)
                .bind("overdue", Acquire.micros(overdue))
                .execute();
        if (started != claims.size()) {
            throw new IllegalStateException("started " + started + " of " + claims.size() + " locked tasks");
        }
    }

    private static void count(Handle handle, List<Claim> claims) {
        Set<Integer> shards = claims.stream().map(Claim::shard).collect(Collectors.toSet());
        if (!shards.isEmpty()) {
            handle.createUpdate(COUNT)
                    .bind("rows", JsonRows.of(shards, shard -> row(Locks.name(shard))))
                    .execute();
        }
    }

    private static void skip(Handle handle, String node, Sorted sorted) {
        List<Ending> skipped = new ArrayList<>();
        for (Claim c : sorted.skipped) {
            skipped.add(skipped(c, "the job was still executing (overlap SKIP)"));
        }
        for (Claim c : sorted.beaten) {
            skipped.add(
                    skipped(c, "late, and so was an earlier one, which was started at the same moment (overlap SKIP)"));
        }
        Endings.record(handle, skipped, node);
    }

    private static Ending skipped(Claim claim, String reason) {
        return Ending.without(claim.id(), claim.held(), claim.shard(), Outcome.SKIPPED, reason);
    }

    private static String rows(Collection<Claim> claims) {
        return JsonRows.of(claims, c -> row(c.id(), c.held().text(), c.launch().text()));
    }

    /** One row as it stands under the lock. */
    private record Row(
            long id,
            Instant fireTime,
            int attempt,
            Cause cause,
            boolean due,
            @Nullable Integer version,
            boolean misfired,
            boolean paused,
            boolean executing) {

        static Row read(ResultSet row) throws SQLException {
            int version = row.getInt("version");
            return new Row(
                    row.getLong("id"),
                    SqlTime.read(row, "fire_time"),
                    row.getInt("attempt"),
                    Cause.valueOf(row.getString("cause")),
                    row.getBoolean("due"),
                    version == 0 ? null : version,
                    row.getBoolean("misfired"),
                    row.getBoolean("paused"),
                    row.getBoolean("executing"));
        }

        boolean held() {
            return paused && cause != Cause.MANUAL;
        }
    }

    /** The claims by what becomes of them. */
    private static final class Sorted {
        final Map<Long, Row> rows;
        final List<Claim> starting = new ArrayList<>();
        final List<Claim> early = new ArrayList<>();
        final List<Claim> full = new ArrayList<>();
        final List<Claim> skipped = new ArrayList<>();
        /** Skipped as well, because another occurrence of the job is started in this very transaction. */
        final List<Claim> beaten = new ArrayList<>();

        final List<Claim> stale = new ArrayList<>();
        final List<Claim> misfired = new ArrayList<>();

        Sorted(Map<Long, Row> rows) {
            this.rows = rows;
        }

        Result result(Map<Integer, Long> counters) {
            List<StartedTask> started = starting.stream()
                    .map(c -> {
                        Row row = java.util.Objects.requireNonNull(rows.get(c.id()));
                        long token = java.util.Objects.requireNonNull(counters.get(c.shard())) + 1;
                        return new StartedTask(
                                c.id(),
                                c.jobId(),
                                c.version(),
                                c.shard(),
                                row.fireTime,
                                row.attempt,
                                row.cause,
                                c.launch(),
                                token);
                    })
                    .toList();
            List<Claim> allSkipped = new ArrayList<>(skipped);
            allSkipped.addAll(beaten);
            return new Result(started, ids(early), ids(full), ids(allSkipped));
        }

        private static Set<Long> ids(List<Claim> claims) {
            return claims.stream().map(Claim::id).collect(Collectors.toSet());
        }
    }
}
