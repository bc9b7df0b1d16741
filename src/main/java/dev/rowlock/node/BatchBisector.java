package dev.rowlock.node;

import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.task.store.SessionGone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bisection of a batch that fails, until what fails stands alone, so that one row does not delay the others. A few
 * rows, far from each other, are tried alone first, to find out whether rows fail or the server does.
 */
public final class BatchBisector<T> {

    /** Bound on rows that are tried alone, unless one of them succeeds before. */
    private static final int PROBES = 5;

    /** Number of rows that fail alone while none succeeds, from which on the rows are not to blame. */
    private static final int ALL = 3;

    /** Bound on failed transactions, after which the rest is left for later: the lock is held all that time. */
    private static final int MOST_FAILURES = 100;

    private final Consumer<List<T>> work;
    private final BiConsumer<T, DataProblem> refused;
    private final BiConsumer<T, RuntimeException> failed;
    private boolean worked;
    private int failures;
    private int failedAlone;
    private @Nullable RuntimeException problem;

    /**
     * Part of the batch that was not worked on.
     *
     * @param untried nothing is known of them
     * @param metByAll why they were not tried: whatever was tried met it; null: there was no time
     */
    public record Rest<T>(List<T> untried, @Nullable RuntimeException metByAll) {}

    private BatchBisector(
            Consumer<List<T>> work, BiConsumer<T, DataProblem> refused, BiConsumer<T, RuntimeException> failed) {
        this.work = work;
        this.refused = refused;
        this.failed = failed;
    }

    /**
     * Works on all of the batch that it can.
     *
     * @param othersWork the server is known to do such work for other rows: what fails alone is to blame
     * @param work one transaction; if it throws, nothing of it happened
     * @param refused receives what stood alone when its data were refused; if it throws, that row failed otherwise
     * @param failed receives what stood alone when something else went wrong: it is to be retried
     * @throws DatabaseUnavailable nothing is wrong with the rows; those that are left are to be retried later
     * @throws SessionGone likewise
     */
    public static <T> Rest<T> run(
            List<T> batch,
            boolean othersWork,
            Consumer<List<T>> work,
            BiConsumer<T, DataProblem> refused,
            BiConsumer<T, RuntimeException> failed) {
        return new BatchBisector<>(work, refused, failed).all(batch, othersWork);
    }

    private Rest<T> all(List<T> batch, boolean othersWork) {
        if (batch.isEmpty() || settles(batch)) {
            return new Rest<>(List.of(), null);
        }
        Deque<List<T>> parts = new ArrayDeque<>();
        if (problem instanceof DataProblem) {
            parts.addAll(halves(batch));
        } else {
            List<T> rest = probe(batch);
            if (!worked && !othersWork && failedAlone >= ALL) {
                return new Rest<>(rest, problem);
            }
            parts.addAll(failedAlone == 0 ? halves(rest) : List.of(rest));
        }
        List<T> untried = new ArrayList<>();
        while (!parts.isEmpty()) {
            List<T> part = parts.remove();
            if (failures >= MOST_FAILURES) {
                untried.addAll(part);
            } else if (!part.isEmpty() && !settles(part)) {
                parts.addAll(halves(part));
            }
        }
        return new Rest<>(untried, null);
    }

    /** Returns those that are still to be tried. */
    private List<T> probe(List<T> batch) {
        int last = batch.size() - 1;
        TreeSet<Integer> tried = new TreeSet<>();
        for (int i = 0; i < PROBES && !worked; i++) {
            int at = Math.round((float) last * i / (PROBES - 1));
            if (tried.add(at)) {
                settles(batch.subList(at, at + 1));
            }
        }
        List<T> rest = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            if (!tried.contains(i)) {
                rest.add(batch.get(i));
            }
        }
        return rest;
    }

    /** Works on this part, and returns false if it is to be split. */
    private boolean settles(List<T> part) {
        try {
            work.accept(part);
            worked = true;
            return true;
        } catch (DatabaseUnavailable | SessionGone e) {
            throw e;
        } catch (RuntimeException e) {
            failures++;
            problem = e;
            if (part.size() == 1) {
                alone(part.get(0), e);
            }
            return part.size() == 1;
        }
    }

    private void alone(T one, RuntimeException e) {
        if (!(e instanceof DataProblem refusal)) {
            failedAlone++;
            failed.accept(one, e);
            return;
        }
        try {
            refused.accept(one, refusal);
            worked = true;
        } catch (DatabaseUnavailable | SessionGone f) {
            throw f;
        } catch (RuntimeException f) { // it cannot even be set aside: no reason to hold up the others
            f.addSuppressed(refusal);
            failedAlone++;
            failed.accept(one, f);
        }
    }

    private static <T> List<List<T>> halves(List<T> part) {
        int half = part.size() / 2;
        return List.of(part.subList(0, half), part.subList(half, part.size()));
    }
}
