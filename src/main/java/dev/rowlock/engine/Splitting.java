package dev.rowlock.engine;

import dev.rowlock.store.DatabaseUnavailable;
import dev.rowlock.store.SessionGone;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A batch that is refused is split until what is refused stands alone, so that one row does not hold up the others. */
final class Splitting {

    private Splitting() {}

    /**
     * @param work one transaction; if it throws, nothing of it happened
     * @param refused told of what was refused though it stood alone
     * @throws DatabaseUnavailable nothing is wrong with the rows; what was not done yet is to be tried again later
     * @throws SessionGone likewise
     */
    static <T> void run(List<T> batch, Consumer<List<T>> work, BiConsumer<T, RuntimeException> refused) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            work.accept(batch);
        } catch (DatabaseUnavailable | SessionGone e) {
            throw e;
        } catch (RuntimeException e) {
            if (batch.size() == 1) {
                refused.accept(batch.get(0), e);
            } else {
                int half = batch.size() / 2;
                run(batch.subList(0, half), work, refused);
                run(batch.subList(half, batch.size()), work, refused);
            }
        }
    }
}
