package dev.rowlock.report.event;

import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Event to tell listeners.
 *
 * @param id the same on all nodes, however often it is told; begins with when it happened
 * @param name such as {@code task.started}
 * @param job which it is about; null: a node or a freeze
 * @param thing a task, a job, a node, a freeze, or what is left of a job that was deleted
 */
public record Event(String id, String name, @Nullable JobKey job, Object thing) {

    /** Job that was deleted. */
    public record DeletedJob(String namespace, String name, int version, boolean deleted) {}

    /** Gap in the events: a listener should read again what it shows. */
    public record Gap(Instant since, String reason) {}

    static final String GAP = "stream.gap";

    /** Limit beyond which SQL cannot write a time. */
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /**
     * Filter of events by job; events of nodes and freezes pass only an empty one.
     *
     * @param namespace null: any
     * @param job the name of a job of the namespace; null: any
     * @param within the namespaces that may be seen; empty: all, and what belongs to none
     */
    public record Filter(
            @Nullable String namespace, @Nullable String job, Set<String> within) {

        /** Creates a filter without a limit on namespaces. */
        public Filter(@Nullable String namespace, @Nullable String job) {
            this(namespace, job, Set.of());
        }

        public Filter {
            within = Set.copyOf(within);
        }

        /** Returns whether the event passes; a gap concerns everybody. */
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

    /** Returns the time in an event's id, by the database's clock; null if the text is no such id. */
    public static @Nullable Instant timeOf(String id) {
        int end = id.indexOf('-');
        if (end < 0 || !id.substring(0, end).matches("[0-9]{1,15}")) {
            return null;
        }
        Instant time = Instant.ofEpochMilli(Long.parseLong(id.substring(0, end)));
        return time.isBefore(LATEST) ? time : null;
    }
}
