package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Columns that all occurrences of a job have in common: whoever makes one sets these.
 *
 * @param jitter how far behind their fire times they are due
 */
public record Terms(Duration jitter, int priority, @Nullable String group) {

    public static final Terms PLAIN = new Terms(Duration.ZERO, 0, null);

    /** Returns the terms of a job; {@link #PLAIN} where it has none. */
    public static Terms of(JobDefinition job) {
        Terms terms = new Terms(Jitter.offset(job), job.priority(), job.group());
        return terms.equals(PLAIN) ? PLAIN : terms;
    }
}
