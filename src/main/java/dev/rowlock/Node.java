package dev.rowlock;

import dev.rowlock.alert.send.AlertAgent;
import dev.rowlock.alert.store.OldAlerts;
import dev.rowlock.cluster.store.ClockNotes;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.ClockWatch;
import dev.rowlock.node.Connections;
import dev.rowlock.node.DatabaseWatch;
import dev.rowlock.node.HeldClaim;
import dev.rowlock.node.HistoryCounter;
import dev.rowlock.node.HistoryKeeper;
import dev.rowlock.node.Launching;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.Loop;
import dev.rowlock.node.Loops;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.OnceJoined;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.node.WriterWatch;
import dev.rowlock.node.session.Departure;
import dev.rowlock.node.session.NodeNameTaken;
import dev.rowlock.node.session.Schema;
import dev.rowlock.report.ReadinessChecks.Check;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.history.SoleClaim;
import dev.rowlock.task.request.RunningCommands;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Node as a part of this process: its agents and its chores, and how they start and stop. */
public final class Node implements RunningCommands, AutoCloseable {

    /** Time to wait for results on leaving: they are recorded as they come, and the rest by leaving. */
    private static final Duration RECORDED_WITHIN = Duration.ofSeconds(2);

    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);

    private final NodePlan plan;
    private final Agents agents;
    private final NodeContext node;
    private final Processes processes;
    private final Schema schema;
    private final NodeHealth health;
    private final Runnable wakePauses;
    /** Set once the session was joined; used by its loop alone. */
    private boolean wasJoined;

    public Node(NodePlan plan) {
        this(plan, Launching.processes(plan.dataDir(), plan.outputLimits(), plan.spawnMethod()));
    }

    /** Creates a node whose commands are run by something else, to measure everything but the running of commands. */
    public Node(NodePlan plan, Launching launching) {
        this.plan = plan;
        this.agents = new Agents(plan, System::nanoTime, launching, Connections.to(plan.servers(), plan.settings()));
        this.node = agents.node();
        this.processes = agents.results().processes();
        ClockWatch clockWatch = new ClockWatch(node.clock(), node.nanos(), new ClockNotes(plan.pool()));
        this.schema = new Schema(plan.servers(), () -> {
            clockWatch.recall();
            plan.migrated().run();
        });
        WriterWatch writerWatch = new WriterWatch(node.lease(), plan.servers());
        Loops loops = node.loops();
        loops.add("sessions", this::keepSession);
        loops.add("clock", clockWatch);
        addChores(loops);
        OldAlerts alerts = new OldAlerts(plan.pool());
        HistoryKeeper history = new HistoryKeeper(node, plan.pool(), alerts::delete);
        loops.add("history", history);
        this.wakePauses = loops.add("pauses", this::endPauses);
        loops.add("writers", writerWatch);
        if (plan.servers().areSeveral()) {
            loops.add("database", new DatabaseWatch(plan.servers(), Loop.beside("silent-servers")));
            plan.servers().onMove(() -> {
                schema.doubt();
                loops.wakeAll();
            });
        }
        this.health = new NodeHealth(agents, schema, writerWatch, history);
        health.add(() -> new Check("database-clock", clockWatch.behind().isEmpty(), clockWatch.said()));
    }

    private void addChores(Loops loops) {
        AlertAgent.addTo(node, plan.pool(), plan.alerts(), plan.secrets().keys());
        HeldClaim claim = new HeldClaim(node.nanos(), new SoleClaim(plan.pool(), "joined-claim"));
        loops.add("joined", new OnceJoined(node.lease(), claim, joined()));
        loops.add("counting", new HistoryCounter(node, plan.pool()));
    }

    private OnceJoined.Work joined() {
        return new OnceJoined.Work() {
            @Override
            public boolean step() {
                boolean more = plan.joined().step();
                if (!more) {
                    DatabaseWatch.warnOfSlowFailover(plan.pool(), plan.settings());
                }
                return more;
            }

            @Override
            public boolean again() {
                return plan.joined().again();
            }
        };
    }

    private Pass endPauses() {
        if (node.lease().current().isEmpty()) {
            return Pass.rest(UNTIL_JOINED);
        }
        Duration rest = plan.pausesOver().get();
        if (rest.isZero()) {
            node.signals().tell(Signal.TASKS_FREED);
        }
        return Pass.rest(rest);
    }

    private Pass keepSession() {
        if (node.lease().current().isEmpty() && wasJoined) {
            wasJoined = false;
            schema.doubt();
        }
        try {
            schema.bringUpToDate();
            Pass pass = agents.session().keeper().runOnce();
            wasJoined = node.lease().current().isPresent();
            return pass;
        } catch (NodeNameTaken e) {
            plan.refused().accept(e);
            return Pass.rest(plan.settings().heartbeat());
        }
    }

    /** Adds a further loop. Call before the node starts. */
    public void add(String name, Step step) {
        node.loops().add(name, step);
    }

    /**
     * Ends what the node's previous session left running, and starts the loops. The database may become available
     * later.
     */
    public void start() {
        agents.session().sweep();
        node.loops().start();
    }

    /**
     * Wakes the loops: there may be a task to acquire, or a pause that ends soon, as a job was created, changed or
     * asked to run.
     */
    public void wake() {
        node.signals().tell(Signal.TASKS_FREED);
        wakePauses.run();
    }

    /** Wakes the loops after a freeze was changed. */
    public void freezesChanged() {
        node.freezes().doubt();
        wake();
    }

    @Override
    public void kill(LaunchId launch) {
        processes.kill(launch, StopCause.REQUEST);
    }

    @Override
    public Optional<CommandOutput> output(LaunchId launch) {
        return node.localTasks().isExecuting(launch) ? Optional.of(processes.output(launch)) : Optional.empty();
    }

    Agents agents() {
        return agents;
    }

    /** Returns the version of the tables; null if it is not known yet. */
    @Nullable
    Integer schemaVersion() {
        return schema.version();
    }

    /** Returns the keys for encrypting and decrypting secrets. */
    KeyRing keys() {
        return plan.secrets().keys();
    }

    public NodeHealth health() {
        return health;
    }

    /** Returns the number of stripes that a session prefers. */
    public int stripesOf(String session) {
        return agents.session().known().stripesOf(session).size();
    }

    /**
     * Stops in order: gives prepared tasks back, waits for running commands, ends what is left after {@code grace}
     * (TERM, then KILL, within {@code grace} again), records all of it, and leaves.
     */
    public void stop(Duration grace) {
        LocalTasks localTasks = node.localTasks();
        Departure departure = agents.session().departure();
        localTasks.drain();
        departure.giveBackPrepared();
        departure.endCommands(processes, grace);
        if (node.lease().current().isPresent()) {
            localTasks.awaitRecorded(RECORDED_WITHIN);
            departure.leave();
        }
    }

    @Override
    public void close() {
        agents.close();
    }
}
