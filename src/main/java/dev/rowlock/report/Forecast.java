package dev.rowlock.report;

import dev.rowlock.definition.Overlap;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.freeze.FreezeStretch;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forecast for a window of time, if every job goes on as before: how many starts, how many at once, how much overlap
 * skips. Jobs with the same fire times are computed together, and seconds and minutes are counted, not kept, so memory
 * is bounded by the window and by {@value #MOST_PLANS} plans. Mutable, for one thread.
 */
public final class Forecast {

    /** Bound on plans, above which the first are settled ahead. Jobs with the same fire times share one. */
    private static final int MOST_PLANS = 50_000;
    /** Bound on jobs that are named of one plan. */
    private static final int NAMED = 10;

    /** Longest jitter. */
    private static final Duration LONGEST_OFFSET = Duration.ofDays(1);

    private final Instant from;
    private final Instant until;
    private final ForecastWindow window;

    private final Map<DueSchedule, Load> plans = new LinkedHashMap<>();
    private final Map<List<Object>, Schedule> schedules = new HashMap<>();
    private boolean settledAhead;
    private int jobs;
    private int unmeasured;
    private int notUnderstood;
    private long held;
    private long skipped;

    /**
     * Creates a forecast without jobs.
     *
     * @param until at most a week later; both whole seconds
     */
    public Forecast(Instant from, Instant until) {
        this.from = from;
        this.until = until;
        this.window = new ForecastWindow(from, until);
    }

    /**
     * Job that is not held back for good.
     *
     * @param createdAt where {@code @every} counts from, unless the job has a start
     * @param notBefore no fire time before it counts: the end of a pause; null: there is none
     * @param offset how far behind its fire times it is due
     * @param runsLeft of {@code maxRuns}; null: as many as its schedule has fire times
     * @param copies how many tasks each occurrence becomes
     * @param usual the median of its durations; null: it has not run yet
     * @param slow what 5 % of its durations exceed
     * @param freezes those that cover it
     */
    public record ForecastJob(
            long id,
            PlannedJob planned,
            Instant createdAt,
            @Nullable Instant notBefore,
            Duration offset,
            @Nullable Long runsLeft,
            int copies,
            @Nullable Duration usual,
            @Nullable Duration slow,
            List<Freeze> freezes) {

        private boolean skips() {
            return planned.overlap() == Overlap.SKIP;
        }
    }

    /** Fire times, as they are due; {@code first} inclusive, {@code end} exclusive, both of fire times. */
    private record DueSchedule(Schedule schedule, Instant first, Instant end, long offsetSeconds, long runs) {}

    /** Differences among the jobs of a plan. */
    private record JobProfile(
            @Nullable Duration usual, @Nullable Duration slow, boolean skips, int copies) {}

    private static final class Load {
        private final Map<JobProfile, Integer> kinds = new HashMap<>();
        private final List<Long> named = new ArrayList<>();
        private int jobs;

        void add(ForecastJob job) {
            jobs++;
            kinds.merge(new JobProfile(job.usual(), job.slow(), job.skips(), job.copies()), 1, Integer::sum);
            if (named.size() < NAMED) {
                named.add(job.id());
            }
        }
    }

    public void add(ForecastJob job) {
        PlannedJob planned = job.planned();
        Schedule schedule;
        try {
            schedule = schedule(planned, job.createdAt());
        } catch (ScheduleProblem e) {
            addNotUnderstood();
            return;
        }
        jobs++;
        if (job.usual() == null) {
            unmeasured++;
        }
        long offset = job.offset().toSeconds();
        Instant first = later(later(from.minusSeconds(offset), planned.startAt()), job.notBefore());
        Instant end = until.minusSeconds(offset);
        if (planned.endAt() != null && planned.endAt().isBefore(end)) {
            end = planned.endAt();
        }
        long runs = job.runsLeft() == null ? Long.MAX_VALUE : job.runsLeft();
        if (!first.isBefore(end) || runs <= 0 || job.copies() == 0) {
            return;
        }
        for (List<FreezeStretch> coverage : FreezeStretch.between(job.freezes(), from, until)) {
            Instant frozen = later(first, coverage.get(0).from().minusSeconds(offset));
            if (frozen.isBefore(end)) {
                add(job, new DueSchedule(schedule, first, frozen, offset, runs));
                first = later(first, freeze(job, schedule, coverage, first, end));
            }
        }
        add(job, new DueSchedule(schedule, first, end, offset, runs));
    }

    private void add(ForecastJob job, DueSchedule plan) {
        if (!plan.first().isBefore(plan.end())) {
            return;
        }
        plans.computeIfAbsent(plan, any -> new Load()).add(job);
        if (plans.size() >= MOST_PLANS) {
            settledAhead = true;
            settle();
        }
    }

    /**
     * Counts what freezes skip and hold while they cover a job without a gap: of all that is held, one starts at the
     * end.
     *
     * @return from when on its fire times are covered no longer
     */
    private Instant freeze(
            ForecastJob job, Schedule schedule, List<FreezeStretch> coverage, Instant first, Instant end) {
        long waiting = 0;
        Instant over = first;
        for (FreezeStretch stretch : coverage) {
            Instant last = stretch.end().minus(job.offset());
            long times = schedule.countBetween(
                    later(first, stretch.from().minus(job.offset())).minusMillis(1),
                    last.isBefore(end) ? last : end.minusMillis(1));
            skipped += stretch.effect() == FreezeEffect.SKIP ? times : 0;
            waiting += stretch.effect() == FreezeEffect.HOLD ? times : 0;
            over = last.plusMillis(1);
        }
        held += waiting;
        Instant starts = coverage.get(coverage.size() - 1).end().plusMillis(1);
        if (waiting > 0 && starts.isBefore(until)) {
            int[] due = {(int) Math.max(0, starts.getEpochSecond() - from.getEpochSecond())};
            window.add(due, 1, job.skips(), job.usual(), job.slow(), job.copies());
        }
        return over;
    }

    /** Counts a job that cannot be forecast. */
    public void addNotUnderstood() {
        notUnderstood++;
    }

    /** Adds a task that executes as the window begins, with the time for which it is likely to go on. */
    public void addExecuting(Duration usualLeft, Duration slowLeft) {
        window.run(0, usualLeft, slowLeft, 1);
    }

    private Schedule schedule(PlannedJob job, Instant createdAt) {
        Instant anchor = job.startAt() == null ? createdAt : job.startAt();
        List<Object> key =
                List.of(job.schedule(), job.zone(), job.daylightSaving(), Optional.ofNullable(job.calendars()));
        Schedule known = schedules.get(key);
        if (known == null) {
            if (schedules.size() >= MOST_PLANS) {
                schedules.clear();
            }
            known = job.schedule().make(job.zone(), job.daylightSaving(), anchor, job.calendars());
            schedules.put(key, known);
        }
        return known.anchoredAt(anchor, from.minus(LONGEST_OFFSET));
    }

    private static Instant later(Instant one, @Nullable Instant other) {
        return other != null && other.isAfter(one) ? other : one;
    }

    private void settle() {
        plans.forEach((plan, load) -> {
            int[] due = due(plan);
            if (due.length > 0) {
                load.kinds.forEach((kind, count) ->
                        window.add(due, plan.runs(), kind.skips(), kind.usual(), kind.slow(), count * kind.copies()));
            }
        });
        plans.clear();
    }

    /** Returns the seconds of the window at which it is due. */
    private int[] due(DueSchedule plan) {
        int[] due = new int[16];
        int count = 0;
        Instant next = plan.schedule().nextAfter(plan.first().minusMillis(1)).orElse(Instant.MAX);
        while (next.isBefore(plan.end())) {
            if (count == due.length) {
                due = Arrays.copyOf(due, 2 * count);
            }
            long second = next.getEpochSecond() + plan.offsetSeconds() - from.getEpochSecond();
            due[count++] = (int) Math.max(0, second);
            next = plan.schedule().nextAfter(next).orElse(Instant.MAX);
        }
        return Arrays.copyOf(due, count);
    }

    /**
     * Time interval in a forecast.
     *
     * @param usual the most tasks at once if each takes its job's median, {@code slow} if each takes its p95
     */
    public record LoadBucket(Instant at, long starts, long skipped, long usual, long slow) {}

    /**
     * Minute with more starts than others.
     *
     * @param jobs how many jobs these belong to
     * @param named some of them, with the starts of each, those with the most first
     */
    public record HotMinute(Instant at, long starts, long jobs, Map<Long, Long> named) {}

    /**
     * Result of a forecast.
     *
     * @param jobs how many are forecast
     * @param unmeasured of how many of them no duration is known, so that they count as starts alone
     * @param notUnderstood how many cannot be forecast, as this version does not understand them
     * @param allNamed false: hot minutes do not count all of their jobs, as there are too many kinds of them
     * @param held how many occurrences come due while a freeze holds them
     * @param skipped how many do while one skips them
     */
    public record ForecastResult(
            List<LoadBucket> buckets,
            List<HotMinute> hot,
            int jobs,
            int unmeasured,
            int notUnderstood,
            boolean allNamed,
            long held,
            long skipped) {}

    /**
     * Returns the result. Call once.
     *
     * @param width of a bucket: whole minutes
     * @param hottest number of hot minutes
     */
    public ForecastResult result(Duration width, int hottest) {
        Map<DueSchedule, Load> open = new LinkedHashMap<>(plans);
        settle();
        return new ForecastResult(
                window.buckets(width),
                hot(open, hottest),
                jobs,
                unmeasured,
                notUnderstood,
                !settledAhead,
                held,
                skipped);
    }

    private List<HotMinute> hot(Map<DueSchedule, Load> open, int hottest) {
        return window.hottest(hottest).stream()
                .map(minute -> hotMinute(open, minute))
                .toList();
    }

    private HotMinute hotMinute(Map<DueSchedule, Load> open, int minute) {
        Instant at = window.minute(minute);
        Map<DueSchedule, Long> counts = new HashMap<>();
        long count = 0;
        for (Map.Entry<DueSchedule, Load> entry : open.entrySet()) {
            long times = inMinute(entry.getKey(), at);
            if (times > 0) {
                counts.put(entry.getKey(), times);
                count += entry.getValue().jobs;
            }
        }
        Map<Long, Long> named = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<DueSchedule, Long>comparingByValue().reversed())
                .limit(NAMED)
                .forEach(entry -> Objects.requireNonNull(open.get(entry.getKey())).named.stream()
                        .limit(NAMED - named.size())
                        .forEach(id -> named.put(id, entry.getValue())));
        return new HotMinute(at, window.startsIn(minute), count, named);
    }

    private static long inMinute(DueSchedule plan, Instant at) {
        Instant first = later(at.minusSeconds(plan.offsetSeconds()), plan.first());
        Instant end = at.plusSeconds(60 - plan.offsetSeconds());
        Instant last = (end.isBefore(plan.end()) ? end : plan.end()).minusMillis(1);
        long times = plan.schedule().countBetween(first.minusMillis(1), last);
        if (times == 0 || plan.runs() == Long.MAX_VALUE) {
            return times;
        }
        long before = plan.schedule().countBetween(plan.first().minusMillis(1), first.minusMillis(1));
        return Math.min(times, Math.max(0, plan.runs() - before));
    }
}
