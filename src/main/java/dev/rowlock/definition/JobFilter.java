package dev.rowlock.definition;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filter and order of jobs; null means any.
 *
 * @param text words, each part of namespace/name or of the first thousand bytes or so of the description, in any case
 * @param state one of {@code PAUSED EXECUTING PREPARED IDLE ENDED}
 * @param after the last job of the page before, by namespace and name
 * @param place the same in any other order
 * @param within the namespaces that may be seen; empty: all
 * @param recent so many of the last outcomes of each job are asked for, too
 */
public record JobFilter(
        @Nullable String namespace,
        @Nullable String text,
        @Nullable String state,
        List<Label> labels,
        JobSort sort,
        @Nullable JobKey after,
        @Nullable JobPosition place,
        int limit,
        Set<String> within,
        int recent) {

    /** Creates a filter in the order of namespace and name. */
    public JobFilter(
            @Nullable String namespace,
            @Nullable String text,
            @Nullable String state,
            List<Label> labels,
            @Nullable JobKey after,
            int limit) {
        this(namespace, text, state, labels, JobSort.NAME, after, null, limit, Set.of(), 0);
    }

    /** Creates a filter without a limit on namespaces. */
    public JobFilter(
            @Nullable String namespace,
            @Nullable String text,
            @Nullable String state,
            List<Label> labels,
            JobSort sort,
            @Nullable JobKey after,
            @Nullable JobPosition place,
            int limit) {
        this(namespace, text, state, labels, sort, after, place, limit, Set.of(), 0);
    }

    /** Returns this filter within these namespaces. */
    public JobFilter within(Set<String> namespaces) {
        return new JobFilter(namespace, text, state, labels, sort, after, place, limit, namespaces, recent);
    }

    /** Returns this filter from another place on. */
    public JobFilter from(@Nullable JobKey key, int most) {
        return new JobFilter(namespace, text, state, labels, sort, key, place, most, within, recent);
    }

    /** Returns this filter with so many of the last outcomes of each job. */
    public JobFilter withRecent(int outcomes) {
        return new JobFilter(namespace, text, state, labels, sort, after, place, limit, within, outcomes);
    }

    /** @param value null: whatever it is */
    public record Label(String name, @Nullable String value) {}

    /**
     * Place of a job in an order.
     *
     * @param range which part of it
     * @param at the time that it stands at there; null: none
     * @param row what tells it from others of that time
     */
    public record JobPosition(int range, @Nullable Instant at, long row) {}
}
