package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32;

/**
 * Offset by which a job's occurrences are due behind their fire times: always the same for one job, spread evenly over
 * all jobs, so that jobs scheduled for one instant do not start at one instant.
 */
public final class Jitter {

    private Jitter() {}

    /**
     * Returns an offset from zero up to, and without, {@code jitter}; whole milliseconds. It follows from CRC-32 of
     * {@code namespace/name}, so that it can be foretold and survives an edit.
     */
    public static Duration offset(JobKey job, Duration jitter) {
        return Duration.ofMillis(part(job.toString(), jitter.toMillis()));
    }

    /** Returns the offset of a job: none unless its definition has a jitter. */
    public static Duration offset(JobDefinition job) {
        Duration jitter = job.jitter();
        return jitter == null ? Duration.ZERO : offset(job.key(), jitter);
    }

    /** Returns {@code text}'s share of {@code range}: from zero up to, and without, it. */
    static long part(String text, long range) {
        CRC32 hash = new CRC32();
        hash.update(text.getBytes(StandardCharsets.UTF_8));
        // 32 bits of hash and a year of milliseconds (35 bits) together are more than a long holds.
        return Math.multiplyHigh(hash.getValue() << 16, range << 16);
    }
}
