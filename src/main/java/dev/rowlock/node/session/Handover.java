package dev.rowlock.node.session;

import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.cluster.store.Sessions.Previous;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.recorder.ResultRecorder;
import dev.rowlock.task.LaunchId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handover from one session of this node to the next. First all results are recorded; then the transaction that joins
 * also ends the sessions before.
 */
final class Handover {

    private final NodeContext node;
    private final Identity identity;
    private final Sessions sessions;
    private final ResultRecorder recorder;
    private final PreviousSessions previousSessions;
    private final Runnable joined;
    /** Session joined last; what it started, and did not record, is known. */
    private @Nullable String last;

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

    boolean hasJoined() {
        return last != null;
    }

    /** Records all results. Call while nothing is prepared and nobody records. */
    void recordAll() {
        recorder.recordAll();
    }

    /**
     * Inserts this session, and ends those before it.
     *
     * @param previous sessions of earlier processes that end with that; those of this one are added
     */
    void join(String session, List<Previous> previous) {
        Set<LaunchId> started = node.localTasks().executingLaunches();
        if (last != null) {
            previous.add(Previous.own(last, started));
        }
        previousSessions.begin(session);
        sessions.join(identity.asMember(session, node.settings()), previous);
        node.localTasks().executingLaunches().forEach(node.localTasks()::dropExecuting);
        recorder.sessionEnded();
        last = session;
        joined.run();
    }
}
