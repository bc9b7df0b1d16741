package dev.rowlock.job;

import dev.rowlock.schedule.DaylightSaving;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a person wrote down for a job, with defaults filled in. Checked before it is made: every value is in range and the schedule parses.
 *
 * @param schedule as the user wrote it
 * @param timeout null: none
 * @param startAt no fire time before it; also what {@code @every} counts from
 * @param endAt no fire time at or after it
 */
public record JobDefinition(
        JobKey key,
        String description,
        Map<String, String> labels,
        String schedule,
        ZoneId zone,
        DaylightSaving daylightSaving,
        String command,
        @Nullable String workdir,
        Map<String, String> env,
        @Nullable String user,
        @Nullable Duration timeout,
        Duration killGrace,
        @Nullable Retry retry,
        Overlap overlap,
        Misfire misfire,
        @Nullable Duration startDeadline,
        OnLost onLost,
        int priority,
        Map<String, String> nodes,
        boolean broadcast,
        @Nullable Instant startAt,
        @Nullable Instant endAt,
        @Nullable Duration jitter,
        Set<Integer> successExitCodes,
        boolean paused) {

    /** How failed attempts are repeated. */
    public record Retry(int max, Duration backoff, Duration maxBackoff) {}

    public JobDefinition {
        labels = Map.copyOf(labels);
        env = Map.copyOf(env);
        nodes = Map.copyOf(nodes);
        successExitCodes = Set.copyOf(successExitCodes);
    }

    public JobDefinition withPaused(boolean other) {
        return new JobDefinition(
                key,
                description,
                labels,
                schedule,
                zone,
                daylightSaving,
                command,
                workdir,
                env,
                user,
                timeout,
                killGrace,
                retry,
                overlap,
                misfire,
                startDeadline,
                onLost,
                priority,
                nodes,
                broadcast,
                startAt,
                endAt,
                jitter,
                successExitCodes,
                other);
    }
}
