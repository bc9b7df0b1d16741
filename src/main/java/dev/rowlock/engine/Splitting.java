package dev.rowlock.engine;

import dev.rowlock.store.DataProblem;
import dev.rowlock.store.DatabaseUnavailable;
import dev.rowlock.store.SessionGone;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A batch that fails is split until what fails stands alone, so that one row does not hold up the others. Only its data make that the fault of
 * the row; whatever else fails is tried again, with those that failed alone left out for a moment.
 */
final class Splitting<T> {

    /** When so many fail one after the other, though each stands alone, it is none of theirs. */
    private static final int IN_A_ROW = 3;

    private final Consumer<List<T>> work;
    private final BiConsumer<T, DataProblem> refused;
    private final BiConsumer<T, RuntimeException> left;
    private int inARow;

    private Splitting(
            Consumer<List<T>> work, BiConsumer<T, DataProblem> refused, BiConsumer<T, RuntimeException> left) {
        this.work = work;
        this.refused = refused;
        this.left = left;
    }

    /**
     * Works on all of the batch that can be worked on.
     *
     * @param work one transaction; if it throws, nothing of it happened
     * @param refused told of what stood alone when its data were refused
     * @param left told of what stood alone when something else went wrong: it is to be tried again soon
     * @throws DatabaseUnavailable nothing is wrong with the rows; what was not done yet is to be tried again later
     * @throws SessionGone likewise
     * @throws RuntimeException likewise: what one meets after the other is no fault of theirs
     */
    static <T> void run(
            List<T> batch,
            Consumer<List<T>> work,
            BiConsumer<T, DataProblem> refused,
            BiConsumer<T, RuntimeException> left) {
        new Splitting<>(work, refused, left).part(batch);
    }

    private void part(List<T> part) {
        if (part.isEmpty()) {
            return;
        }
        try {
            work.accept(part);
            inARow = 0;
        } catch (DatabaseUnavailable | SessionGone e) {
            throw e;
        } catch (RuntimeException e) {
            if (part.size() > 1) {
                int half = part.size() / 2;
                part(part.subList(0, half));
                part(part.subList(half, part.size()));
            } else {
                failed(part.get(0), e);
            }
        }
    }

    private void failed(T alone, RuntimeException e) {
        if (e instanceof DataProblem problem) {
            refused.accept(alone, problem);
            return;
        }
        left.accept(alone, e);
        inARow++;
        if (inARow == IN_A_ROW) {
            throw e;
        }
    }
}
