package dev.rowlock.node;

import dev.rowlock.report.count.Histogram;
import dev.rowlock.support.Rows;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the aggregates must say, by the plain way: from all rows of history at once. */
final class Recount {

    private static final Set<String> RUNS = Set.of("SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST");
    private static final LocalDate EPOCH = LocalDate.EPOCH;

    private final List<Row> rows;

    Recount(Rows database) {
        rows = database
                .all("select id, job_id, outcome, reason, started_at, ended_at, duration_ms, lateness_ms, occurrences"
                        + " from task_history where not withdrawn")
                .stream()
                .map(Row::of)
                .sorted(Comparator.comparing(Row::ended).thenComparing(Row::id))
                .toList();
    }

    private record Row(
            long id,
            long job,
            String outcome,
            @Nullable String reason,
            @Nullable LocalDateTime started,
            LocalDateTime ended,
            @Nullable Long duration,
            @Nullable Long lateness,
            long occurrences) {

        static Row of(Map<String, @Nullable String> row) {
            return new Row(
                    Long.parseLong(Objects.requireNonNull(row.get("id"))),
                    Long.parseLong(Objects.requireNonNull(row.get("job_id"))),
                    Objects.requireNonNull(row.get("outcome")),
                    row.get("reason"),
                    time(row.get("started_at")),
                    Objects.requireNonNull(time(row.get("ended_at"))),
                    number(row.get("duration_ms")),
                    number(row.get("lateness_ms")),
                    Long.parseLong(Objects.requireNonNull(row.get("occurrences"))));
        }

        boolean ran() {
            return started != null && RUNS.contains(outcome);
        }

        String result() {
            return outcome.equals("SUCCEEDED") ? "SUCCEEDED" : "FAILED";
        }

        long period() {
            return EPOCH.until(ended.toLocalDate(), ChronoUnit.DAYS) / 14;
        }
    }

    private static @Nullable LocalDateTime time(@Nullable String text) {
        return text == null ? null : LocalDateTime.parse(text.replace(' ', 'T'));
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null ? null : Long.valueOf(text);
    }

    /** As {@link #STATS} reads them. */
    Map<String, String> stats() {
        Map<Long, List<Row>> runs = new TreeMap<>();
        rows.stream()
                .filter(Row::ran)
                .forEach(row -> runs.computeIfAbsent(row.job(), any -> new ArrayList<>())
                        .add(row));
        Map<String, String> stats = new TreeMap<>();
        runs.forEach((job, of) -> {
            Row last = of.get(of.size() - 1);
            int first = of.size() - 1;
            while (first > 0 && of.get(first - 1).result().equals(last.result())) {
                first--;
            }
            Histogram recent = new Histogram();
            List<Row> timed = of.stream().filter(row -> row.duration() != null).toList();
            long period = timed.isEmpty() ? 0 : timed.get(timed.size() - 1).period();
            timed.stream()
                    .filter(row -> row.period() >= period - 1)
                    .forEach(row -> recent.add(Objects.requireNonNull(row.duration())));
            stats.put(
                    String.valueOf(job),
                    String.join(
                            " ",
                            String.valueOf(last.id()),
                            last.outcome(),
                            String.valueOf(last.duration()),
                            last.result(),
                            String.valueOf(of.size() - first),
                            text(of.get(first).ended()),
                            String.valueOf(recent.percentile(50)),
                            String.valueOf(recent.percentile(95)),
                            String.valueOf(recent.count())));
        });
        return stats;
    }

    static final String STATS = "select job_id as k, concat_ws(' ', last_task, last_outcome,"
            + " coalesce(last_duration_ms, 'null'), result, streak, streak_since, coalesce(p50_ms, 'null'),"
            + " coalesce(p95_ms, 'null'), samples) as v from job_stats";

    Map<String, String> days() {
        Map<String, List<Row>> days = new TreeMap<>();
        rows.forEach(row -> days.computeIfAbsent(row.job() + " " + row.ended().toLocalDate(), any -> new ArrayList<>())
                .add(row));
        Map<String, String> texts = new TreeMap<>();
        days.forEach((key, of) -> {
            Histogram durations = new Histogram();
            Histogram latenesses = new Histogram();
            long longest = -1;
            long latest = -1;
            for (Row row : of.stream().filter(Row::ran).toList()) {
                if (row.duration() != null) {
                    durations.add(row.duration());
                    longest = Math.max(longest, row.duration());
                }
                if (row.lateness() != null) {
                    latenesses.add(row.lateness());
                    latest = Math.max(latest, Math.max(0, row.lateness()));
                }
            }
            texts.put(
                    key,
                    of.stream().filter(Row::ran).count() + " " + outcomes(of) + " " + longest + " " + latest + " ["
                            + durations.text() + "] [" + latenesses.text() + "]");
        });
        return texts;
    }

    static final String DAYS = "select concat_ws(' ', job_id, day) as k, concat(concat_ws(' ', runs, succeeded, failed,"
            + " timed_out, killed, lost, skipped, missed, coalesce(max_duration_ms, -1), coalesce(max_lateness_ms, -1)),"
            + " ' [', durations, '] [', latenesses, ']') as v from job_day";

    Map<String, String> minutes() {
        Map<LocalDateTime, List<Row>> ended = new TreeMap<>();
        Map<LocalDateTime, Integer> fires = new TreeMap<>();
        for (Row row : rows) {
            LocalDateTime minute = row.ended().truncatedTo(ChronoUnit.MINUTES);
            ended.computeIfAbsent(minute, any -> new ArrayList<>()).add(row);
            if (row.started() != null) {
                fires.merge(row.started().truncatedTo(ChronoUnit.MINUTES), 1, Integer::sum);
            }
        }
        fires.keySet().forEach(minute -> ended.putIfAbsent(minute, List.of()));
        Map<String, String> texts = new TreeMap<>();
        ended.forEach((minute, of) -> texts.put(
                minute.toString().replace('T', ' ') + ":00",
                fires.getOrDefault(minute, 0) + " " + outcomes(of) + " "
                        + of.stream()
                                .filter(row -> row.outcome().equals("CANCELLED"))
                                .count()));
        return texts;
    }

    static final String MINUTES =
            "select minute as k, concat_ws(' ', fires, succeeded, failed, timed_out, killed, lost,"
                    + " skipped, missed, cancelled) as v from history_minute";

    /** What such a statement reads. */
    static Map<String, String> read(Rows database, String sql) {
        Map<String, String> read = new TreeMap<>();
        database.all(sql)
                .forEach(row -> read.put(Objects.requireNonNull(row.get("k")), Objects.requireNonNull(row.get("v"))));
        return read;
    }

    private static String outcomes(List<Row> rows) {
        List<String> counts = new ArrayList<>();
        for (String outcome : List.of("SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST")) {
            counts.add(String.valueOf(
                    rows.stream().filter(row -> row.outcome().equals(outcome)).count()));
        }
        for (String outcome : List.of("SKIPPED", "MISSED")) {
            counts.add(String.valueOf(rows.stream()
                    .filter(row -> row.outcome().equals(outcome))
                    .mapToLong(Row::occurrences)
                    .sum()));
        }
        return String.join(" ", counts).toLowerCase(Locale.ROOT);
    }

    private static String text(LocalDateTime t) {
        return java.time.format.DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS")
                .format(t);
    }
}
