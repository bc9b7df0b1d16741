package dev.rowlock.policy;

import dev.rowlock.job.Overlap;
import dev.rowlock.job.PlannedJob;
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
import org.jspecify.annotations.Nullable;

/**
 * What a window of time will bring, if every job goes on as it has: how many starts, how many at once, how much that
 * overlap skips. Jobs that ask for the same fire times are worked out together, and seconds and minutes are counted, not
 * kept, so memory is bounded by the window and by {@value #MOST_PLANS} plans. Mutable, for one thread.
 */
public final class Forecast {

    /** What asks for the same fire times is one plan; of more plans than this, the first are settled ahead. */
    private static final int MOST_PLANS = 50_000;
    /** So many jobs are named of one plan. */
    private static final int NAMED = 10;

    /** Of jitter. */
    private static final Duration LONGEST_OFFSET = Duration.ofDays(1);

    private final Instant from;
    private final Instant until;
    private final int seconds;
    private final long[] starts;
    private final long[] skipped;
    private final int[] usual;
    private final int[] slow;

    private final Map<Plan, Load> plans = new LinkedHashMap<>();
    private final Map<List<Object>, Schedule> schedules = new HashMap<>();
    private boolean settledAhead;
    private int jobs;
    private int unmeasured;
    private int notUnderstood;

    /** @param until at most a week later; both whole seconds */
    public Forecast(Instant from, Instant until) {
        this.from = from;
        this.until = until;
        this.seconds = Math.toIntExact(Duration.between(from, until).toSeconds());
        this.starts = new long[minuteOf(seconds - 1) + 1];
        this.skipped = new long[starts.length];
        this.usual = new int[seconds + 1];
        this.slow = new int[seconds + 1];
    }

    /**
     * A job that is not held back for good.
     *
     * @param createdAt where {@code @every} counts from, unless the job has a start
     * @param notBefore no fire time before it counts: the end of a pause; null: there is none
     * @param offset how far behind its fire times it is due
     * @param runsLeft of {@code maxRuns}; null: as many as its schedule asks for
     * @param copies how many tasks each occurrence becomes
     * @param usual the median of its durations; null: it has not run yet
     * @param slow what 5 % of its durations exceed
     */
    public record Job(
            long id,
            PlannedJob planned,
            Instant createdAt,
            @Nullable Instant notBefore,
            Duration offset,
            @Nullable Long runsLeft,
            int copies,
            @Nullable Duration usual,
            @Nullable Duration slow) {

        private boolean skips() {
            return planned.overlap() == Overlap.SKIP;
        }
    }

    /** Fire times, as they are due; {@code first} inclusive, {@code end} exclusive, both of fire times. */
    private record Plan(Schedule schedule, Instant first, Instant end, long offsetSeconds, long runs) {}

    /** What differs among the jobs of a plan. */
    private record Kind(@Nullable Duration usual, @Nullable Duration slow, boolean skips, int copies) {}

    private static final class Load {
        private final Map<Kind, Integer> kinds = new HashMap<>();
        private final List<Long> named = new ArrayList<>();
        private int jobs;

        void add(Job job) {
            jobs++;
            kinds.merge(new Kind(job.usual(), job.slow(), job.skips(), job.copies()), 1, Integer::sum);
            if (named.size() < NAMED) {
                named.add(job.id());
            }
        }
    }

    public void add(Job job) {
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
        Plan plan = new Plan(schedule, first, end, offset, runs);
        plans.computeIfAbsent(plan, any -> new Load()).add(job);
        if (plans.size() >= MOST_PLANS) {
            settledAhead = true;
            settle();
        }
    }

    /** What cannot be foretold. */
    public void addNotUnderstood() {
        notUnderstood++;
    }

    /** What executes as the window begins, for how long it is likely to go on. */
    public void addExecuting(Duration usualLeft, Duration slowLeft) {
        occupy(usual, 0, usualLeft, 1);
        occupy(slow, 0, slowLeft, 1);
    }

    private Schedule schedule(PlannedJob job, Instant createdAt) {
        Instant anchor = job.startAt() == null ? createdAt : job.startAt();
        List<Object> key = List.of(job.schedule(), job.zone(), job.daylightSaving());
        Schedule known = schedules.get(key);
        if (known == null) {
            if (schedules.size() >= MOST_PLANS) {
                schedules.clear();
            }
            known = Schedule.parse(job.schedule(), job.zone(), job.daylightSaving(), anchor);
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
                load.kinds.forEach((kind, count) -> count(due, kind, count * kind.copies()));
            }
        });
        plans.clear();
    }

    /** The seconds of the window at which it is due. */
    private int[] due(Plan plan) {
        int[] due = new int[16];
        int count = 0;
        Instant next = plan.schedule().nextAfter(plan.first().minusMillis(1)).orElse(Instant.MAX);
        while (next.isBefore(plan.end()) && count < plan.runs()) {
            if (count == due.length) {
                due = Arrays.copyOf(due, 2 * count);
            }
            long second = next.getEpochSecond() + plan.offsetSeconds() - from.getEpochSecond();
            due[count++] = (int) Math.max(0, second);
            next = plan.schedule().nextAfter(next).orElse(Instant.MAX);
        }
        return Arrays.copyOf(due, count);
    }

    private void count(int[] due, Kind kind, int tasks) {
        long busyUntilMillis = Long.MIN_VALUE;
        for (int second : due) {
            if (kind.skips() && second * 1000L < busyUntilMillis) {
                skipped[minuteOf(second)] += tasks;
                continue;
            }
            starts[minuteOf(second)] += tasks;
            if (kind.usual() != null) {
                busyUntilMillis = second * 1000L + kind.usual().toMillis();
                occupy(usual, second, kind.usual(), tasks);
                occupy(slow, second, Objects.requireNonNullElse(kind.slow(), kind.usual()), tasks);
            }
        }
    }

    /** A second that is begun counts as a whole. */
    private void occupy(int[] changes, int second, Duration duration, int tasks) {
        long length = Math.max(1, (duration.toMillis() + 999) / 1000);
        changes[second] += tasks;
        changes[(int) Math.min(seconds, second + length)] -= tasks;
    }

    /** Of the minute of the clock, counted from that in which the window begins. */
    private int minuteOf(int second) {
        return (int) ((from.getEpochSecond() % 60 + second) / 60);
    }

    /**
     * A stretch of the window.
     *
     * @param usual the most tasks at once if each takes its job's median, {@code slow} if each takes its p95
     */
    public record Bucket(Instant at, long starts, long skipped, long usual, long slow) {}

    /**
     * A minute with more starts than others.
     *
     * @param jobs how many jobs these are of
     * @param named some of them, with the starts of each, those with the most first
     */
    public record HotMinute(Instant at, long starts, long jobs, Map<Long, Long> named) {}

    /**
     * @param jobs how many are foretold
     * @param unmeasured of how many of them no duration is known, so that they count as starts alone
     * @param notUnderstood how many cannot be foretold, as this version does not understand them
     * @param allNamed false: hot minutes do not count all of their jobs, there are too many kinds of them
     */
    public record Result(
            List<Bucket> buckets,
            List<HotMinute> hot,
            int jobs,
            int unmeasured,
            int notUnderstood,
            boolean allNamed) {}

    /**
     * To be called once.
     *
     * @param width of a bucket: whole minutes
     * @param hottest so many hot minutes
     */
    public Result result(Duration width, int hottest) {
        Map<Plan, Load> open = new LinkedHashMap<>(plans);
        settle();
        return new Result(
                buckets(width), hot(open, hottest), jobs, unmeasured, notUnderstood, !settledAhead);
    }

    private List<Bucket> buckets(Duration width) {
        List<Bucket> buckets = new ArrayList<>();
        long step = width.toSeconds();
        long usualNow = 0;
        long slowNow = 0;
        int second = 0;
        while (second < seconds) {
            long at = Math.floorDiv(from.getEpochSecond() + second, step) * step;
            int end = (int) Math.min(seconds, at + step - from.getEpochSecond());
            long mostUsual = 0;
            long mostSlow = 0;
            int first = minuteOf(second);
            for (; second < end; second++) {
                usualNow += usual[second];
                slowNow += slow[second];
                mostUsual = Math.max(mostUsual, usualNow);
                mostSlow = Math.max(mostSlow, slowNow);
            }
            int last = minuteOf(end - 1);
            buckets.add(new Bucket(
                    Instant.ofEpochSecond(at),
                    Arrays.stream(starts, first, last + 1).sum(),
                    Arrays.stream(skipped, first, last + 1).sum(),
                    mostUsual,
                    mostSlow));
        }
        return buckets;
    }

    private List<HotMinute> hot(Map<Plan, Load> open, int hottest) {
        List<Integer> minutes = new ArrayList<>();
        for (int minute = 0; minute < starts.length; minute++) {
            if (starts[minute] > 0) {
                minutes.add(minute);
            }
        }
        minutes.sort((one, other) -> Long.compare(starts[other], starts[one])); // stable: the earlier of equals first
        return minutes.stream()
                .limit(hottest)
                .map(minute -> hotMinute(open, minute))
                .toList();
    }

    private HotMinute hotMinute(Map<Plan, Load> open, int minute) {
        Instant at = Instant.ofEpochSecond((Math.floorDiv(from.getEpochSecond(), 60) + minute) * 60);
        Map<Plan, Long> counts = new HashMap<>();
        long count = 0;
        for (Map.Entry<Plan, Load> entry : open.entrySet()) {
            long times = inMinute(entry.getKey(), at);
            if (times > 0) {
                counts.put(entry.getKey(), times);
                count += entry.getValue().jobs;
            }
        }
        Map<Long, Long> named = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<Plan, Long>comparingByValue().reversed())
                .limit(NAMED)
                .forEach(entry -> Objects.requireNonNull(open.get(entry.getKey())).named.stream()
                        .limit(NAMED - named.size())
                        .forEach(id -> named.put(id, entry.getValue())));
        return new HotMinute(at, starts[minute], count, named);
    }

    private static long inMinute(Plan plan, Instant at) {
        Instant first = later(at.minusSeconds(plan.offsetSeconds()), plan.first());
        Instant end = at.plusSeconds(60 - plan.offsetSeconds());
        Instant last = (end.isBefore(plan.end()) ? end : plan.end()).minusMillis(1);
        return plan.schedule().countBetween(first.minusMillis(1), last);
    }
}
