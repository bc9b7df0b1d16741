package dev.rowlock.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are asked for, by namespace and name; null means any.
 *
 * @param text part of the name or of the description, in any case
 * @param state one of {@code PAUSED EXECUTING PREPARED IDLE ENDED}
 * @param after the last job of the page before
 */
public record JobFilter(
        @Nullable String namespace,
        @Nullable String text,
        @Nullable String state,
        List<Label> labels,
        @Nullable JobKey after,
        int limit) {

    /** The same, from another place on. */
    public JobFilter from(@Nullable JobKey place, int most) {
        return new JobFilter(namespace, text, state, labels, place, most);
    }

    /** @param value null: whatever it is */
    public record Label(String name, @Nullable String value) {}
}
