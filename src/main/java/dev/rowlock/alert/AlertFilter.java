package dev.rowlock.alert;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filter of alerts, newest first.
 *
 * @param state null: any
 * @param within the namespaces that may be seen; empty: all, and what is about none
 * @param before those with smaller ids; null: from the newest on
 */
public record AlertFilter(
        @Nullable AlertState state,
        Set<String> within,
        @Nullable String rule,
        @Nullable String namespace,
        @Nullable String job,
        @Nullable Long before,
        int limit) {

    /** Returns this filter within these namespaces. */
    public AlertFilter within(Set<String> namespaces) {
        return new AlertFilter(state, namespaces, rule, namespace, job, before, limit);
    }

    /** State of an alert, or of its messages. */
    public enum AlertState {
        OPEN,
        CLOSED,
        WAITING,
        SENT,
        SILENCED,
        GIVEN_UP
    }
}
