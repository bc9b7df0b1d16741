package dev.rowlock.control;

import dev.rowlock.job.StoredDefinition;
import dev.rowlock.store.job.JobChange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Fire times that somebody cancelled before they came, under the schedule that is still in force: they are not asked for again when the cursor is
 * set from now. Those that were cancelled under another schedule may be.
 */
final class Withdrawn {

    /** With more versions than that in between, another schedule is taken to have been among them. */
    private static final int MOST_VERSIONS = 200;

    private Withdrawn() {}

    static Set<Instant> of(JobChange change) {
        Map<Instant, Integer> cancelled = change.ahead().cancelled(Tasks.CANCELLED);
        if (cancelled.isEmpty()) {
            return Set.of();
        }
        int since = inForceSince(
                change, cancelled.values().stream().min(Integer::compare).orElseThrow());
        return cancelled.entrySet().stream()
                .filter(e -> e.getValue() >= since)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Since which version, from {@code first} on, the schedule has been what it is. */
    private static int inForceSince(JobChange change, int first) {
        StoredDefinition current = change.job().stored();
        int since = change.job().version();
        List<String> before = change.ahead().versionsFrom(first, MOST_VERSIONS);
        for (String text : before.subList(1, before.size())) {
            StoredDefinition version = StoredDefinition.read(change.job().key(), text, false);
            if (!version.saysWhenLike(current)) {
                return since;
            }
            since--;
        }
        return since;
    }
}
