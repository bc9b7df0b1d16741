package dev.rowlock;

import dev.rowlock.db.Database;
import dev.rowlock.engine.Connections;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.Launching;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Outage;
import dev.rowlock.engine.result.ResultAgent;
import dev.rowlock.engine.session.SessionAgent;
import dev.rowlock.engine.session.SessionGuard;
import dev.rowlock.node.scheduler.SchedulingAgent;
import dev.rowlock.task.history.OutputStore;
import dev.rowlock.task.store.Finish;
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
