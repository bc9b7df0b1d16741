package dev.rowlock.audit;

import dev.rowlock.definition.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * Subject of a change.
 *
 * @param kind such as {@code job}
 * @param namespace null: it belongs to none
 */
public record Subject(String kind, @Nullable String namespace, String name) {

    public static Subject job(JobKey key) {
        return new Subject("job", key.namespace(), key.name());
    }

    /** Returns the subject of a task, under the name of its job, so that it is found with what was done to the job. */
    public static Subject task(JobKey job) {
        return new Subject("task", job.namespace(), job.name());
    }

    /** Returns a subject without a namespace. */
    public static Subject of(String kind, String name) {
        return new Subject(kind, null, name);
    }
}
