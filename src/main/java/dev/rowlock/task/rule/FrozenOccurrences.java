package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.freeze.FreezeStretch;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.MisfireDecision.FreezeReasons;
import dev.rowlock.task.rule.MisfireDecision.MisfireRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decision on what came due of a job while freezes covered it, however late it is made: what one skips is skipped; of
 * what is held, the latest alone runs, or as many as may wait. What came due after the last of them is none of this.
 */
public final class FrozenOccurrences {

    private static final String FORMER = "a freeze that does not cover the job any more";

    private final List<Task> rows;
    private final JobDefinition job;
    private final Schedule schedule;
    private final int waiting;

    private FrozenOccurrences(List<Task> rows, JobDefinition job, Schedule schedule, int waiting) {
        this.rows = rows;
        this.job = job;
        this.schedule = schedule;
        this.waiting = waiting;
    }

    /**
     * Decides on the first stretch that is covered with one effect; what is behind it comes next.
     *
     * @param rows all that are due, earliest first; fire times after the cursor's may be due without a row
     * @param waiting how many others of the job are held
     * @param freezes those that were in force since the first of them was due
     * @return empty: no freeze covered the first of them
     */
    public static Optional<MisfireDecision> decide(
            List<Task> rows, JobDefinition job, int waiting, List<Freeze> freezes, Schedule schedule, Instant now) {
        return new FrozenOccurrences(rows, job, schedule, waiting).decide(freezes, now);
    }

    /** Returns whether one of these freezes covered the job when the task was due. */
    public static boolean isCovered(Task task, JobDefinition job, List<Freeze> freezes) {
        return freezes.stream()
                .anyMatch(freeze -> freeze.isInForce(task.scheduled()) && freeze.covers(job.key(), job.labels()));
    }

    /**
     * Decides on misfires, up to the first occurrence that came due under a freeze: that is none.
     *
     * @param rows as above, of which no freeze covered the first
     */
    public static MisfireDecision misfires(
            List<Task> rows, JobDefinition job, List<Freeze> freezes, Schedule schedule, Instant now) {
        FrozenOccurrences all = new FrozenOccurrences(rows, job, schedule, 0);
        return all.through(all.lastBefore(freezes, now), MisfireRules.of(job), now);
    }

    private Instant lastBefore(List<Freeze> freezes, Instant now) {
        return FreezeStretch.between(covering(freezes), rows.get(0).scheduled(), now.plusMillis(1)).stream()
                .flatMap(List::stream)
                .filter(this::hasFireTime)
                .map(stretch -> stretch.from().minusMillis(1))
                .findFirst()
                .orElse(now);
    }

    private List<Freeze> covering(List<Freeze> freezes) {
        return freezes.stream()
                .filter(freeze -> freeze.covers(job.key(), job.labels()))
                .toList();
    }

    private Optional<MisfireDecision> decide(List<Freeze> freezes, Instant now) {
        Task first = rows.get(0);
        List<FreezeStretch> stretches = FreezeStretch.of(covering(freezes), first.scheduled(), now);
        if (!stretches.isEmpty()) {
            FreezeStretch stretch = stretches.get(0);
            return Optional.of(staying(through(stretch.end(), rules(stretch, isFollowed(stretches)), now), stretches));
        }
        return first.hold() == Hold.FREEZE
                ? beforeItBegan(freezes, first, now).or(() -> formerly(freezes, first, now))
                : Optional.empty();
    }

    /** Decides on what came due shortly before a freeze that held it, with all that came due under that one. */
    private Optional<MisfireDecision> beforeItBegan(List<Freeze> freezes, Task first, Instant now) {
        Instant begun = covering(freezes).stream()
                .map(Freeze::from)
                .filter(from -> from.isAfter(first.scheduled()) && !from.isAfter(now))
                .min(Instant::compareTo)
                .orElse(null);
        if (begun == null) {
            return Optional.empty();
        }
        List<FreezeStretch> stretches = FreezeStretch.of(covering(freezes), begun, now);
        FreezeStretch stretch = stretches.get(0);
        MisfireDecision decision = stretch.effect() == FreezeEffect.SKIP
                ? through(
                        begun.minusMillis(1),
                        MisfireRules.frozen(job, 1, held(stretch.freeze().said())),
                        now)
                : through(stretch.end(), rules(stretch, isFollowed(stretches)), now);
        return Optional.of(staying(decision, stretches));
    }

    private MisfireDecision staying(MisfireDecision decision, List<FreezeStretch> stretches) {
        return stretches.stream().anyMatch(next -> contains(next, decision.cursor()))
                ? decision.stayingHeld()
                : decision;
    }

    /** Decides on what was held before the job, and what covers it, was changed. */
    private Optional<MisfireDecision> formerly(List<Freeze> freezes, Task first, Instant now) {
        Optional<Instant> end = freezes.stream()
                .filter(freeze -> freeze.isInForce(first.scheduled()))
                .map(freeze -> freeze.until().minusMillis(1))
                .max(Instant::compareTo)
                .map(until -> until.isAfter(now) ? now : until)
                .or(() -> first.cursor() ? Optional.empty() : Optional.of(first.scheduled()));
        return end.map(last -> through(last, MisfireRules.frozen(job, 1, held(FORMER)), now));
    }

    private MisfireRules rules(FreezeStretch stretch, boolean isFollowed) {
        String said = stretch.freeze().said();
        if (stretch.effect() == FreezeEffect.SKIP) {
            return MisfireRules.frozen(job, null, new FreezeReasons(said, said));
        }
        FirePolicy policy = FirePolicy.of(job);
        if (policy.keepsSeveral()) {
            int most = Math.max(0, policy.mostWaiting() - waiting);
            return MisfireRules.frozen(
                    job, most, new FreezeReasons(said, "as many of the job as may wait did: " + said));
        }
        return MisfireRules.frozen(job, isFollowed ? 0 : 1, held(said));
    }

    private static FreezeReasons held(String said) {
        return new FreezeReasons(said, "a later occurrence waited in its place: " + said);
    }

    /** Returns whether a later occurrence was held before nothing covered the job any more: it runs in the place. */
    private boolean isFollowed(List<FreezeStretch> stretches) {
        return stretches.stream()
                .skip(1)
                .anyMatch(stretch -> stretch.effect() == FreezeEffect.HOLD && hasFireTime(stretch));
    }

    private boolean hasFireTime(FreezeStretch stretch) {
        Task last = rows.get(rows.size() - 1);
        return rows.stream().anyMatch(row -> stretch.contains(row.scheduled()))
                || (last.cursor() && isUnmade(last, stretch));
    }

    private boolean isUnmade(Task cursor, FreezeStretch stretch) {
        Instant before = stretch.from().minus(Terms.of(job).jitter()).minusMillis(1);
        Instant after = before.isBefore(cursor.fireTime()) ? cursor.fireTime() : before;
        return contains(stretch, schedule.nextAfter(after).orElse(null));
    }

    private boolean contains(FreezeStretch stretch, @Nullable Instant fireTime) {
        return fireTime != null && stretch.contains(fireTime.plus(Terms.of(job).jitter()));
    }

    private MisfireDecision through(Instant end, MisfireRules rules, Instant now) {
        List<Task> stretch =
                rows.stream().filter(row -> !row.scheduled().isAfter(end)).toList();
        return new CatchUp(stretch, rules, schedule, end, now).decision();
    }
}
