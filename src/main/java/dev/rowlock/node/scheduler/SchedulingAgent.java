package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.store.SessionQueries;
import dev.rowlock.db.Database;
import dev.rowlock.job.store.Definitions;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.recorder.ResultAgent;
import dev.rowlock.node.recorder.ResultsFirst;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.node.session.SessionAgent;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Asides;
import dev.rowlock.task.transition.FrozenCursors;
import dev.rowlock.task.transition.Misfires;
import dev.rowlock.task.transition.Quarantine;
import dev.rowlock.task.transition.Release;
import dev.rowlock.task.transition.Start;
import dev.rowlock.task.transition.Start.ObeyedFreezes;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Agent that schedules on one connection: acquires, fires, takes over, gives back what it holds without knowing, and
 * retries what was set aside.
 */
public final class SchedulingAgent {

    private final JobSecrets jobSecrets;
    private final DefinitionCache definitionCache;
    private final Reconsidering reconsidering;
    private final Backlog backlog;

    /**
     * Adds its loops to those of the node.
     *
     * @param secrets the node's keys and local secrets, for those that jobs name
     */
    public SchedulingAgent(
            NodeContext node, Database database, SessionAgent session, ResultAgent results, NodeSecrets secrets) {
        this.jobSecrets = new JobSecrets(
                new SecretStore(database),
                secrets,
                new SessionQueries(database),
                node.settings().node());
        this.definitionCache = new DefinitionCache(
                new Definitions(database), DefinitionCache::parse, node.nanos(), jobSecrets::whyLeft);
        this.reconsidering = new Reconsidering(node, new Asides(database, results.finish()));
        this.backlog = new Backlog(node.nanos(), node.slots()::capacity);
        Scheduler scheduler = scheduler(node, database, session, results);
        ResultsFirst resultsFirst =
                new ResultsFirst(node.nanos(), () -> reach(node, database), scheduler, results.recorder());
        Runnable wake = node.loops().add("scheduler", resultsFirst);
        node.loops().add("compensation", new Compensator(node, new Release(database)));
        node.loops().add("set-aside", reconsidering);
        WaitKeeper waits = new WaitKeeper(node, session.known().selectors(), database);
        Runnable wakeWaits = node.loops().add("waits", waits);
        node.signals().listen(Signal.TASKS_FREED, wakeWaits);
        node.signals().listen(Signal.NODE_AWAITED, () -> {
            waits.nodeAwaited();
            wakeWaits.run();
        });
        node.signals().listen(Signal.BACKFILL_OPEN, () -> {
            waits.backfillOpen();
            wakeWaits.run();
        });
        node.signals().listen(Signal.TURN_ENDED, () -> {
            if (waits.isBackfilling()) {
                wakeWaits.run();
            }
        });
        results.recorder().handOnTo(new Succession(node, session.known(), definitionCache));
        node.signals().listen(Signal.TASKS_HANDED, wake);
        listen(node, scheduler, wake);
    }

    private Scheduler scheduler(NodeContext node, Database database, SessionAgent session, ResultAgent results) {
        Start start = new Start(
                database,
                node.settings().misfireThreshold(),
                node.clock()::latest,
                session.known().selectors()::all,
                new ObeyedFreezes(
                        node.freezes(),
                        claim -> definitionCache
                                .find(claim.jobId(), claim.version())
                                .map(CachedDefinition::definition)));
        Quarantine quarantine = new Quarantine(database);
        Dispatch dispatch = new Dispatch(node, results.processes(), session.guard());
        Starter starter = new Starter(
                node,
                start,
                quarantine,
                definitionCache,
                jobSecrets,
                new FiredLines(new Definitions(database)),
                dispatch);
        DueTasks dueTasks = new DueTasks(node, session.known(), starter);
        TakeOver takeOver = new TakeOver(node, session.known(), start, definitionCache, starter);
        Misfires misfires = new Misfires(database, node.clock()::latest);
        MisfireSettler settler = new MisfireSettler(misfires, quarantine, definitionCache, node);
        FrozenJobs frozen = new FrozenJobs(node, new FrozenCursors(database, node.freezes()), settler, definitionCache);
        Acquirer acquirer = new Acquirer(
                node,
                session.known(),
                new Acquire(database),
                quarantine,
                definitionCache,
                settler,
                frozen,
                dispatch,
                takeOver);
        return new Scheduler(node, session.known(), starter, dueTasks, acquirer, takeOver, backlog);
    }

    private static void listen(NodeContext node, Scheduler scheduler, Runnable wake) {
        node.signals().listen(Signal.TASKS_FREED, () -> {
            scheduler.pollSoon();
            wake.run();
        });
        node.signals().listen(Signal.COMMAND_ENDED, () -> {
            if (node.slots().areWorthFilling()) {
                wake.run();
            }
        });
        node.signals().listen(Signal.RESULTS_RECORDED, () -> {
            if (node.slots().areLacked()) { // what was given back for want of a slot may have one
                scheduler.pollSoon();
            }
            if (scheduler.pollsSoon() || scheduler.awaitsResults()) {
                wake.run();
            }
        });
    }

    private static boolean reach(NodeContext node, Database database) {
        return node.localTasks().locked(prepared -> {
            database.reach();
            return true;
        });
    }

    /** Returns the jobs whose tasks this node leaves to others. */
    public NotUnderstood notUnderstood() {
        return definitionCache.notUnderstood();
    }

    /** Returns how late it is, and why. */
    public Backlog backlog() {
        return backlog;
    }

    /** Returns which secrets this node can read, for people. */
    public String secrets() {
        return jobSecrets.state();
    }

    /** Returns what does not go on though the node takes work: tasks left to others, and what is set aside. */
    public Optional<String> problem() {
        return Stream.of(notUnderstood().problem(), reconsidering.problem())
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + ". Also: " + other);
    }
}
