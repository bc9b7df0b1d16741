package dev.rowlock.exec;

import dev.rowlock.task.LaunchId;
import org.jspecify.annotations.Nullable;

/**
 * End of a command. Delivered exactly once for every accepted launch, when its first process has ended <em>and</em>
 * nothing of its tree is left that can be killed: until then it holds its slot.
 *
 * @param exitCode as a shell would say it: 128 + n for signal n; -1 unless {@link ExitKind#EXITED}
 * @param signal n if the exit code is 128 + n and n is a signal; {@code exit 137} looks like KILL
 * @param stopped why it was asked to end; null if it ended by itself, even if somebody asked too late
 * @param survived something of it was still there five seconds after KILL; the note names it. If that is its first
 *     process, the exit code is -1
 * @param note for people: why it was not started, what it left behind, what could not be killed; else null
 * @param startedNanos when its process was asked for, on the launcher's monotonic clock
 * @param endedNanos when its first process ended
 * @param outputBytes all that it wrote, kept or not
 * @param memory how its memory was limited, for people; null if it was not
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
        long outputBytes,
        @Nullable String memory) {

    /** Creates the end of a command without a memory limit. */
    public Ended(
            LaunchId launchId,
            ExitKind kind,
            int exitCode,
            @Nullable Integer signal,
            @Nullable StopCause stopped,
            boolean survived,
            @Nullable String note,
            long startedNanos,
            long endedNanos,
            long outputBytes) {
        this(launchId, kind, exitCode, signal, stopped, survived, note, startedNanos, endedNanos, outputBytes, null);
    }
}
