package dev.rowlock.engine.session;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.SessionIds;
import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.result.Recording;
import dev.rowlock.engine.result.ResultJournal;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.exec.Uptime;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.session.Sessions.Former;
import dev.rowlock.store.session.Sessions.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Becomes a new session: the first time, and whenever the last one could no longer be trusted. The transaction that joins also delivers what
 * is left of the former session, so that nobody has to wait for it to be expired.
 */
public final class Joining {

    private static final Logger log = LoggerFactory.getLogger(Joining.class);

    private final Identity identity;
    private final EngineSettings settings;
    private final LocalTasks localTasks;
    private final Lease lease;
    private final KnownSessions knownSessions;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final Sessions sessions;
    private final Recording recording;
    private final Processes processes;
    private final Fence fence;
    private final ResultJournal journal;
    private final PreviousSessions earlier;
    private final PreviousSession previousSession;
    private final Consumer<List<Ending>> recorded;
    private final Set<String> own = new HashSet<>();
    private final List<Ending> inherited;

    /** What joining acts on. */
    public record Parts(
            Identity identity,
            EngineSettings settings,
            LocalTasks localTasks,
            Lease lease,
            KnownSessions knownSessions,
            DatabaseClock clock,
            LongSupplier nanos,
            Sessions sessions,
            Recording recording,
            Processes processes,
            Fence fence,
            ResultJournal journal,
            PreviousSessions earlier,
            PreviousSession previousSession,
            Consumer<List<Ending>> recorded) {}

    public Joining(Parts parts) {
        this.identity = parts.identity;
        this.settings = parts.settings;
        this.localTasks = parts.localTasks;
        this.lease = parts.lease;
        this.knownSessions = parts.knownSessions;
        this.clock = parts.clock;
        this.nanos = parts.nanos;
        this.sessions = parts.sessions;
        this.recording = parts.recording;
        this.processes = parts.processes;
        this.fence = parts.fence;
        this.journal = parts.journal;
        this.earlier = parts.earlier;
        this.previousSession = parts.previousSession;
        this.recorded = parts.recorded;
        this.inherited = new ArrayList<>(journal.read());
    }

    /**
     * One attempt.
     *
     * @return empty if it has to be tried again: commands of the former session are not dead yet, or nobody knows whether an earlier life on
     *     another host is
     * @throws NodeNameTaken another live daemon has our name
     */
    Optional<Trust> join() {
        boolean dying = processes.running() > 0;
        if (dying) {
            processes.killAll(StopCause.FENCE, Duration.ZERO);
        }
        long askedNanos = nanos.getAsLong();
        Optional<Seen> seen = sessions.all();
        long answeredNanos = nanos.getAsLong();
        if (dying) {
            return Optional.empty();
        }
        List<Former> former = new ArrayList<>();
        if (seen.isPresent()) {
            clock.sample(seen.get().databaseTime(), askedNanos, answeredNanos);
            boolean ours = seen.get().members().stream()
                    .anyMatch(m -> m.node().equals(identity.node()) && own.contains(m.id()));
            if (!ours) {
                PreviousSession.Finding finding =
                        previousSession.judge(identity.node(), seen.get(), askedNanos, answeredNanos);
                if (finding.verdict() == PreviousSession.Verdict.UNCERTAIN) {
                    return Optional.empty();
                }
                former.addAll(finding.former());
            }
        }
        return join(former);
    }

    private Optional<Trust> join(List<Former> former) {
        String id = SessionIds.fresh();
        localTasks.lockBoth();
        try {
            localTasks.forgetPrepared();
            Set<LaunchId> started = localTasks.executingLaunches();
            own.forEach(old -> former.add(Former.own(old, started)));
            List<Ending> results = new ArrayList<>(inherited);
            results.addAll(localTasks.results(Integer.MAX_VALUE));
            own.add(id);
            long askedUptime = Uptime.millis();
            long askedNanos = nanos.getAsLong();
            earlier.begin(id);
            boolean late = !tried(id, former, results);
            settled(id, results);
            Optional<Trust> trust = lease.begin(id, askedNanos, askedUptime);
            trust.ifPresent(this::joined);
            if (late) {
                recording.record(results); // writes nothing again, but tells which, and what history has instead
            }
            return trust;
        } finally {
            localTasks.unlockBoth();
        }
    }

    /** An id that is surely not in the table is forgotten, so that they do not add up while the database refuses to be written. */
    private boolean tried(String id, List<Former> former, List<Ending> results) {
        try {
            return deliver(id, former, results);
        } catch (CommitUnknown e) {
            throw e;
        } catch (DatabaseUnavailable e) {
            own.remove(id);
            throw e;
        }
    }

    /** False: some of the results were refused, or came too late. */
    private boolean deliver(String id, List<Former> former, List<Ending> results) {
        int recorded;
        try {
            recorded = sessions.join(identity.asMember(id, settings), former, results);
        } catch (StatementProblem | IllegalStateException e) {
            if (results.isEmpty()) {
                throw e;
            }
            log.warn("joining with {} results was refused; they are recorded apart from it", results.size(), e);
            recorded = results.size() - recording.recordAll(results).size();
            sessions.join(identity.asMember(id, settings), former, List.of());
        }
        return recorded == results.size();
    }

    private void settled(String id, List<Ending> results) {
        localTasks.executingLaunches().forEach(localTasks::dropExecuting);
        inherited.clear();
        journal.clear();
        own.removeIf(old -> !old.equals(id));
        recorded.accept(results);
    }

    private void joined(Trust trust) {
        fence.joined(trust);
        readMembers();
        log.info("joined as node {}, session {}", identity.node(), trust.sessionId());
    }

    private void readMembers() {
        long askedNanos = nanos.getAsLong();
        sessions.all().ifPresent(seen -> {
            clock.sample(seen.databaseTime(), askedNanos, nanos.getAsLong());
            knownSessions.saw(seen.members());
        });
    }
}
