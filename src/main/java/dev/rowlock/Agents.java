package dev.rowlock;

import dev.rowlock.db.Database;
import dev.rowlock.node.Connections;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.Launching;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Outage;
import dev.rowlock.node.recorder.ResultAgent;
import dev.rowlock.node.scheduler.SchedulingAgent;
import dev.rowlock.node.session.SessionAgent;
import dev.rowlock.node.session.SessionGuard;
import dev.rowlock.task.history.OutputStore;
import dev.rowlock.task.transition.Finish;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Agents of a node, wired together. The daemon's node runs their loops; tests run their steps by hand. */
public final class Agents implements AutoCloseable {

    private final NodePlan plan;
    private final Connections connections;
    private final Outage outage;
    private final NodeContext node;
    private final SessionGuard guard;
    private final ResultAgent results;
    private final SessionAgent session;
    private final SchedulingAgent scheduling;

    /** @param nanos the monotonic clock */
    public Agents(NodePlan plan, LongSupplier nanos, Launching launching, Connections connections) {
        EngineSettings settings = plan.settings();
        this.plan = plan;
        this.connections = connections;
        this.outage = new Outage(nanos, plan.servers().areSeveral() ? settings.quietFailover() : Duration.ZERO);
        this.node = NodeContext.of(settings, nanos, plan.clock(), outage, plan.traces());
        plan.servers().listen(node.counts().database());
        this.guard = new SessionGuard();
        this.results = new ResultAgent(
                node,
                finish(connections.results()),
                ended -> launching.begin(guard::stands, ended),
                plan.dataDir(),
                new OutputStore(plan.pool()));
        this.session =
                new SessionAgent(node, plan.identity(), connections, results, guard, plan.dataDir(), plan.hostClock());
        this.scheduling = new SchedulingAgent(node, connections.engine(), session, results, plan.secrets());
    }

    private Finish finish(Database database) {
        return new Finish(database, plan.settings().node(), plan.maxLost(), plan.recoveryBackoff());
    }

    public NodeContext node() {
        return node;
    }

    Outage outage() {
        return outage;
    }

    public ResultAgent results() {
        return results;
    }

    public SessionAgent session() {
        return session;
    }

    public SchedulingAgent scheduling() {
        return scheduling;
    }

    /** Ends the loops, then all that they use. */
    @Override
    public void close() {
        node.loops().close();
        results.close();
        guard.close();
        results.queue().close();
        node.traces().close();
        connections.close();
    }
}
