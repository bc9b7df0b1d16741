package dev.rowlock.node.scheduler;

import dev.rowlock.engine.NodeContext;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.Acquire;
import dev.rowlock.task.store.DuePosition;
import dev.rowlock.task.store.ScanFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Search for idle tasks whose start deadline is over, where slots lack: nobody would look at them before one is free.
 */
final class Deadlines {

    private static final Duration REST = Duration.ofSeconds(1);
    /** Rows of the backlog that one statement looks at, while what is due here waits. */
    private static final int AT_ONCE = 2_000;
    /** Inverse of the share of the time that the statements may take. */
    private static final int SHARE = 20;

    private final NodeContext node;
    private final Acquire acquire;
    private final DefinitionCache definitionCache;
    private @Nullable DuePosition next;
    private long restsUntilNanos;

    Deadlines(NodeContext node, Acquire acquire, DefinitionCache definitionCache) {
        this.node = node;
        this.acquire = acquire;
        this.definitionCache = definitionCache;
        this.restsUntilNanos = node.nanos().getAsLong();
    }

    /** Returns some that may not start any more, their jobs loaded; nothing if that was searched a moment ago. */
    List<Task> over(ScanFilter filter) {
        long began = node.nanos().getAsLong();
        if (began - restsUntilNanos < 0) {
            return List.of();
        }
        Instant surely = node.clock().earliest();
        DuePosition from = next == null ? DuePosition.at(Instant.EPOCH) : next;
        Acquire.Found found = acquire.backlog().withDeadline(from, filter, AT_ONCE);
        definitionCache.loadJobsOf(found.candidates());
        int batch = node.settings().batch();
        List<Task> over = found.candidates().stream()
                .filter(task -> definitionCache
                        .deadline(task.jobId(), task.version(), task.fireTime())
                        .isBefore(surely))
                .toList();
        next = over.size() > batch ? from : found.end();
        long ended = node.nanos().getAsLong();
        restsUntilNanos = ended + Math.max(next == null ? REST.toNanos() : 0, SHARE * (ended - began));
        return over.size() > batch ? over.subList(0, batch) : over;
    }
}
