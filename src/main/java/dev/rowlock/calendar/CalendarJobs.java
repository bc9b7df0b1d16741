package dev.rowlock.calendar;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.definition.JobKey;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Jobs that name calendars. */
public final class CalendarJobs {

    private static final Pattern NAME = Pattern.compile("\"([^\"]*)\"");

    private static final String NAME_IT =
            " from job j where j.calendars is not null and locate(:quoted, j.calendars) > 0";
    private static final String JOBS =
            "select j.namespace, j.name" + NAME_IT + " order by j.namespace, j.name limit :most";
    private static final String BEHIND = "select j.id" + NAME_IT
            + " and json_unquote(json_extract(j.definition, concat('$.calendarVersions.', :quoted))) <> :mark"
            + " order by j.id mod 64, j.id";
    private static final String COUNTS =
            "select calendars, count(*) as jobs from job where calendars is not null group by calendars";
    private static final String ENDING =
            "select name, known_until from calendar where known_until <= :until order by name";

    private static final String IN_USE = "select distinct calendars from job where calendars is not null";

    private CalendarJobs() {}

    /** Calendar that jobs name, and the last day that its dates were made for. */
    public record EndingCalendar(String name, LocalDate knownUntil) {}

    /** Returns the first jobs that name a calendar, in the order of their names. */
    static List<JobKey> of(Handle handle, String name, int most) {
        return query(handle, JOBS, "quoted", quoted(name), "most", most)
                .map((row, context) -> new JobKey(row.getString("namespace"), row.getString("name")))
                .list();
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    /** Returns jobs that go by another version of a calendar than the marked one, one stripe after the other. */
    static List<Long> behind(Handle handle, String name, String mark) {
        return query(handle, BEHIND, "quoted", quoted(name), "mark", mark)
                .mapTo(Long.class)
                .list();
    }

    /** Returns how many jobs name each calendar. */
    static Map<String, Long> counts(Handle handle) {
        Map<String, Long> counts = new HashMap<>();
        query(handle, COUNTS)
                .map((row, context) -> {
                    long jobs = row.getLong("jobs");
                    names(row).forEach(name -> counts.merge(name, jobs, Long::sum));
                    return jobs;
                })
                .list();
        return counts;
    }

    private static List<String> names(ResultSet row) throws SQLException {
        return NAME.matcher(new String(row.getBytes("calendars"), StandardCharsets.US_ASCII))
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    /**
     * Returns the calendars of jobs that have no dates beyond an instant, as its date is in UTC. Jobs are asked only if
     * some calendar ends.
     */
    public static List<EndingCalendar> ending(Handle handle, Instant until) {
        String day = LocalDate.ofInstant(until, ZoneOffset.UTC).toString();
        List<EndingCalendar> ending = query(handle, ENDING, "until", day)
                .map((row, context) ->
                        new EndingCalendar(row.getString("name"), LocalDate.parse(row.getString("known_until"))))
                .list();
        Set<String> inUse = ending.isEmpty()
                ? Set.of()
                : query(handle, IN_USE).map((row, context) -> names(row)).stream()
                        .flatMap(List::stream)
                        .collect(Collectors.toSet());
        return ending.stream()
                .filter(calendar -> inUse.contains(calendar.name()))
                .toList();
    }
}
