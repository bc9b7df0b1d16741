package dev.rowlock.engine;

import dev.rowlock.store.Retention;
import java.time.Duration;

/** Deletes history that has been kept long enough, little by little, so that nothing else waits for it. */
final class HistoryKeeper implements Step {

    private static final int BATCH = 500;
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(100);
    private static final Duration REST = Duration.ofMinutes(1);

    private final Retention retention;
    private final Duration kept;

    /** @param kept zero: for ever */
    HistoryKeeper(Retention retention, Duration kept) {
        this.retention = retention;
        this.kept = kept;
    }

    @Override
    public Pass runOnce() {
        if (!kept.isZero() && retention.purge(kept, BATCH) == BATCH) {
            return Pass.rest(BETWEEN_BATCHES);
        }
        if (!kept.isZero()) {
            retention.forgetSpans(kept);
        }
        retention.tidy();
        return Pass.rest(REST);
    }
}
