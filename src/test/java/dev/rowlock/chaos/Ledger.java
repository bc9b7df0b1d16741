package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.OnLost;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.support.LiveRows;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the database says in the end: history, live tasks and versions of jobs, read past the product.
 *
 * @param now the database's time when it was read
 * @param versions by job id, in order
 */
record Ledger(
        Instant now,
        List<Ended> history,
        List<Live> live,
        Map<Long, List<Version>> versions,
        List<Backfilled> backfills,
        List<Alarm> alarms) {

    private static final DateTimeFormatter SQL_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss[.SSSSSS][.SSS]");

    private static final String AGAIN = "run:again-";
    private static final String PART_AGAIN = "#-";
    private static final String BACKFILL = "backfill:";
    private static final String PART_OF_BACKFILL = "#+";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A row of history. */
    record Ended(
            long id,
            long job,
            String key,
            int version,
            Instant fire,
            @Nullable Instant next,
            String origin,
            int attempt,
            String cause,
            String outcome,
            @Nullable String reason,
            @Nullable String launch,
            @Nullable Instant started,
            Instant ended,
            @Nullable Long latenessMillis,
            @Nullable Long durationMillis,
            @Nullable Integer exitCode,
            long occurrences,
            Instant lastFire,
            @Nullable Long replacedBy) {

        boolean isScheduled() {
            return origin.isEmpty();
        }

        boolean isOfBroadcast() {
            return node() != null;
        }

        /** The node that this is the part of in a broadcast; null: it is none. */
        @Nullable
        String node() {
            return nodeOf(origin);
        }

        /** Whether somebody asked for it to run again, with its retries and recoveries. */
        boolean isRerun() {
            return origin.startsWith(AGAIN) || (isOfBroadcast() && origin.contains(PART_AGAIN));
        }

        /** The task that it runs again. */
        long repeats() {
            return isOfBroadcast()
                    ? Long.parseLong(origin.substring(origin.indexOf(PART_AGAIN) + 2), Character.MAX_RADIX)
                    : Long.parseLong(origin.substring(AGAIN.length()));
        }

        /** The backfill that it belongs to; 0: none. */
        long backfill() {
            if (origin.startsWith(BACKFILL)) {
                return Long.parseLong(origin.substring(BACKFILL.length()));
            }
            int of = isOfBroadcast() ? origin.indexOf(PART_OF_BACKFILL) : -1;
            return of < 0 ? 0 : Long.parseLong(origin.substring(of + PART_OF_BACKFILL.length()));
        }

        /** Whether it stands for a fire time of a schedule: at that time, again, or in a backfill. */
        boolean hasFireTime() {
            return isScheduled() || isRerun() || backfill() > 0 || (isOfBroadcast() && !origin.contains("#"));
        }

        /** Whether a freeze keeps it from starting: people's runs and reruns start. */
        boolean isFreezable() {
            return hasFireTime() && !isRerun();
        }

        /** Whether it was carried out: its command, or its broadcast onto nodes. */
        boolean hasRun() {
            return started != null || outcome.equals("EXPANDED");
        }

        /** Whether its command ran, and said that there was nothing to do. */
        boolean isDeclined() {
            return outcome.equals("SKIPPED") && exitCode != null;
        }

        /** What a broadcast and its parts have in common, and no other. */
        String broadcast() {
            int request = origin.indexOf('#');
            String asked = backfill() > 0
                    ? BACKFILL + backfill()
                    : isOfBroadcast()
                            ? (request < 0 ? "" : origin.substring(request + 1).replace("-", ""))
                            : (isScheduled() ? "" : Long.toString(id, Character.MAX_RADIX));
            return job + " " + fire + " " + asked;
        }

        @Override
        public String toString() {
            return "task " + id + " of " + key + " (job " + job + " version " + version + ", fire time " + fire
                    + (occurrences > 1 ? " to " + lastFire + ", " + occurrences + " occurrences" : "")
                    + (origin.isEmpty() ? "" : ", " + origin) + ", attempt " + attempt + ", " + cause + ", launch "
                    + launch + ", started " + started + ", ended " + ended + ": " + outcome + " " + exitCode + " '"
                    + reason + "')";
        }
    }

    /** A row of {@code task}. */
    record Live(
            long id,
            long job,
            Instant fire,
            String origin,
            int attempt,
            String cause,
            String state,
            @Nullable Instant due,
            @Nullable String hold,
            @Nullable String launch,
            boolean cursor) {

        /** As of {@link Ended#node}. */
        @Nullable
        String node() {
            return nodeOf(origin);
        }
    }

    /** {@link Ended#broadcast} of those that run again as a whole. */
    Set<String> broadcastAgain() {
        return history.stream()
                .filter(row -> row.isRerun() && row.outcome().equals("EXPANDED"))
                .map(Ended::broadcast)
                .collect(Collectors.toSet());
    }

    /** When a job was deleted; empty: it was not. */
    Optional<Instant> deleted(long job) {
        List<Version> own = versions.get(job);
        return Optional.ofNullable(own.get(own.size() - 1).until());
    }

    /** The definitions that were in force at some moment of this stretch. */
    List<JobDefinition> definitions(long job, Instant from, Instant until) {
        return versions.get(job).stream()
                .filter(v -> v.from().isBefore(until)
                        && (v.until() == null || v.until().isAfter(from)))
                .map(Version::definition)
                .toList();
    }

    /** From {@code node:NAME}, which {@code #} and a request may follow. */
    private static @Nullable String nodeOf(String origin) {
        return origin.startsWith("node:") ? origin.substring(5).replaceFirst("#.*", "") : null;
    }

    /**
     * A backfill as it is stored.
     *
     * @param over when the last of its tasks had ended; null: it has none
     */
    record Backfilled(
            long id,
            long job,
            Instant from,
            Instant until,
            boolean all,
            boolean newestFirst,
            int parallel,
            int fireTimes,
            Instant created,
            @Nullable Instant cancelled,
            @Nullable Instant over) {}

    /** An alert that an occurrence has not finished by its time. */
    record Alarm(long job, Instant fire, Instant by) {}

    /**
     * One version of a job, with its validity.
     *
     * @param schedule by the calendars that the version names, each in the version that it was made by
     * @param until null: in force, or in force when the job was deleted
     */
    record Version(
            long job,
            int number,
            String key,
            JobDefinition definition,
            DrawnSchedule schedule,
            boolean paused,
            Instant from,
            @Nullable Instant until) {}

    static Ledger read(ChaosDatabase database) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement()) {
            statement.execute("set session transaction isolation level repeatable read");
            statement.execute("start transaction with consistent snapshot");
            Instant now;
            try (ResultSet rows = statement.executeQuery("select utc_timestamp(6)")) {
                rows.next();
                now = time(rows, 1);
            }
            List<Ended> history = history(statement);
            Ledger ledger = new Ledger(
                    now,
                    history,
                    live(statement),
                    versions(statement),
                    backfills(statement, history),
                    alarms(statement));
            statement.execute("rollback");
            return ledger;
        }
    }

    /** Whether the job wanted a lost run to be attempted again at that moment; null: nobody can say, it was changed or deleted then. */
    @Nullable
    Boolean isToBeRerun(Ended lost) {
        List<Version> own = versions.get(lost.job());
        Version last = own.get(own.size() - 1);
        if (last.until() != null
                || own.stream().map(v -> v.definition().onLost()).distinct().count() > 1) {
            return null;
        }
        return last.definition().onLost() == OnLost.RERUN;
    }

    /** Everything, a row a line, for people who look into a violation. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        versions.values()
                .forEach(of -> of.forEach(v -> lines.add("version " + v.number() + " of job " + v.job() + " " + v.key()
                        + " from " + v.from() + " until " + v.until() + (v.paused() ? " PAUSED " : " ")
                        + v.definition().schedule() + " overlap "
                        + v.definition().overlap() + " misfire "
                        + v.definition().misfire() + " onLost " + v.definition().onLost()
                        + (v.schedule().calendars().isEmpty() ? "" : " " + v.schedule()))));
        history.forEach(row -> lines.add("history " + row + " next " + row.next()));
        backfills.forEach(row -> lines.add("backfill " + row));
        live.forEach(row -> lines.add("live " + row));
        return lines;
    }

    /** The definition that a row was made with. */
    Version versionOf(Ended row) {
        return versions.get(row.job()).stream()
                .filter(v -> v.number() == row.version())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no such version: " + row));
    }

    private static List<Ended> history(Statement statement) throws SQLException {
        List<Ended> result = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("select * from " + Purging.all("task_history")
                + " where namespace = '" + Workload.NAMESPACE + "' order by id")) {
            while (rows.next()) {
                result.add(new Ended(
                        rows.getLong("id"),
                        rows.getLong("job_id"),
                        rows.getString("namespace") + "/" + rows.getString("job"),
                        rows.getInt("job_version"),
                        time(rows, rows.findColumn("fire_time")),
                        time(rows, rows.findColumn("next_fire_time")),
                        rows.getString("origin"),
                        rows.getInt("attempt"),
                        rows.getString("cause"),
                        rows.getString("outcome"),
                        rows.getString("reason"),
                        rows.getString("launch_id"),
                        time(rows, rows.findColumn("started_at")),
                        time(rows, rows.findColumn("ended_at")),
                        number(rows, "lateness_ms"),
                        number(rows, "duration_ms"),
                        rows.getString("exit_code") == null ? null : Integer.valueOf(rows.getInt("exit_code")),
                        rows.getLong("occurrences"),
                        time(rows, rows.findColumn("last_fire_time")),
                        number(rows, "replaced_by")));
            }
        }
        return result;
    }

    private static List<Live> live(Statement statement) throws SQLException {
        List<Live> result = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(LiveRows.query("select * from live_task order by id"))) {
            while (rows.next()) {
                result.add(new Live(
                        rows.getLong("id"),
                        rows.getLong("job_id"),
                        time(rows, rows.findColumn("fire_time")),
                        rows.getString("origin"),
                        rows.getInt("attempt"),
                        rows.getString("cause"),
                        rows.getString("state"),
                        time(rows, rows.findColumn("due_at")),
                        rows.getString("hold"),
                        rows.getString("launch_id"),
                        rows.getString("cursor_of") != null));
            }
        }
        return result;
    }

    private static Map<Long, List<Version>> versions(Statement statement) throws SQLException {
        Map<Long, List<Version>> result = new TreeMap<>();
        Map<String, DrawnCalendar> calendars = calendars(statement);
        try (ResultSet rows =
                statement.executeQuery("select * from " + Purging.all("job_version") + " order by job_id, version")) {
            while (rows.next()) {
                long job = rows.getLong("job_id");
                List<Version> versions = result.computeIfAbsent(job, id -> new ArrayList<>());
                Instant from = time(rows, rows.findColumn("valid_from"));
                Instant created = versions.isEmpty() ? from : versions.get(0).from();
                boolean paused = rows.getBoolean("paused");
                JobKey key = new JobKey(rows.getString("namespace"), rows.getString("name"));
                String text = rows.getString("definition");
                JobDefinition definition =
                        StoredDefinition.read(key, text, paused).definition();
                versions.add(new Version(
                        job,
                        rows.getInt("version"),
                        definition.key().toString(),
                        definition,
                        DrawnSchedule.of(text, created, (name, mark) -> calendars.get(name + " " + mark)),
                        paused,
                        from,
                        time(rows, rows.findColumn("valid_until"))));
            }
        }
        return result;
    }

    /** By name and the mark of their version. */
    private static Map<String, DrawnCalendar> calendars(Statement statement) throws SQLException {
        Map<String, DrawnCalendar> result = new HashMap<>();
        try (ResultSet rows =
                statement.executeQuery("select name, mark, definition from " + Purging.all("calendar_version"))) {
            while (rows.next()) {
                result.put(
                        rows.getString(1) + " " + rows.getString(2),
                        DrawnCalendar.of(JSON.readTree(rows.getString(3))));
            }
        } catch (IOException e) {
            throw new IllegalStateException("a calendar that is not JSON", e);
        }
        return result;
    }

    private static List<Backfilled> backfills(Statement statement, List<Ended> history) throws SQLException {
        List<Backfilled> result = new ArrayList<>();
        Map<Long, Instant> over = history.stream()
                .filter(row -> row.backfill() > 0)
                .collect(Collectors.toMap(
                        Ended::backfill, Ended::ended, BinaryOperator.maxBy(Comparator.naturalOrder())));
        try (ResultSet rows = statement.executeQuery("select * from " + Purging.all("backfill") + " order by id")) {
            while (rows.next()) {
                result.add(new Backfilled(
                        rows.getLong("id"),
                        rows.getLong("job_id"),
                        time(rows, rows.findColumn("from_at")),
                        time(rows, rows.findColumn("until_at")),
                        rows.getString("only_which").equals("ALL"),
                        rows.getString("run_order").equals("NEWEST_FIRST"),
                        rows.getInt("parallel"),
                        rows.getInt("fire_times"),
                        time(rows, rows.findColumn("created_at")),
                        time(rows, rows.findColumn("cancelled_at")),
                        over.get(rows.getLong("id"))));
            }
        }
        return result;
    }

    private static List<Alarm> alarms(Statement statement) throws SQLException {
        List<Alarm> result = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "select job_id, substring_index(event, ':', -1), at from alert where kind = 'NOT_FINISHED_BY'")) {
            while (rows.next()) {
                result.add(new Alarm(rows.getLong(1), Instant.ofEpochMilli(rows.getLong(2)), time(rows, 3)));
            }
        }
        return result;
    }

    private static @Nullable Long number(ResultSet rows, String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? null : value;
    }

    /** As text, so that no time zone of this JVM comes into it. */
    private static @Nullable Instant time(ResultSet rows, int column) throws SQLException {
        String text = rows.getString(column);
        return text == null ? null : LocalDateTime.parse(text, SQL_TIME).toInstant(ZoneOffset.UTC);
    }
}
