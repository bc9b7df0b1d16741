package dev.rowlock.node.session;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.recorder.ResultRecorder;
import dev.rowlock.schedule.Durations;
import dev.rowlock.task.Ending;
import dev.rowlock.task.transition.Release;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Departure of a node: it gives back what it had prepared, and in the end deletes its session. */
public final class Departure {

    private static final Logger log = LoggerFactory.getLogger(Departure.class);
    /** Number of attempts. Leaving can be repeated: a session that is gone already is as good. */
    private static final int TRIES = 3;
    /** Time to wait after KILL: the launcher gives up what takes longer than five seconds, and reports it as such. */
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);

    private final NodeContext node;
    private final LocalTasks localTasks;
    private final Release release;
    private final Sessions sessions;
    private final ResultRecorder recorder;

    Departure(NodeContext node, Release release, Sessions sessions, ResultRecorder recorder) {
        this.node = node;
        this.localTasks = node.localTasks();
        this.release = release;
        this.sessions = sessions;
        this.recorder = recorder;
    }

    /** Gives back what is prepared. What cannot be given back now is left to compensation and others. */
    public void giveBackPrepared() {
        try {
            localTasks.locked(this::giveBack);
        } catch (RuntimeException e) {
            log.warn("what this node had prepared is given back later, by it or by others: {}", e.getMessage());
            log.debug("giving back", e);
        }
    }

    private boolean giveBack(PreparedTasks prepared) {
        prepared.clear();
        Optional<Trust> trust = node.lease().current();
        trust.ifPresent(current -> release.giveBack(release.held(current.sessionId()).stream()
                .filter(held -> !held.isExecuting())
                .toList()));
        return trust.isPresent();
    }

    /** Leaves the cluster. If the database does not take it, after some tries, others will expire the session. */
    public void leave() {
        localTasks.lockedWhole(
                prepared -> node.lease().current().map(trust -> leave(trust, 1)).orElse(false));
    }

    /**
     * Gives back tasks that are executing in the table, but were refused before anything of them was run: they are not
     * lost.
     */
    private void giveBackUnstarted(Trust trust) {
        release.giveBack(release.held(trust.sessionId()).stream()
                .filter(held ->
                        held.isExecuting() && !localTasks.isExecuting(held.ref().held()))
                .toList());
    }

    /**
     * Waits for what is running; sends TERM after {@code grace} to what is left, then KILL after the same time again.
     */
    public void endCommands(Processes processes, Duration grace) {
        if (localTasks.running() > 0) {
            log.info(
                    "waiting up to {} for what is running: {} (a second signal ends it at once)",
                    Durations.format(grace),
                    localTasks.running());
        }
        if (!localTasks.awaitEnded(grace)) {
            log.warn("ended, as they still run after {}: {}", Durations.format(grace), localTasks.running());
            processes.killAll(StopCause.SHUTDOWN, grace);
            localTasks.awaitEnded(grace.plus(KILLED_WITHIN));
        }
    }

    /** Leaves, and returns false if the session is still in the table. */
    private boolean leave(Trust trust, int tried) {
        try {
            giveBackUnstarted(trust);
            recorder.recordAll();
            sessions.leave(trust.sessionId(), Ending.NODE_STOPPED);
            recorder.sessionEnded();
            node.lease().end(trust.sessionId());
            return true;
        } catch (RuntimeException e) { // whatever it is, a stop goes on to its end
            if (tried < TRIES) {
                return leave(trust, tried + 1);
            }
            log.warn("this session could not be taken from the table and expires by itself: {}", e.getMessage());
            log.debug("leaving", e);
            return false;
        }
    }
}
