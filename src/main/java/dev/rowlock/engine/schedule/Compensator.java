package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.store.task.Release;
import dev.rowlock.store.task.Release.Held;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds tasks that the table gives to this session but memory does not know in that state, because the answer to a commit was lost, and gives
 * them back. None of their commands was started: that happens only after a commit that is known to have succeeded. And forgets what was
 * prepared but is not ours any more, because it was edited, paused, deleted or taken over.
 */
public final class Compensator implements Step {

    private static final Logger log = LoggerFactory.getLogger(Compensator.class);

    /** Its look reads what this session has ended and nobody could purge yet; nothing else goes on meanwhile, so it may take such a share. */
    private static final int SHARE = 100;

    private final LocalTasks localTasks;
    private final Lease lease;
    private final Release release;
    private final Duration period;
    private final LongSupplier nanos;
    private final Runnable tasksFreed;

    public Compensator(
            LocalTasks localTasks,
            Lease lease,
            Release release,
            Duration period,
            LongSupplier nanos,
            Runnable tasksFreed) {
        this.localTasks = localTasks;
        this.lease = lease;
        this.release = release;
        this.period = period;
        this.nanos = nanos;
        this.tasksFreed = tasksFreed;
    }

    @Override
    public Pass runOnce() {
        localTasks.lockBoth();
        long beganNanos = nanos.getAsLong();
        try {
            lease.current()
                    .ifPresent(this::compare); // within the turn, as this node may become another session outside of it
        } finally {
            localTasks.unlockBoth();
        }
        Duration rest = Duration.ofNanos(nanos.getAsLong() - beganNanos).multipliedBy(SHARE);
        return Pass.rest(rest.compareTo(period) > 0 ? rest : period);
    }

    private void compare(Trust trust) {
        List<Held> all = release.held(trust.sessionId());
        localTasks.keepPrepared(all.stream().map(Held::launch).collect(Collectors.toSet()));
        List<Held> unknown = all.stream().filter(held -> !isKnown(held)).toList();
        if (!unknown.isEmpty()) {
            release.giveBack(unknown);
            log.info(
                    "gave back {} tasks that this node held without knowing it: {}",
                    unknown.size(),
                    unknown.stream().map(held -> Long.toString(held.id())).collect(Collectors.joining(" ")));
            tasksFreed.run();
        }
    }

    private boolean isKnown(Held held) {
        return held.executing()
                ? localTasks.isExecuting(held.launch())
                : localTasks.isPrepared(held.id(), held.launch());
    }
}
