package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.audit.Audit;
import dev.rowlock.calendar.CalendarMoved;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.calendar.CalendarStore.WantedCalendar;
import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.task.store.JobAtVersion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Jobs that are read, and changed, together. Thread-safe. */
public final class ManyJobs {

    /** Names of jobs, as {@code v}. */
    static final String KEYS = """
            json_table(:keys, '$[*]' columns (
                     namespace varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[0]',
                     name varchar(128) character set utf8mb4 collate utf8mb4_bin path '$[1]')) v""";

    private static final String NAMED =
            " from " + KEYS + " straight_join job j on j.namespace = v.namespace and j.name = v.name";
    private static final String READ = "select " + JobStore.COLUMNS + " " + NAMED;
    private static final String IDS = "select j.id " + NAMED;
    private static final String EXISTING = """
            select j.id from json_table(:ids, '$[*]' columns (id bigint path '$')) v straight_join job j on j.id = v.id
            """;
    private static final String VERSIONS = "select j.id, j.version, j.namespace, j.name " + NAMED;
    /** Query driven by the list, so that no other row is waited for; MySQL locks nothing that is joined with JSON. */
    private static final String LOCK = "select " + JobStore.COLUMNS + """
             from (%s) wanted
              straight_join job j force index (primary) on j.id = wanted.id
             order by j.id
               for update
            """;

    private static final String GROUPS = "select name from job_group where name in (<names>)";

    /** Characters of the definitions in memory at a time, give or take one of them. */
    private static final long WEIGHT = 1_000_000;
    /** Jobs read by one statement, as what does not fit is read in vain. */
    private static final int PIECE = 200;

    private final Database database;
    private final @Nullable DatabaseClock clock;
    private final Audit audit;

    /** @param clock what this node believes of the database's time; null: whatever it shows */
    public ManyJobs(Database database, @Nullable DatabaseClock clock) {
        this(database, clock, Audit.NONE);
    }

    private ManyJobs(Database database, @Nullable DatabaseClock clock, Audit audit) {
        this.database = database;
        this.clock = clock;
        this.audit = audit;
    }

    /** Returns a store that audits the change of each job, in the transaction of all. */
    public ManyJobs by(Audit somebody) {
        return new ManyJobs(database, clock, somebody);
    }

    /** Hands over each of these jobs that exists, in any order; few of them are in memory at a time. */
    public void read(Collection<JobKey> keys, Consumer<StoredJob> each) {
        List<JobKey> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += PIECE) {
            readPiece(all.subList(from, Math.min(all.size(), from + PIECE)), each);
        }
    }

    private void readPiece(List<JobKey> keys, Consumer<StoredJob> each) {
        Set<JobKey> left = new HashSet<>(keys);
        boolean more = true;
        while (more) {
            List<JobKey> asked = List.copyOf(left);
            SizedRows<JobRow> piece = database.autoCommit(
                    "reading " + asked.size() + " jobs",
                    handle -> SizedRows.read(
                            query(handle, READ, "keys", rows(asked)), JobRow::read, JobRow::weight, WEIGHT));
            piece.rows().forEach(found -> {
                left.remove(found.job().key());
                each.accept(found.job());
            });
            more = piece.cut();
        }
    }

    private record JobRow(StoredJob job, int weight) {

        static JobRow read(ResultSet row, StatementContext context) throws SQLException {
            return new JobRow(
                    JobStore.read(row, context), row.getString("definition").length());
        }
    }

    /** Returns the ids of those of these jobs that exist. */
    public List<Long> ids(Collection<JobKey> keys) {
        return database.autoCommit(
                "looking for " + keys.size() + " jobs",
                handle ->
                        query(handle, IDS, "keys", rows(keys)).mapTo(Long.class).list());
    }

    /** Returns those of these jobs that exist. */
    public List<Long> existing(Collection<Long> ids) {
        return database.autoCommit(
                "looking for " + ids.size() + " jobs",
                handle -> query(handle, EXISTING, "ids", JsonRows.ids(List.copyOf(ids)))
                        .mapTo(Long.class)
                        .list());
    }

    /** Returns those of these groups that exist. */
    public Set<String> groups(Collection<String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        return database.autoCommit(
                "reading groups",
                handle -> handle.createQuery(GROUPS).bindList("names", List.copyOf(names)).mapTo(String.class).stream()
                        .collect(Collectors.toSet()));
    }

    /** Returns these calendars in the versions that are in force; those that do not exist are missing. */
    public Map<String, PinnedCalendar> calendars(Collection<String> names) {
        return new CalendarStore(database).current(names);
    }

    /** Returns those of these secrets, by namespace and name, that exist. */
    public Set<JobKey> secrets(Collection<JobKey> keys) {
        return new SecretStore(database)
                .named(keys).stream()
                        .map(entry -> new JobKey(entry.namespace(), entry.name()))
                        .collect(Collectors.toSet());
    }

    /** Returns the database's time. */
    public Instant now() {
        return database.autoCommit("reading the database's time", SqlTime::now);
    }

    /**
     * Changes several jobs in one transaction, under the stripe rows of those that exist. {@code work} may be called
     * again, so it must have no effect but through its argument; if it throws, nothing is changed.
     *
     * @param ids the jobs that {@link Changes#changeAll} will be asked for
     * @throws ClockInDoubt nobody knows at which instant the changes would take effect
     */
    public <T> T change(Collection<Long> ids, String what, Function<Changes, T> work) {
        Set<Integer> stripes = ids.stream().map(Locks::stripeOf).collect(Collectors.toSet());
        return database.transact(what, handle -> {
            long rules = Locks.lock(handle, stripes).rules();
            Locks.changeWhereNeeded(handle, stripes);
            return work.apply(new Changes(handle, JobStore.believedNow(handle, clock), audit, rules));
        });
    }

    /** Transaction that changes several jobs, all at the same instant. */
    public static final class Changes {

        private final Handle handle;
        private final Instant now;
        private final Audit audit;
        private final long rules;
        private final Creations creations;

        private Changes(Handle handle, Instant now, Audit audit, long rules) {
            this.rules = rules;
            this.audit = audit;
            this.handle = handle;
            this.now = now;
            this.creations = new Creations(handle, now, audit);
        }

        /** Returns the versions of these jobs; those that do not exist are missing. */
        public Map<JobKey, JobAtVersion> versions(Collection<JobKey> keys) {
            Map<JobKey, JobAtVersion> versions = new HashMap<>();
            query(handle, VERSIONS, "keys", rows(keys))
                    .map((row, context) -> versions.put(
                            new JobKey(row.getString("namespace"), row.getString("name")),
                            new JobAtVersion(row.getLong("id"), row.getInt("version"))))
                    .list();
            return versions;
        }

        /**
         * Puts calendars in force; jobs that are changed after that may name them.
         *
         * @throws CalendarMoved one of them is not as it was seen
         */
        public void put(List<WantedCalendar> calendars) {
            CalendarStore.put(handle, calendars, audit);
        }

        /**
         * Changes jobs under their stripe rows, some hundred at a time: {@code work} is called for each of a batch
         * before its changes are written. So for each job it may request one change of a kind, and reads nothing after
         * that.
         *
         * @return false: one of them is gone, and the transaction must be undone
         */
        public boolean changeAll(List<Long> ids, Consumer<JobChange> work) {
            List<Long> left = ids.stream().sorted().toList();
            while (!left.isEmpty()) {
                List<StoredJob> jobs = lock(left.subList(0, Math.min(left.size(), PIECE)));
                List<Long> found = jobs.stream().map(StoredJob::id).toList();
                if (found.isEmpty() || !found.equals(left.subList(0, found.size()))) {
                    return false;
                }
                LockedJobs locked = new LockedJobs(handle, jobs);
                JobWrites writes = new JobWrites(handle, now, audit, true);
                jobs.forEach(job -> work.accept(new JobChange(handle, job, locked, writes, rules)));
                writes.write();
                left = left.subList(found.size(), left.size());
            }
            return true;
        }

        /**
         * Locks jobs, so that they stay as they are until the transaction ends: in the order of their ids, as many as
         * fit into memory.
         */
        private List<StoredJob> lock(List<Long> ids) {
            String wanted =
                    ids.stream().map(id -> "select " + id + " as id").collect(Collectors.joining(" union all "));
            SizedRows<JobRow> found =
                    SizedRows.read(handle.createQuery(LOCK.formatted(wanted)), JobRow::read, JobRow::weight, WEIGHT);
            return found.rows().stream().map(JobRow::job).toList();
        }

        /**
         * Adds a job to be created by {@link #createAll}.
         *
         * @param first the first fire time of a job that is created at the instant given
         */
        public void create(StoredDefinition stored, Function<Instant, Optional<Instant>> first) {
            creations.add(stored, first);
        }

        /**
         * Creates the jobs; returns false if one of their names is taken by now, and the transaction must be undone.
         */
        public boolean createAll() {
            return creations.make();
        }
    }

    private static String rows(Collection<JobKey> keys) {
        return JsonRows.of(new ArrayList<>(keys), key -> JsonRows.row(key.namespace(), key.name()));
    }
}
