package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.cluster.store.SessionEnd.HeldPosition;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.rerun.Requests;
import dev.rowlock.task.store.OwnerSession;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.NodeWaits;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Membership of the cluster: joining, beating, leaving, and expiring sessions that no longer beat. */
public final class Sessions {

    private static final String JOIN = """
            insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at, beat,
                   heartbeat_at, state, timeout_ms, settings, own_labels, own_capacity, drained)
            values (:id, :node, :host, :bootId, :pid, :pidStart, :version, :labels, :capacity, utc_timestamp(3), 1,
                   utc_timestamp(3), :state, :timeout, :settings, :ownLabels, :ownCapacity, :drained)
            """;
    private static final String BEAT = """
            update session
               set beat = :beat, heartbeat_at = utc_timestamp(3), prepared = :prepared, executing = :executing,
                   clock_skew_ms = :skew, state = if(drained, 'DRAINING', :state), stopping = :stopping
             where id = :id and beat < :beat
            """;
    private static final String ALL = "select utc_timestamp(6) as database_time,"
            + " exists (select 1 from task_request where session_id = :self) as asked, "
            + ClockNotes.IS_DOUBTED + " as clock_doubted, " + NodeWaits.ANY + " as node_waits, "
            + BackfillQueries.ANY + " as backfills,"
            + " (select rules from cluster_lock where name = 'task-00') as rules, " + SessionRows.COLUMNS
            + " from session";
    private static final String HOMELESS = """
            select distinct t.session_id
              from task t
              left join session s on s.id = t.session_id
             where t.session_id is not null and s.id is null
            """;

    /** Result in place of a number of tasks: there was no such session. */
    private static final int NOT_THERE = -1;

    private final Database database;
    private final SessionEnd ending;
    private final LongAdder lost = new LongAdder();

    public Sessions(Database database, Finish finish) {
        this.database = database;
        this.ending = new SessionEnd(finish);
    }

    /**
     * Result of reading the table.
     *
     * @param asked whether there are {@link Requests} to the session that read it
     * @param clockDoubted whether a node has told of a doubt, see {@link ClockNotes}
     * @param nodeAwaited whether there is anything in {@link NodeWaits}
     * @param backfilling whether fire times of a backfill wait
     * @param rules the number of the last change of what holds for many jobs, see {@link Locks#raiseRules}
     */
    public record SessionTable(
            Instant databaseTime,
            List<ClusterSession> members,
            boolean asked,
            boolean clockDoubted,
            boolean nodeAwaited,
            boolean backfilling,
            long rules) {}

    /** Vital signs of this session, written with every heartbeat. */
    public record Vitals(int prepared, int executing, long clockSkewMillis, SessionState state) {}

    /**
     * Renews the session. Waits for no lock row.
     *
     * @param beat higher than any that was asked for before; joining was 1
     * @return false: nothing may be done in its name any more. It is gone, or a clone of the machine renews it
     */
    public boolean beat(String id, long beat, Vitals vitals) {
        return database.autoCommit(
                "heartbeat",
                handle -> handle.createUpdate(BEAT)
                                .bind("id", id)
                                .bind("beat", beat)
                                .bind("prepared", vitals.prepared())
                                .bind("executing", vitals.executing())
                                .bind("skew", vitals.clockSkewMillis())
                                .bind("state", known(vitals.state()).name())
                                .bind("stopping", vitals.state() == SessionState.STOPPING)
                                .execute()
                        == 1);
    }

    /** Returns a state that nodes of earlier versions know, as they fail to read any other. */
    private static SessionState known(SessionState state) {
        return state == SessionState.STOPPING ? SessionState.DRAINING : state;
    }

    /**
     * Returns the live sessions and the database's time, read without waiting for any lock, by a node that has no
     * session.
     */
    public Optional<SessionTable> all() {
        return all("");
    }

    /** Returns the live sessions, and whether there is a request to session {@code self}. */
    public Optional<SessionTable> all(String self) {
        return database.autoCommit("reading the live sessions", handle -> {
            List<SessionTable> rows = query(handle, ALL, "self", self)
                    .map((row, context) -> new SessionTable(
                            SqlTime.read(row, "database_time"),
                            List.of(SessionRows.read(row)),
                            row.getBoolean("asked"),
                            row.getBoolean("clock_doubted"),
                            row.getBoolean("node_waits"),
                            row.getBoolean("backfills"),
                            row.getLong("rules")))
                    .list();
            return rows.stream()
                    .findFirst()
                    .map(first -> new SessionTable(
                            first.databaseTime(),
                            rows.stream().flatMap(row -> row.members().stream()).toList(),
                            first.asked(),
                            first.clockDoubted(),
                            first.nodeAwaited(),
                            first.backfilling(),
                            first.rules()));
        });
    }

    /**
     * Session that ends when this node joins.
     *
     * @param beat what its beat must still be; null if it is our own
     * @param started which of its launches were started; null: any of them may have been
     */
    public record Previous(
            String id, @Nullable Long beat, @Nullable Set<LaunchId> started) {

        /** Returns a previous session of this process, with the launches that it has started. */
        public static Previous own(String id, Set<LaunchId> started) {
            return new Previous(id, null, Set.copyOf(started));
        }

        /**
         * Returns a session that this process had given up long ago, and that a server without the latest transactions
         * shows.
         */
        static Previous forgotten(String id) {
            return new Previous(id, null, null);
        }

        boolean died() {
            return beat != null;
        }

        /** Returns a session of a dead process. */
        public static Previous ofAnother(String id, long beat) {
            return new Previous(id, beat, null);
        }
    }

    /**
     * Joins as a new session and, in the same transaction, ends the previous ones of this node: what they had prepared
     * or never started becomes idle, and what they were executing is lost. Their results have to be recorded before.
     *
     * @param previous no other process of theirs is alive; what else the table has of this very process ends with them
     */
    public void join(ClusterSession self, Collection<Previous> previous) {
        lost.add(database.transact("joining as node " + self.node(), handle -> {
            Locks.all(handle);
            int before = 0;
            List<Previous> there = Stream.concat(
                            previous.stream().filter(old -> isThere(handle, old)),
                            SessionRows.ofThisProcess(handle, self).stream()
                                    .filter(id -> previous.stream()
                                            .noneMatch(old -> old.id().equals(id)))
                                    .map(Previous::forgotten))
                    .toList();
            for (Previous old : there) {
                String why =
                        old.died() ? "its process ended without leaving" : "it could not renew its session in time";
                ending.remove(handle, old.id(), why + "; the node joined again as session " + self.id());
            }
            insert(handle, self); // before what they ran is recovered, as some of it runs on this node alone
            for (Previous old : there) {
                String reason = old.died()
                        ? "the daemon of node " + self.node() + " died while the command ran"
                        : "node " + self.node() + " lost its session while the command ran";
                before += ending.settle(handle, old.id(), old.started(), reason, self.node());
            }
            return before;
        }));
    }

    /** Leaves: prepared tasks become idle, and executing ones are lost, for that reason. May be repeated. */
    public void leave(String id, String reason) {
        database.transact("leaving", handle -> {
            Locks.all(handle);
            ending.end(handle, id, null, reason, "stopped in order");
            return id;
        });
    }

    /**
     * Ends another's session, if its beat is still {@code beat} and our own session exists. If it held much, some of it
     * is left to {@link #settle}.
     *
     * @return false: it lives, or somebody else was faster
     */
    public boolean expire(String self, String dead, long beat, String reason) {
        int found = database.transact("expiring session " + dead, handle -> {
            Locks.all(handle);
            OwnerSession.mustBeThere(handle, self);
            return isThere(handle, new Previous(dead, beat, null))
                    ? ending.end(handle, dead, null, reason, reason)
                    : NOT_THERE;
        });
        lost.add(Math.max(0, found));
        return found != NOT_THERE;
    }

    /** Returns the number of tasks that this object has recorded as lost, as their session had ended. */
    public long lost() {
        return lost.sum();
    }

    /**
     * Returns sessions that hold tasks but are not in the table; their tasks are treated like those of an expired one.
     */
    public List<String> orphaned() {
        return database.autoCommit(
                "looking for tasks without a session",
                handle -> handle.createQuery(HOMELESS).mapTo(String.class).list());
    }

    /**
     * Ends one batch of what a session that is not in the table still holds. Nothing can be added to that; overdue
     * tasks may be taken over meanwhile.
     *
     * @param after where to go on
     * @return where the batch ended; empty: nothing is left
     */
    public Optional<HeldPosition> settle(String self, String dead, HeldPosition after) {
        List<SessionEnd.Held> batch = database.autoCommit(
                "reading what session " + dead + " left behind", handle -> SessionEnd.held(handle, dead, after));
        if (batch.isEmpty()) {
            return Optional.empty();
        }
        lost.add(database.transact("settling what session " + dead + " left behind", handle -> {
            Locks.stripes(
                    handle, batch.stream().map(held -> held.task().stripe()).collect(Collectors.toSet()));
            OwnerSession.mustBeThere(handle, self);
            return OwnerSession.isThere(handle, dead) ? 0 : ending.settleLeftBehind(handle, dead, batch);
        }));
        return Optional.of(batch.get(batch.size() - 1).position());
    }

    private static boolean isThere(Handle handle, Previous previous) {
        return handle.createQuery("select 1 from session where id = :id and (:beat is null or beat = :beat)")
                .bind("id", previous.id())
                .bind("beat", previous.beat())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    private static void insert(Handle handle, ClusterSession self) {
        NodeSetting setting = NodeSettings.of(handle, self.node());
        ClusterSession.Configured configured = self.configured();
        handle.createUpdate(JOIN)
                .bind("id", self.id())
                .bind("node", self.node())
                .bind("host", self.host().name())
                .bind("bootId", self.host().bootId())
                .bind("pid", self.host().pid())
                .bind("pidStart", self.host().pidStart())
                .bind("version", self.version())
                .bind("labels", JsonRows.text(setting.labels(configured)))
                .bind("capacity", setting.capacity(configured))
                .bind("ownLabels", JsonRows.text(configured.labels()))
                .bind("ownCapacity", configured.capacity())
                .bind("drained", setting.drained())
                .bind(
                        "state",
                        setting.drained() ? "DRAINING" : known(self.state()).name())
                .bind("timeout", self.timeout() == null ? null : self.timeout().toMillis())
                .bind("settings", JsonRows.text(self.settings()))
                .execute();
    }
}
