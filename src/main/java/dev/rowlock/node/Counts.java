package dev.rowlock.node;

import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Distribution;
import dev.rowlock.task.Ending;
import dev.rowlock.task.NotRunReason;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts of what this node has done since its process began. Whoever does it counts it here: a few increments, without
 * a lock, a statement or memory. Thread-safe.
 */
public final class Counts {

    private static final List<Duration> LATENESS = Stream.of(
                    5L, 10L, 25L, 50L, 100L, 250L, 500L, 1_000L, 2_500L, 5_000L, 10_000L, 30_000L, 60_000L, 300_000L)
            .map(Duration::ofMillis)
            .toList();
    private static final List<Duration> DURATION = Stream.of(
                    100L,
                    500L,
                    1_000L,
                    5_000L,
                    15_000L,
                    60_000L,
                    300_000L,
                    900_000L,
                    3_600_000L,
                    14_400_000L,
                    43_200_000L)
            .map(Duration::ofMillis)
            .toList();

    private final Map<Cause, LongAdder> started = adders(Cause.class);
    private final Map<Outcome, LongAdder> ended = adders(Outcome.class);
    private final Map<NotRunReason, LongAdder> notRun = adders(NotRunReason.class);
    private final Distribution lateness = new Distribution(LATENESS);
    private final Distribution duration = new Distribution(DURATION);
    private final LongAdder takeovers = new LongAdder();
    private final LongAdder resets = new LongAdder();
    private final LongAdder expiries = new LongAdder();
    private final LongAdder joins = new LongAdder();
    private final Map<DeliveryResult, LongAdder> deliveries = adders(DeliveryResult.class);
    private final JobCounts jobs = new JobCounts();
    private final DatabaseCounts database = new DatabaseCounts();

    /**
     * Counts a command that is about to be handed to the launcher.
     *
     * @param now by the database's clock
     */
    public void started(Executing executing, Instant now) {
        Task task = executing.task();
        of(started, task.cause()).increment();
        lateness.addMillis(now.toEpochMilli() - task.lateFrom().toEpochMilli());
        jobs.started(task.jobId(), executing.definition());
    }

    /** Counts the end of a task that this node started. */
    public void ended(Executing executing, Ending ending) {
        of(ended, ending.outcome()).increment();
        @Nullable Long millis = ending.durationMillis();
        if (millis != null) {
            duration.addMillis(millis);
        }
        jobs.ended(executing.definition(), ending.outcome(), millis, ending.endedAt());
    }

    /** Result of an attempt to send a message or a ping. */
    public enum DeliveryResult {
        SENT,
        /** Retried. */
        FAILED,
        GIVEN_UP
    }

    public void delivered(DeliveryResult delivery) {
        of(deliveries, delivery).increment();
    }

    /** Counts occurrences that will not run. */
    public void notRun(NotRunReason reason, long occurrences) {
        of(notRun, reason).add(occurrences);
    }

    public void tookOver(int tasks) {
        takeovers.add(tasks);
    }

    /** Counts tasks that were given back because the table gave them to this node without its knowledge. */
    public void reset(int tasks) {
        resets.add(tasks);
    }

    /** Counts the expiry of another node's session. */
    public void expired() {
        expiries.increment();
    }

    /** Counts a new session of this node. */
    public void joined() {
        joins.increment();
    }

    public Map<Cause, Long> startedByCause() {
        return sums(started);
    }

    public Map<Outcome, Long> endedByOutcome() {
        return sums(ended);
    }

    public Map<NotRunReason, Long> notRunByReason() {
        return sums(notRun);
    }

    public Map<DeliveryResult, Long> deliveries() {
        return sums(deliveries);
    }

    /** Returns the lateness of started tasks. */
    public Distribution lateness() {
        return lateness;
    }

    /** Returns the durations of ended commands. */
    public Distribution duration() {
        return duration;
    }

    public long takeovers() {
        return takeovers.sum();
    }

    public long resets() {
        return resets.sum();
    }

    public long expiries() {
        return expiries.sum();
    }

    public long joins() {
        return joins.sum();
    }

    /** Returns the counts of the jobs that ask for them. */
    public JobCounts jobs() {
        return jobs;
    }

    /** Returns the counts of what is done over connections, step by step. */
    public DatabaseCounts database() {
        return database;
    }

    /** Returns one adder for each constant; the map never changes, so that threads may share it. */
    static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> words) {
        Map<E, LongAdder> adders = new EnumMap<>(words);
        for (E word : words.getEnumConstants()) {
            adders.put(word, new LongAdder());
        }
        return adders;
    }

    static <E extends Enum<E>> LongAdder of(Map<E, LongAdder> adders, E word) {
        return Objects.requireNonNull(adders.get(word));
    }

    static <E extends Enum<E>> Map<E, Long> sums(Map<E, LongAdder> adders) {
        return adders.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, adder -> adder.getValue().sum()));
    }
}
