package dev.rowlock.node;

import dev.rowlock.db.DataProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries of rows that failed without being known to be at fault. This node leaves such rows out for a pause that
 * doubles each time they fail although others succeed, and tries them apart from others, a few at a time. While nothing
 * succeeds the server is at fault, and no pause grows. Nothing of it is in the database. For one thread at a time: it
 * is used under the lock that guards its items.
 */
public final class RetryBackoff<T> {

    private static final Logger log = LoggerFactory.getLogger(RetryBackoff.class);
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    /** Least time between two log lines about them. */
    private static final Duration SAID = Duration.ofMinutes(1);
    /** Time without another attempt, after its pause, from which on a row is gone, or others have it. */
    private static final Duration FORGET = Duration.ofMinutes(1);

    private static final int MOST = 10_000;
    /** Number that is retried at once; it doubles when they succeed. */
    private static final int FEW = 30;

    private final LongSupplier nanos;
    private final ToLongFunction<T> ids;
    private final Function<T, String> what;
    private final Map<Long, RetryState<T>> entries = new LinkedHashMap<>();
    private int atOnce = FEW;
    private boolean othersWork;
    private long successes;
    private long saidNanos;
    private int saidSince = -1;

    /**
     * State of an item.
     *
     * @param tried alone; false: it failed together with others
     * @param successes how many transactions had succeeded when it failed last
     */
    private record RetryState<T>(T item, boolean tried, Duration pause, long untilNanos, long successes) {}

    /** @param what for the log, such as {@code task 5 cannot be started} */
    public RetryBackoff(LongSupplier nanos, ToLongFunction<T> ids, Function<T, String> what) {
        this.nanos = nanos;
        this.ids = ids;
        this.what = what;
    }

    /**
     * Works on all that can be worked on; {@link #has} knows the rest.
     *
     * @param work one transaction; if it throws, nothing of it happened
     * @param refused receives what stood alone when its data were refused; false: it is retried, ever less often
     * @return the results of those transactions that succeeded
     * @throws RuntimeException all that was tried met it; the rest is retried soon
     */
    public <R> List<R> run(List<T> batch, Function<List<T>, R> work, BiPredicate<T, DataProblem> refused) {
        List<R> answers = new ArrayList<>();
        each(batch, part -> answers.add(work.apply(part)), refused);
        return answers;
    }

    private void each(List<T> batch, Consumer<List<T>> work, BiPredicate<T, DataProblem> refused) {
        List<T> again =
                batch.stream().filter(item -> has(ids.applyAsLong(item))).toList();
        List<T> fresh = again.isEmpty()
                ? batch
                : batch.stream().filter(item -> !has(ids.applyAsLong(item))).toList();
        long before = successes;
        try {
            split(fresh, othersWork, work, refused);
        } finally {
            othersWork = fresh.isEmpty() ? othersWork : successes != before;
        }
        split(again, true, work, refused); // each alone, if need be: they are few
        triedAgain(again);
    }

    private void split(List<T> batch, boolean othersWork, Consumer<List<T>> work, BiPredicate<T, DataProblem> refused) {
        BatchBisector.Rest<T> rest = BatchBisector.run(
                batch,
                othersWork,
                part -> {
                    work.accept(part);
                    gotThrough(part);
                },
                (alone, problem) -> {
                    if (refused.test(alone, problem)) {
                        forget(alone);
                    } else {
                        postpone(alone, true);
                    }
                },
                this::failed);
        RuntimeException metByAll = rest.metByAll();
        untried(rest.untried(), metByAll == null ? Duration.ZERO : FIRST);
        if (metByAll != null) {
            throw metByAll;
        }
    }

    /** Returns whether it failed when it was tried last, or was not tried for want of time. */
    public boolean has(long id) {
        return entries.containsKey(id);
    }

    /**
     * Returns the items that may be tried now: all that never failed, and those others that have waited longest.
     *
     * @param there whether there is an item of that id to be tried
     */
    public LongPredicate ready(LongPredicate there) {
        if (entries.isEmpty()) {
            return id -> true;
        }
        Set<Long> again = entries.keySet().stream()
                .filter(id -> !rests(id) && there.test(id))
                .limit(atOnce)
                .collect(Collectors.toSet());
        return id -> again.contains(id) || !has(id);
    }

    /** Returns those that a scan for work need not find. */
    public Set<Long> leftOut() {
        if (entries.isEmpty()) {
            return Set.of();
        }
        long now = nanos.getAsLong();
        entries.values().removeIf(entry -> now - entry.untilNanos() >= FORGET.toNanos());
        LongPredicate isReady = ready(id -> true);
        Set<Long> out = new HashSet<>(entries.keySet());
        out.removeIf(id -> isReady.test(Objects.requireNonNull(id)));
        return out;
    }

    /**
     * Forgets items that are gone: a scan that left {@code leftOut} out and found {@code all} there is would have found
     * them.
     */
    public void found(Set<Long> leftOut, Collection<Long> all) {
        entries.keySet().removeIf(id -> !leftOut.contains(id) && !all.contains(id));
    }

    /** Returns whether there is something that was not tried alone yet, and may be tried now. */
    public boolean hasUntried() {
        return entries.entrySet().stream().anyMatch(e -> !e.getValue().tried() && !rests(e.getKey()));
    }

    /** Returns all that are postponed. */
    public List<T> items() {
        return entries.values().stream().map(RetryState::item).toList();
    }

    public int size() {
        return entries.size();
    }

    public void clear() {
        entries.clear();
    }

    private boolean rests(long id) {
        RetryState<T> entry = entries.get(id);
        return entry != null && nanos.getAsLong() - entry.untilNanos() < 0;
    }

    private void gotThrough(List<T> items) {
        successes++;
        if (!entries.isEmpty()) {
            items.forEach(this::forget);
        }
    }

    private void forget(T item) {
        entries.remove(ids.applyAsLong(item));
    }

    private void triedAgain(List<T> items) {
        if (items.stream().anyMatch(item -> has(ids.applyAsLong(item)))) {
            atOnce = FEW;
        } else if (!items.isEmpty()) {
            atOnce = Math.min(2 * atOnce, MOST);
        }
    }

    private void failed(T item, RuntimeException problem) {
        postpone(item, false);
        atOnce = FEW;
        long now = nanos.getAsLong();
        if (saidSince < 0 || now - saidNanos >= SAID.toNanos()) {
            String others = saidSince <= 0 ? "" : "; " + saidSince + " such failures since this was last said";
            log.warn("{} for now, and is tried again{}", what.apply(item), others, problem);
            saidNanos = now;
            saidSince = 0;
        } else {
            saidSince++;
            log.debug("{} for now, and is tried again", what.apply(item), problem);
        }
    }

    private void postpone(T item, boolean itsOwn) {
        @Nullable RetryState<T> previous = entries.get(ids.applyAsLong(item));
        Duration pause = previous == null
                ? FIRST
                : itsOwn || previous.successes() != successes ? longer(previous.pause()) : previous.pause();
        put(item, new RetryState<>(item, true, pause, nanos.getAsLong() + pause.toNanos(), successes));
    }

    private void untried(List<T> items, Duration pause) {
        for (T item : items) {
            @Nullable RetryState<T> previous = entries.get(ids.applyAsLong(item));
            put(
                    item,
                    new RetryState<>(
                            item,
                            previous != null && previous.tried(),
                            previous == null ? FIRST : previous.pause(),
                            nanos.getAsLong() + pause.toNanos(),
                            previous == null ? successes : previous.successes()));
        }
    }

    private void put(T item, RetryState<T> entry) {
        long id = ids.applyAsLong(item);
        entries.remove(id);
        if (entries.size() >= MOST) {
            entries.remove(entries.keySet().iterator().next());
        }
        entries.put(id, entry);
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
}
