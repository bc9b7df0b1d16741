package dev.rowlock.engine.session;

import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.result.ResultRecorder;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.session.Sessions.Previous;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * From one session of this node to the next. First all results are recorded; then the transaction that joins also ends
 * the sessions before.
 */
final class Handover {

    private final NodeContext node;
    private final Identity identity;
    private final Sessions sessions;
    private final ResultRecorder recorder;
    private final PreviousSessions previousSessions;
    private final Runnable joined;
    /** The sessions of this process that may be in the table. */
    private final Set<String> own = new HashSet<>();

    /** @param joined run when the session is in the table */
    Handover(
            NodeContext node,
            Identity identity,
            Sessions sessions,
            ResultRecorder recorder,
            PreviousSessions previousSessions,
            Runnable joined) {
        this.node = node;
        this.identity = identity;
        this.sessions = sessions;
        this.recorder = recorder;
        this.previousSessions = previousSessions;
        this.joined = joined;
    }

    boolean isOwn(String session) {
        return own.contains(session);
    }

    /** Records all results. To be called while nothing is prepared and nobody records. */
    void recordAll() {
        recorder.recordAll();
    }

    /**
     * Puts this session into the table, and ends those before it.
     *
     * @param previous sessions of earlier processes that end with that; those of this one are added
     */
    void join(String session, List<Previous> previous) {
        Set<LaunchId> started = node.localTasks().executingLaunches();
        own.forEach(old -> previous.add(Previous.own(old, started)));
        own.add(session);
        previousSessions.begin(session);
        try {
            sessions.join(identity.asMember(session, node.settings()), previous);
        } catch (CommitUnknown e) {
            throw e;
        } catch (DatabaseUnavailable e) {
            own.remove(session); // surely not in the table; they would add up while the database refuses to be written
            throw e;
        }
        node.localTasks().executingLaunches().forEach(node.localTasks()::dropExecuting);
        recorder.sessionEnded();
        own.removeIf(old -> !old.equals(session));
        joined.run();
    }
}
