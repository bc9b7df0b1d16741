package dev.rowlock.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.ScheduleLines;
import dev.rowlock.report.Forecast.ForecastJob;
import dev.rowlock.report.Forecast.ForecastResult;
import dev.rowlock.report.Forecast.HotMinute;
import dev.rowlock.report.Forecast.LoadBucket;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is foretold equals what playing every job through the window, second by second, would show. */
class ForecastTest {

    private static final List<String> SCHEDULES = List.of(
            "* * * * *",
            "*/5 * * * *",
            "30 2 * * *",
            "0 30 1-3 * * *",
            "*/7 * * * * *",
            "@every 90s",
            "@every 25m",
            "@hourly",
            "@manual",
            "0 0 1 1 *");
    private static final List<String> ZONES =
            List.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");

    private static ForecastJob job(long id, PlannedJob planned, @Nullable Duration usual, @Nullable Duration slow) {
        return new ForecastJob(id, planned, Instant.EPOCH, null, Duration.ZERO, null, 1, usual, slow, List.of());
    }

    private static PlannedJob planned(String schedule, Overlap overlap) {
        return new PlannedJob(
                ScheduleLines.of(schedule),
                ZoneId.of("UTC"),
                DaylightSaving.SHIFT,
                null,
                overlap,
                null,
                null,
                null,
                Duration.ZERO,
                "",
                false);
    }

    /** One line in most cases, else two or three. */
    private static ScheduleLines schedule(Random random) {
        ArrayNode lines = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i == 0 || (i < 3 && random.nextInt(3) == 0); i++) {
            lines.add(SCHEDULES.get(random.nextInt(SCHEDULES.size())));
        }
        return ScheduleLines.read(lines);
    }

    private static ForecastJob random(Random random, long id, Instant from) {
        Instant soon = from.plusSeconds(random.nextInt(30 * 3600) - 3600);
        Instant createdAt = from.minusSeconds(random.nextInt(100_000)).minusMillis(random.nextInt(1000));
        PlannedJob planned = new PlannedJob(
                schedule(random),
                ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))),
                random.nextBoolean() ? DaylightSaving.SHIFT : DaylightSaving.PLAIN,
                null,
                random.nextInt(3) == 0 ? Overlap.ALLOW : Overlap.SKIP,
                random.nextInt(5) == 0 ? soon : null,
                random.nextInt(5) == 0 ? soon.plusSeconds(7_000) : null,
                null,
                Duration.ZERO,
                "",
                false);
        Duration usual = random.nextInt(5) == 0 ? null : Duration.ofMillis(random.nextInt(400_000));
        return new ForecastJob(
                id,
                planned,
                createdAt,
                random.nextInt(6) == 0 ? soon : null,
                Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(600_000) : 0),
                planned.overlap() == Overlap.ALLOW && random.nextInt(3) == 0 ? (long) random.nextInt(20) : null,
                random.nextInt(6) == 0 ? 3 : 1,
                usual,
                usual == null ? null : usual.multipliedBy(2),
                List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-28T21:17:23Z", "2026-10-24T22:00:00Z", "2026-10-03T12:59:59Z"})
    void equals_playing_all_jobs_one_by_one(String start) {
        Instant from = Instant.parse(start);
        Instant until = from.plus(Duration.ofHours(24));
        Random random = new Random(start.hashCode());
        Forecast forecast = new Forecast(from, until);
        Played played = new Played(from, until);
        for (int i = 1; i <= 400; i++) {
            ForecastJob job = random(random, i, from);
            forecast.add(job);
            played.add(job);
        }

        ForecastResult result = forecast.result(Duration.ofMinutes(1), 10);

        assertThat(result.buckets()).isEqualTo(played.buckets());
        List<Long> most = played.starts.values().stream()
                .sorted((one, other) -> Long.compare(other, one))
                .limit(10)
                .toList();
        assertThat(result.hot()).extracting(HotMinute::starts).isEqualTo(most);
        for (HotMinute hot : result.hot()) {
            assertThat(hot.jobs()).isEqualTo(played.jobsAt(hot.at()));
            assertThat(hot.named()).isNotEmpty();
        }
        assertThat(result.jobs()).isEqualTo(400);
        assertThat(result.allNamed()).isTrue();
    }

    /** The plain way. */
    private static final class Played {
        private final Instant from;
        private final Instant until;
        private final Map<Instant, Long> starts = new TreeMap<>();
        private final Map<Instant, Long> skipped = new TreeMap<>();
        private final Map<Instant, Long> dueJobs = new TreeMap<>();
        private final long[] usual;
        private final long[] slow;

        Played(Instant from, Instant until) {
            this.from = from;
            this.until = until;
            int seconds = (int) Duration.between(from, until).toSeconds();
            usual = new long[seconds];
            slow = new long[seconds];
        }

        void add(ForecastJob job) {
            Instant busy = Instant.MIN;
            Instant lastDue = Instant.MIN;
            int runs = 0;
            for (Instant fire : fireTimes(job)) {
                Instant due = fire.plusSeconds(job.offset().toSeconds());
                if (due.isBefore(from) || !due.isBefore(until)) {
                    continue;
                }
                if (job.runsLeft() != null && runs++ >= job.runsLeft()) {
                    return;
                }
                Instant minute = minute(due);
                if (!minute.equals(lastDue)) {
                    dueJobs.merge(minute, 1L, Long::sum);
                    lastDue = minute;
                }
                if (job.planned().overlap() == Overlap.SKIP && due.isBefore(busy)) {
                    skipped.merge(minute, (long) job.copies(), Long::sum);
                    continue;
                }
                starts.merge(minute, (long) job.copies(), Long::sum);
                if (job.usual() != null) {
                    busy = due.plus(job.usual());
                    run(usual, due, job.usual(), job.copies());
                    run(slow, due, Objects.requireNonNull(job.slow()), job.copies());
                }
            }
        }

        private List<Instant> fireTimes(ForecastJob job) {
            PlannedJob planned = job.planned();
            Instant anchor = planned.startAt() == null ? job.createdAt() : planned.startAt();
            Schedule schedule = planned.schedule().make(planned.zone(), planned.daylightSaving(), anchor, null);
            List<Instant> times = new ArrayList<>();
            Optional<Instant> next = schedule.nextAfter(from.minusSeconds(601));
            while (next.isPresent() && next.get().isBefore(until)) {
                Instant t = next.get();
                boolean counts = (planned.startAt() == null || !t.isBefore(planned.startAt()))
                        && (planned.endAt() == null || t.isBefore(planned.endAt()))
                        && (job.notBefore() == null || !t.isBefore(job.notBefore()));
                if (counts) {
                    times.add(t);
                }
                next = schedule.nextAfter(t);
            }
            return times;
        }

        private void run(long[] busy, Instant start, Duration duration, int copies) {
            int at = (int) Duration.between(from, start).toSeconds();
            int second = at;
            do {
                busy[second++] += copies;
            } while (second < busy.length && (second - at) * 1000L < duration.toMillis());
        }

        private static Instant minute(Instant t) {
            return Instant.ofEpochSecond(t.getEpochSecond() / 60 * 60);
        }

        long jobsAt(Instant minute) {
            return dueJobs.getOrDefault(minute, 0L);
        }

        List<LoadBucket> buckets() {
            List<LoadBucket> buckets = new ArrayList<>();
            for (Instant at = minute(from); at.isBefore(until); at = at.plusSeconds(60)) {
                long mostUsual = 0;
                long mostSlow = 0;
                for (int i = 0; i < 60; i++) {
                    int second = (int) Duration.between(from, at.plusSeconds(i)).toSeconds();
                    if (second >= 0 && second < usual.length) {
                        mostUsual = Math.max(mostUsual, usual[second]);
                        mostSlow = Math.max(mostSlow, slow[second]);
                    }
                }
                buckets.add(new LoadBucket(
                        at, starts.getOrDefault(at, 0L), skipped.getOrDefault(at, 0L), mostUsual, mostSlow));
            }
            return buckets;
        }
    }

    @Test
    void overlap_skips_what_comes_while_the_job_runs() {
        Instant from = Instant.parse("2026-11-22T00:00:00Z");
        Forecast forecast = new Forecast(from, from.plus(Duration.ofHours(1)));
        forecast.add(job(1, planned("* * * * *", Overlap.SKIP), Duration.ofSeconds(90), Duration.ofSeconds(90)));
        forecast.add(job(2, planned("* * * * *", Overlap.ALLOW), Duration.ofSeconds(90), Duration.ofSeconds(150)));

        ForecastResult result = forecast.result(Duration.ofHours(1), 1);

        assertThat(result.buckets()).containsExactly(new LoadBucket(from, 30 + 60, 30, 3, 4));
    }

    @Test
    void what_overlap_skips_is_none_of_the_runs_that_a_job_may_have() {
        Instant from = Instant.parse("2026-11-22T00:00:00Z");
        Forecast forecast = new Forecast(from, from.plus(Duration.ofHours(1)));
        Duration usual = Duration.ofSeconds(90);
        PlannedJob planned = planned("* * * * *", Overlap.SKIP);
        forecast.add(new ForecastJob(1, planned, Instant.EPOCH, null, Duration.ZERO, 5L, 1, usual, usual, List.of()));

        LoadBucket hour = forecast.result(Duration.ofHours(1), 1).buckets().get(0);

        assertThat(hour.starts()).isEqualTo(5);
        assertThat(hour.skipped()).isEqualTo(5);
    }

    @Test
    void what_executes_now_counts_for_as_long_as_it_is_likely_to() {
        Instant from = Instant.parse("2026-11-22T00:00:00Z");
        Forecast forecast = new Forecast(from, from.plus(Duration.ofHours(1)));
        forecast.addExecuting(Duration.ofSeconds(30), Duration.ofMinutes(2));

        List<LoadBucket> buckets = forecast.result(Duration.ofMinutes(1), 1).buckets();

        assertThat(buckets).extracting(LoadBucket::usual).startsWith(1L, 0L, 0L);
        assertThat(buckets).extracting(LoadBucket::slow).startsWith(1L, 1L, 0L);
    }

    /** Each has a phase of its own, and so is a plan of its own: more than are kept. */
    @Test
    void memory_is_bounded_however_many_kinds_of_jobs_there_are() {
        Instant from = Instant.parse("2026-11-22T00:00:00Z");
        Forecast forecast = new Forecast(from, from.plus(Duration.ofHours(24)));
        int jobs = 120_000;
        for (int i = 0; i < jobs; i++) {
            forecast.add(new ForecastJob(
                    i,
                    planned("@every 2d", Overlap.SKIP),
                    from.minusSeconds(i),
                    null,
                    Duration.ZERO,
                    null,
                    1,
                    null,
                    null,
                    List.of()));
        }

        ForecastResult result = forecast.result(Duration.ofHours(1), 1);

        assertThat(result.jobs()).isEqualTo(jobs);
        assertThat(result.unmeasured()).isEqualTo(jobs);
        // Those that were made 24 to 48 hours before begin their period within the window; the first at its beginning.
        assertThat(result.buckets().stream().mapToLong(LoadBucket::starts).sum())
                .isEqualTo(jobs - 86_400);
        assertThat(result.allNamed()).isFalse();
    }
}
