package dev.rowlock.engine.session;

import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.result.Recording;
import dev.rowlock.engine.result.ResultJournal;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.session.Sessions.Former;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From one session of this node to the next: the transaction that joins also delivers what is left of the former one, so that nobody has to wait
 * for that to be expired.
 */
final class Handover {

    private static final Logger log = LoggerFactory.getLogger(Handover.class);

    private final NodeContext node;
    private final Identity identity;
    private final Sessions sessions;
    private final Recording recording;
    private final ResultJournal journal;
    private final PreviousSessions previousSessions;
    private final Consumer<List<Ending>> recorded;
    /** The sessions of this life that may be in the table. */
    private final Set<String> own = new HashSet<>();
    /** Results of the life before, until they are delivered. */
    private final List<Ending> inherited;

    /** @param recorded told of the results that were delivered */
    Handover(
            NodeContext node,
            Identity identity,
            Sessions sessions,
            Recording recording,
            ResultJournal journal,
            PreviousSessions previousSessions,
            Consumer<List<Ending>> recorded) {
        this.node = node;
        this.identity = identity;
        this.sessions = sessions;
        this.recording = recording;
        this.journal = journal;
        this.previousSessions = previousSessions;
        this.recorded = recorded;
        this.inherited = new ArrayList<>(journal.read());
    }

    boolean isOwn(String session) {
        return own.contains(session);
    }

    /**
     * Puts this session into the table, and all results with it. To be called while nothing is prepared and nobody records.
     *
     * @param former sessions of earlier lives that end with that; those of this life are added
     * @return what {@link #tellOf} is to be told of
     */
    List<Ending> deliver(String session, List<Former> former) {
        Set<LaunchId> started = node.localTasks().executingLaunches();
        own.forEach(old -> former.add(Former.own(old, started)));
        List<Ending> results = new ArrayList<>(inherited);
        results.addAll(node.localTasks().results(Integer.MAX_VALUE));
        own.add(session);
        previousSessions.begin(session);
        boolean late = !tried(session, former, results);
        settled(session, results);
        return late ? results : List.of();
    }

    /** Writes nothing again, but tells which results were refused or came too late, and what history has instead. */
    void tellOf(List<Ending> late) {
        if (!late.isEmpty()) {
            recording.record(late);
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
            recorded = sessions.join(identity.asMember(id, node.settings()), former, results);
        } catch (StatementProblem | IllegalStateException e) {
            if (results.isEmpty()) {
                throw e;
            }
            log.warn("joining with {} results was refused; they are recorded apart from it", results.size(), e);
            recorded = results.size() - recording.recordAll(results).size();
            sessions.join(identity.asMember(id, node.settings()), former, List.of());
        }
        return recorded == results.size();
    }

    private void settled(String id, List<Ending> results) {
        node.localTasks().executingLaunches().forEach(node.localTasks()::dropExecuting);
        inherited.clear();
        journal.clear();
        own.removeIf(old -> !old.equals(id));
        recorded.accept(results);
    }
}
