package dev.rowlock.node.recorder;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Scheduling that records waiting results first after an outage, and gives the other nodes a moment to do the same:
 * what ended meanwhile must not delay its job's next occurrence.
 */
public final class ResultsFirst implements Step {

    /** Time within which every node finds the database again. */
    static final Duration OTHERS = Duration.ofSeconds(1);

    /** Length of an outage below which few commands have ended. */
    static final Duration SHORT = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final Runnable reach;
    private final Step scheduler;
    private final Step recorder;
    private boolean away;
    private long awaySinceNanos;
    private long heldUntilNanos;

    /** @param reach throws {@link DatabaseUnavailable} while there is none */
    public ResultsFirst(LongSupplier nanos, Runnable reach, Step scheduler, Step recorder) {
        this.nanos = nanos;
        this.reach = reach;
        this.scheduler = scheduler;
        this.recorder = recorder;
        this.heldUntilNanos = nanos.getAsLong();
    }

    @Override
    public Pass runOnce() {
        if (away) {
            comeBack();
        }
        long held = heldUntilNanos - nanos.getAsLong();
        if (held > 0) {
            return Pass.rest(Duration.ofNanos(held));
        }
        try {
            return scheduler.runOnce();
        } catch (DatabaseUnavailable e) {
            if (!away) {
                away = true;
                awaySinceNanos = nanos.getAsLong();
            }
            throw e;
        }
    }

    private void comeBack() {
        reach.run();
        away = false;
        long now = nanos.getAsLong();
        if (now - awaySinceNanos >= SHORT.toNanos()) {
            heldUntilNanos = now + OTHERS.toNanos();
        }
        record();
    }

    private void record() {
        try {
            Pass pass = Pass.MORE;
            while (pass.more()) {
                pass = recorder.runOnce();
            }
        } catch (DatabaseUnavailable e) {
            return; // the recorder's own loop meets the same and reports it; scheduling has a connection of its own
        }
    }
}
