package dev.rowlock.policy;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32;

/**
 * How far behind its fire times a job's occurrences are due: always the same for one job, spread evenly over all jobs,
 * so that what is written for one instant does not start at one instant.
 */
public final class Jitter {

    private Jitter() {}

    /**
     * From zero up to, and without, {@code jitter}; whole milliseconds. It follows from CRC-32 of {@code
     * namespace/name}, so that it can be foretold and survives an edit.
     */
    public static Duration offset(JobKey job, Duration jitter) {
        return Duration.ofMillis(part(job.toString(), jitter.toMillis()));
    }

    /** Of a job: none unless its definition asks for some. */
    public static Duration offset(JobDefinition job) {
        Duration jitter = job.jitter();
        return jitter == null ? Duration.ZERO : offset(job.key(), jitter);
    }

    /** From zero up to, and without, {@code range}: {@code text}'s share of it. */
    static long part(String text, long range) {
        CRC32 hash = new CRC32();
        hash.update(text.getBytes(StandardCharsets.UTF_8));
        // 32 bits of hash and a year of milliseconds (35 bits) together are more than a long holds.
        return Math.multiplyHigh(hash.getValue() << 16, range << 16);
    }
}
