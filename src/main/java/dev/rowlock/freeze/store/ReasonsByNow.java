package dev.rowlock.freeze.store;

import dev.rowlock.freeze.Freeze;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Reasons of tasks that a freeze holds, with what is true of the freeze by now: it may have been changed since they
 * were stored.
 */
public final class ReasonsByNow {

    private final Map<Long, Freeze> named;

    private ReasonsByNow(Map<Long, Freeze> named) {
        this.named = named;
    }

    /** Reads the freezes that these reasons name, in one statement; in none, if there is no reason. */
    public static ReasonsByNow of(Handle handle, Stream<String> reasons) {
        Set<Long> ids = reasons.flatMap(reason -> Stream.ofNullable(Freeze.named(reason)))
                .collect(Collectors.toSet());
        Map<Long, Freeze> named = new HashMap<>();
        if (!ids.isEmpty()) {
            FreezeStore.find(handle, ids).forEach(freeze -> named.put(freeze.id(), freeze));
        }
        return new ReasonsByNow(named);
    }

    /** Returns the reason as it is now. */
    public String now(String reason) {
        @Nullable Long id = Freeze.named(reason);
        @Nullable Freeze freeze = id == null ? null : named.get(id);
        return freeze == null ? reason : freeze.said();
    }

    /** Returns the reason as it is now; null: there is none. */
    public @Nullable String nowOrNull(@Nullable String reason) {
        return reason == null ? null : now(reason);
    }
}
