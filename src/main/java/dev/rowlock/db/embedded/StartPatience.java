package dev.rowlock.db.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Time to wait for a starting server: as long as it makes progress. After a crash, recovery may take an hour, and
 * ending the server makes it begin again.
 *
 * @param still how long nothing may have moved
 */
record StartPatience(Duration still, LongSupplier nanos) {

    static final StartPatience USUAL = new StartPatience(Duration.ofMinutes(2), System::nanoTime);

    private static final Logger LOG = LoggerFactory.getLogger(StartPatience.class);
    private static final Duration TOLD_EVERY = Duration.ofSeconds(30);
    /** CPU seconds that show progress: a waiting server uses less in two minutes. */
    private static final long CPU_SECONDS = 10;

    /** Outcome of a wait. */
    enum WaitOutcome {
        ANSWERS,
        ENDED,
        STANDS_STILL
    }

    /** @param pause waits a little, or for the end of the process */
    WaitOutcome await(ServerProcess process, Home home, BooleanSupplier answers, Runnable pause) {
        long began = nanos.getAsLong();
        long movedAt = began;
        long toldAt = began;
        long moved = progress(process, home);
        while (process.handle().isAlive()) {
            if (answers.getAsBoolean()) {
                return WaitOutcome.ANSWERS;
            }
            long now = nanos.getAsLong();
            long progress = progress(process, home);
            if (progress != moved) {
                moved = progress;
                movedAt = now;
            } else if (now - movedAt > still.toNanos()) {
                return WaitOutcome.STANDS_STILL;
            }
            if (now - toldAt > TOLD_EVERY.toNanos()) {
                toldAt = now;
                LOG.info(
                        "the embedded database, process {}, starts for {} s now, and may be recovering: see {}",
                        process.handle().pid(),
                        Duration.ofNanos(now - began).toSeconds(),
                        home.log());
            }
            pause.run();
        }
        return WaitOutcome.ENDED;
    }

    /** Returns a number that changes when the server writes to its log or computes. */
    private static long progress(ServerProcess process, Home home) {
        long cpu = process.handle()
                .info()
                .totalCpuDuration()
                .map(used -> used.toSeconds() / CPU_SECONDS)
                .orElse(0L);
        return home.log().toFile().length() + cpu;
    }
}
