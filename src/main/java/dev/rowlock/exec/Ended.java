package dev.rowlock.exec;

import dev.rowlock.job.LaunchId;
import org.jspecify.annotations.Nullable;

/**
 * How a command ended. Delivered exactly once for every launch that was accepted, when the command's first process has ended
 * <em>and</em> nothing of its tree is left (or what is left cannot be killed, which the note then says): until then it holds its slot.
 *
 * @param exitCode as a shell would say it: 128 + n for signal n; -1 unless {@link ExitKind#EXITED}
 * @param signal n if the exit code is 128 + n and n is a signal; a command that itself says {@code exit 137} cannot be told from one
 *     that was killed by KILL
 * @param stopped why it was asked to end; null if it ended by itself, even if somebody asked too late
 * @param survived something of it could not be killed, five seconds after KILL, and may still be there; the note names it. If that is its
 *     first process, the exit code is -1
 * @param note for people: why it could not be started, what it left behind, what could not be killed; null if there is nothing to say
 * @param startedNanos when its process was started, on the launcher's monotonic clock
 * @param endedNanos when its first process ended
 * @param outputBytes all bytes it has written, also those that were not kept
 */
public record Ended(
        LaunchId launchId,
        ExitKind kind,
        int exitCode,
        @Nullable Integer signal,
        @Nullable StopCause stopped,
        boolean survived,
        @Nullable String note,
        long startedNanos,
        long endedNanos,
        long outputBytes) {}
