package dev.rowlock.engine.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.result.ResultJournal;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.Durations;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.task.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a node goes: it gives back what it had prepared, and in the end takes its session from the table. */
public final class Departure {

    private static final Logger log = LoggerFactory.getLogger(Departure.class);
    /** Leaving can be repeated: a session that is gone already is as good. */
    private static final int TRIES = 3;
    /** After KILL: what takes longer than five seconds is given up by the launcher and told as such. */
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(10);

    private final LocalTasks localTasks;
    private final Lease lease;
    private final Release release;
    private final Sessions sessions;
    private final ResultJournal journal;
    private final Consumer<List<Ending>> recorded;

    /** @param recorded told of the results that were delivered in leaving */
    public Departure(
            LocalTasks localTasks,
            Lease lease,
            Release release,
            Sessions sessions,
            ResultJournal journal,
            Consumer<List<Ending>> recorded) {
        this.localTasks = localTasks;
        this.lease = lease;
        this.release = release;
        this.sessions = sessions;
        this.journal = journal;
        this.recorded = recorded;
    }

    /** What cannot be given back now, because the database does not answer or refuses it, is left to compensation and others. */
    public void giveBackPrepared() {
        localTasks.turn.lock();
        try {
            localTasks.forgetPrepared();
            Optional<Trust> trust = lease.current();
            if (trust.isPresent()) {
                release.giveBack(release.held(trust.get().sessionId()).stream()
                        .filter(held -> !held.executing())
                        .toList());
            }
        } catch (DatabaseUnavailable | StatementProblem e) {
            log.warn("what this node had prepared is given back later, by it or by others: {}", e.getMessage());
        } finally {
            localTasks.turn.unlock();
        }
    }

    /** Leaves the cluster. What the database does not take, after some tries, others will expire. */
    public void leave() {
        localTasks.lockBoth();
        try {
            lease.current().ifPresent(trust -> leave(trust, 1));
        } finally {
            localTasks.unlockBoth();
        }
    }

    /** What the table has as executing, but was refused before anything of it was run, is not lost. */
    private void giveBackUnstarted(Trust trust) {
        release.giveBack(release.held(trust.sessionId()).stream()
                .filter(held -> held.executing() && !localTasks.isExecuting(held.launch()))
                .toList());
    }

    /** Waits for what is running; TERM after {@code grace} to what is left, and KILL after its own grace, or {@code grace} again. */
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

    private void leave(Trust trust, int tried) {
        try {
            giveBackUnstarted(trust);
            List<Ending> results = localTasks.results(Integer.MAX_VALUE);
            sessions.leave(trust.sessionId(), results, Ending.NODE_STOPPED);
            journal.clear();
            recorded.accept(results);
            lease.end(trust.sessionId());
        } catch (DatabaseUnavailable | StatementProblem e) {
            if (tried < TRIES) {
                leave(trust, tried + 1);
            } else {
                log.warn("this session could not be taken from the table and expires by itself: {}", e.getMessage());
            }
        }
    }
}
