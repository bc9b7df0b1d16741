package dev.rowlock.control;

import dev.rowlock.job.JobKey;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened.
 *
 * @param id the same on all nodes, however often it is told; begins with when it happened
 * @param name such as {@code task.started}
 * @param job which it is about; null: a node
 * @param thing a task, a job, a node, or what is left of a job that was deleted
 */
public record Event(String id, String name, @Nullable JobKey job, Object thing) {

    /** A job that is no more. */
    public record DeletedJob(String namespace, String name, int version, boolean deleted) {}

    /** More happened than could be told: whoever listens should read again what it shows. */
    public record Gap(Instant since, String reason) {}

    static final String GAP = "stream.gap";

    /** What lies beyond it cannot be written as a time in SQL. */
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /**
     * Whose events are asked for; those of nodes are not if anything is.
     *
     * @param namespace null: any
     * @param job the name of a job of the namespace; null: any
     * @param within the namespaces that may be seen; empty: all, and what belongs to none
     */
    public record Filter(
            @Nullable String namespace, @Nullable String job, Set<String> within) {

        /** Whatever may be seen. */
        public Filter(@Nullable String namespace, @Nullable String job) {
            this(namespace, job, Set.of());
        }

        public Filter {
            within = Set.copyOf(within);
        }

        /** Whether the event is asked for; that something is missing concerns everybody. */
        public boolean matches(Event event) {
            if (event.name.equals(GAP) || (namespace == null && within.isEmpty())) {
                return true;
            }
            JobKey key = event.job;
            return key != null
                    && (within.isEmpty() || within.contains(key.namespace()))
                    && (namespace == null || key.namespace().equals(namespace))
                    && (job == null || key.name().equals(job));
        }
    }

    /** When what it tells of happened, by the database's clock; null: the text is no id of an event. */
    public static @Nullable Instant timeOf(String id) {
        int end = id.indexOf('-');
        if (end < 0 || !id.substring(0, end).matches("[0-9]{1,15}")) {
            return null;
        }
        Instant time = Instant.ofEpochMilli(Long.parseLong(id.substring(0, end)));
        return time.isBefore(LATEST) ? time : null;
    }
}
