package dev.rowlock.store.audit;

import dev.rowlock.job.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * What was changed.
 *
 * @param kind such as {@code job}
 * @param namespace null: it belongs to none
 */
public record Subject(String kind, @Nullable String namespace, String name) {

    public static Subject job(JobKey key) {
        return new Subject("job", key.namespace(), key.name());
    }

    /** A task, under the name of its job: so is found what was done to the job. */
    public static Subject task(JobKey job) {
        return new Subject("task", job.namespace(), job.name());
    }

    /** What belongs to no namespace. */
    public static Subject of(String kind, String name) {
        return new Subject(kind, null, name);
    }
}
