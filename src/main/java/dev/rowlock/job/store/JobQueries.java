package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobFilter.JobPosition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSort;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.freeze.store.ReasonsByNow;
import dev.rowlock.job.store.JobOrder.OrderedJobs;
import dev.rowlock.job.store.JobOrder.PlacedJob;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Hold;
import dev.rowlock.task.JobFacts;
import dev.rowlock.task.JobFacts.SetAside;
import dev.rowlock.task.Total;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.store.OwnerSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Queries of jobs and their state, in the terms of the view {@code v_job}. */
public final class JobQueries {

    private static final String GOING_ON = """
            select job_id,
                   max(state = 'EXECUTING') as executing, max(state = 'PREPARED') as prepared,
                   min(case when state in ('IDLE', 'PREPARED') and origin = ''
                   and due_at is not null then fire_time end) as next_fire_time,
                   sum(coalesce(hold = :error, false)) as aside,
                   min(case when hold = :error then hold_reason end) as why,
                   min(case when hold = :node then hold_reason end) as no_node,
                   max(case when hold = :freeze then hold_reason end) as frozen
              from (select job_id, state, origin, due_at, fire_time, hold, hold_reason
                      from task where job_id in (<jobs>)
                    union all
                    select job_id, 'IDLE', '', due_at, fire_time, hold, hold_reason
                      from job_next where job_id in (<jobs>)) t
             group by job_id
            """;
    private static final String NEXT_TRY =
            "select job_id, min(look_at) as look_at from task_aside where job_id in (<jobs>) group by job_id";
    /** Query of commands that ended by themselves, among the newest rows only, however long the history is. */
    private static final String DURATIONS = """
            select r.duration_ms
              from (select duration_ms, outcome, fire_time from task_history
                     where namespace = :namespace and job = :job order by fire_time desc limit 200) r
             where r.outcome in ('SUCCEEDED', 'FAILED') and r.duration_ms is not null
             order by r.fire_time desc limit 20
            """;

    /** Characters of the definitions of one page, give or take one of them. */
    private static final long PAGE_WEIGHT = 1_000_000;
    /** Jobs read by one statement, as what does not fit is read in vain. */
    private static final int PIECE = 200;

    private static final String LIVE_NODES = "select node, labels from session";
    private static final String GONE_NODES =
            "select node from session_past where gone_at >= utc_timestamp(3) - interval 1 day";

    private final Database database;

    public JobQueries(Database database) {
        this.database = database;
    }

    /** Returns the live nodes, by name. */
    public List<CandidateNode> liveNodes() {
        return database.autoCommit("reading the nodes", OwnerSession::nodes);
    }

    /** Returns the median duration of the newest runs under this name, at most 20; empty if there are none. */
    public Optional<Duration> usualDuration(JobKey key) {
        return database.autoCommit("reading how long job " + key + " takes", handle -> {
            List<Long> millis = query(handle, DURATIONS, "namespace", key.namespace(), "job", key.name())
                    .mapTo(Long.class)
                    .list();
            return millis.stream().sorted().skip(millis.size() / 2).findFirst().map(Duration::ofMillis);
        });
    }

    /**
     * Page of jobs, in order.
     *
     * @param more whether others follow
     * @param last where the last of them stands, if they are not in the order of their names; else null
     */
    public record StoredJobs(
            Map<StoredJob, JobFacts> jobs,
            boolean more,
            @Nullable JobPosition last) {}

    /**
     * Returns at most {@code limit} jobs, in the order asked for, with their state. Fewer if their definitions are
     * large, but at least one.
     */
    public StoredJobs page(JobFilter filter) {
        return filter.sort() == JobSort.NAME ? named(filter) : ordered(filter);
    }

    /** Returns the number of jobs, if that page is the first and counting is cheap. */
    public Optional<Total> total(JobFilter filter, StoredJobs page) {
        if (filter.after() != null || filter.place() != null) {
            return Optional.empty();
        }
        if (!page.more()) {
            return Optional.of(new Total(page.jobs().size(), false));
        }
        return database.autoCommit("counting jobs", handle -> JobTotal.count(handle, filter));
    }

    private StoredJobs ordered(JobFilter filter) {
        return database.autoCommit("listing jobs in order", handle -> {
            List<PlacedJob> found = JobOrder.next(handle, filter, filter.limit() + 1);
            List<PlacedJob> wanted = found.subList(0, Math.min(found.size(), filter.limit()));
            OrderedJobs read = JobOrder.read(handle, wanted, PAGE_WEIGHT);
            boolean more = read.cut() || found.size() > wanted.size();
            return new StoredJobs(facts(handle, read.jobs(), filter.recent()), more, read.last());
        });
    }

    private StoredJobs named(JobFilter filter) {
        return database.autoCommit("listing jobs", handle -> {
            List<StoredJob> found = new ArrayList<>();
            long weight = 0;
            SizedRows<SizedJob> piece;
            boolean more;
            do {
                JobKey after = found.isEmpty()
                        ? filter.after()
                        : found.get(found.size() - 1).key();
                int wanted = Math.min(PIECE, filter.limit() + 1 - found.size());
                piece = piece(handle, filter.from(after, wanted), PAGE_WEIGHT - weight);
                piece.rows().forEach(row -> found.add(row.job()));
                weight += piece.weight();
                more = piece.cut() || piece.rows().size() == wanted;
            } while (more && !piece.cut() && weight < PAGE_WEIGHT && found.size() <= filter.limit());
            List<StoredJob> page = found.size() > filter.limit() ? found.subList(0, filter.limit()) : found;
            return new StoredJobs(facts(handle, page, filter.recent()), more, null);
        });
    }

    /**
     * Nodes that a run may be sent to.
     *
     * @param live their labels in effect, by name
     * @param gone those that left within a day
     */
    public record KnownNodes(Map<String, Map<String, String>> live, Set<String> gone) {
        public static final KnownNodes NONE = new KnownNodes(Map.of(), Set.of());
    }

    /** Returns the nodes that live, and those that left within a day, in two short statements. */
    public KnownNodes nodes() {
        return database.autoCommit("reading which nodes there are", handle -> {
            Map<String, Map<String, String>> live = new HashMap<>();
            handle.createQuery(LIVE_NODES)
                    .map((row, context) -> live.put(row.getString("node"), JsonRows.texts(row, "labels")))
                    .list();
            Set<String> gone = new HashSet<>(
                    handle.createQuery(GONE_NODES).mapTo(String.class).list());
            return new KnownNodes(live, gone);
        });
    }

    /** Returns the next names by namespace and name, at most as many as the filter's limit. */
    public List<JobKey> keys(JobFilter filter) {
        return database.autoCommit("listing the names of jobs", handle -> {
            Conditions where = JobConditions.named(filter);
            Query query = handle.createQuery("select j.namespace, j.name " + JobConditions.from(filter) + where.sql()
                    + JobConditions.order(filter));
            where.bind(query);
            return query.map((row, context) -> new JobKey(row.getString("namespace"), row.getString("name")))
                    .list();
        });
    }

    private record SizedJob(StoredJob job, int weight) {}

    private static SizedRows<SizedJob> piece(Handle handle, JobFilter filter, long most) {
        Conditions where = JobConditions.named(filter);
        Query query = handle.createQuery("select " + JobStore.COLUMNS + " " + JobConditions.from(filter) + where.sql()
                + JobConditions.order(filter));
        where.bind(query);
        return SizedRows.read(
                query,
                (row, context) -> new SizedJob(
                        JobStore.read(row, context), row.getString("definition").length()),
                SizedJob::weight,
                most);
    }

    /** Returns those of these jobs that exist, with their state. */
    public Map<StoredJob, JobFacts> byIds(Collection<Long> ids) {
        return ids.isEmpty()
                ? Map.of()
                : database.autoCommit(
                        "reading jobs",
                        handle -> facts(
                                handle,
                                handle.createQuery("select " + JobStore.COLUMNS + " from job j where j.id in (<ids>)")
                                        .bindList("ids", List.copyOf(ids))
                                        .map(JobStore::read)
                                        .list(),
                                0));
    }

    public JobFacts facts(StoredJob job) {
        return database.autoCommit(
                "reading the state of job " + job.key(),
                handle -> facts(handle, List.of(job), 0).values().iterator().next());
    }

    private record GoingOn(
            boolean executing,
            boolean prepared,
            @Nullable Instant nextFireTime,
            int aside,
            @Nullable String why,
            @Nullable String noNode,
            @Nullable String frozen) {}

    private static Map<StoredJob, JobFacts> facts(Handle handle, List<StoredJob> jobs, int outcomes) {
        Map<StoredJob, JobFacts> facts = new LinkedHashMap<>();
        if (jobs.isEmpty()) {
            return facts;
        }
        Map<Long, GoingOn> goingOn = new HashMap<>();
        query(handle, GOING_ON, "error", Hold.ERROR.name(), "node", Hold.NODE.name(), "freeze", Hold.FREEZE.name())
                .bindList("jobs", jobs.stream().map(StoredJob::id).toList())
                .map((row, context) -> goingOn.put(
                        row.getLong("job_id"),
                        new GoingOn(
                                row.getBoolean("executing"),
                                row.getBoolean("prepared"),
                                SqlTime.readOrNull(row, "next_fire_time"),
                                row.getInt("aside"),
                                row.getString("why"),
                                row.getString("no_node"),
                                row.getString("frozen"))))
                .list();
        ReasonsByNow reasons =
                ReasonsByNow.of(handle, goingOn.values().stream().flatMap(found -> Stream.ofNullable(found.frozen())));
        Map<Long, Instant> nextTry = nextTry(handle, goingOn);
        RecentTasks recent = new RecentTasks(handle, jobs);
        Map<Long, List<String>> last = RecentOutcomes.of(handle, jobs, outcomes);
        Map<Long, JobFacts.Streak> streaks = JobOrder.streaks(handle, jobs);
        boolean mayEnd = jobs.stream().anyMatch(JobQueries::mayEnd);
        Instant now = mayEnd ? SqlTime.now(handle) : Instant.EPOCH;
        for (StoredJob job : jobs) {
            GoingOn found = goingOn.get(job.id());
            facts.put(
                    job,
                    new JobFacts(
                            state(job, found),
                            found == null ? null : found.nextFireTime(),
                            Optional.ofNullable(recent.lastThatRan(job)),
                            Optional.ofNullable(recent.skippedSince(job)),
                            streaks.get(job.id()),
                            setAside(found, nextTry.get(job.id())),
                            found == null ? null : found.noNode(),
                            found == null ? null : reasons.nowOrNull(found.frozen()),
                            warnings(job, now),
                            last.get(job.id())));
        }
        return facts;
    }

    private static boolean mayEnd(StoredJob job) {
        JobCalendars calendars = job.definition().calendar();
        return calendars != null && calendars.areKnownUntil();
    }

    private static List<String> warnings(StoredJob job, Instant now) {
        JobCalendars calendars = job.definition().calendar();
        return calendars == null ? List.of() : calendars.ending(now);
    }

    private static Map<Long, Instant> nextTry(Handle handle, Map<Long, GoingOn> goingOn) {
        List<Long> jobs = goingOn.keySet().stream()
                .filter(job -> Objects.requireNonNull(goingOn.get(job)).aside() > 0)
                .toList();
        Map<Long, Instant> nextTry = new HashMap<>();
        if (!jobs.isEmpty()) {
            handle.createQuery(NEXT_TRY)
                    .bindList("jobs", jobs)
                    .map((row, context) -> nextTry.put(row.getLong("job_id"), SqlTime.read(row, "look_at")))
                    .list();
        }
        return nextTry;
    }

    private static @Nullable SetAside setAside(@Nullable GoingOn found, @Nullable Instant nextTry) {
        return found == null || found.why() == null ? null : new SetAside(found.aside(), found.why(), nextTry);
    }

    private static String state(StoredJob job, @Nullable GoingOn goingOn) {
        if (job.definition().paused()) {
            return "PAUSED";
        }
        if (goingOn == null) {
            boolean isManual = job.stored()
                    .schedule(job.createdAt())
                    .map(Schedule::isManual)
                    .orElse(false);
            return isManual ? "IDLE" : "ENDED";
        }
        return goingOn.executing() ? "EXECUTING" : goingOn.prepared() ? "PREPARED" : "IDLE";
    }

    /** Count of jobs by the entries of one index, and no more of them than show that there are many. */
    private static final class JobTotal {

        private static final int LOOKED_AT = Total.MOST + 1;

        private JobTotal() {}

        /** Counts the jobs; returns empty if rows would have to be read. */
        static Optional<Total> count(Handle handle, JobFilter filter) {
            if (filter.state() != null || !filter.labels().isEmpty()) {
                return Optional.empty();
            }
            Conditions where = new Conditions();
            where.add("i.namespace = :namespace", "namespace", filter.namespace());
            if (!filter.within().isEmpty()) {
                where.addList("i.namespace in (<within>)", "within", List.copyOf(filter.within()));
            }
            List<String> words = JobConditions.words(filter);
            boolean anyText = words.isEmpty();
            String found = IntStream.range(0, words.size())
                    .mapToObj(i -> JobConditions.has("word" + i, "c.searched"))
                    .collect(Collectors.joining(" and "));
            Query query = handle.createQuery("select count(*) as looked_at, "
                    + (anyText ? "count(*)" : "coalesce(sum(" + found + "), 0)")
                    + " as found from (select " + (anyText ? "1" : JobConditions.searched("i") + " as searched")
                    + " from job i force index ("
                    + (anyText ? "job_by_name" : "by_find") + ")" + where.sql() + " limit " + LOOKED_AT + ") c");
            where.bind(query);
            for (int i = 0; i < words.size(); i++) {
                query.bind("word" + i, words.get(i));
            }
            return Optional.of(query.map((row, context) -> row.getLong("looked_at") < LOOKED_AT
                            ? new Total(row.getLong("found"), false)
                            : new Total(Math.min(row.getLong("found"), Total.MOST), true))
                    .one());
        }
    }
}
