package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.access.Admission;
import dev.rowlock.api.HttpServer;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.config.Config;
import dev.rowlock.control.AuditTrail;
import dev.rowlock.control.Cluster;
import dev.rowlock.control.Events;
import dev.rowlock.control.Forecasts;
import dev.rowlock.control.Groups;
import dev.rowlock.control.HeapShare;
import dev.rowlock.control.Jobs;
import dev.rowlock.control.Overviews;
import dev.rowlock.control.Plans;
import dev.rowlock.control.Previews;
import dev.rowlock.control.Reports;
import dev.rowlock.control.Reruns;
import dev.rowlock.control.Stats;
import dev.rowlock.control.TaskOutputs;
import dev.rowlock.control.Tasks;
import dev.rowlock.control.Tokens;
import dev.rowlock.control.Versions;
import dev.rowlock.db.Database;
import dev.rowlock.engine.Loop;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.explain.Explain;
import dev.rowlock.store.aggregate.OverviewQueries;
import dev.rowlock.store.aggregate.StatsQueries;
import dev.rowlock.store.audit.AuditQueries;
import dev.rowlock.store.history.OutputQueries;
import dev.rowlock.store.job.ForecastQueries;
import dev.rowlock.store.job.GroupStore;
import dev.rowlock.store.job.JobLives;
import dev.rowlock.store.job.JobQueries;
import dev.rowlock.store.job.JobStore;
import dev.rowlock.store.job.ManyJobs;
import dev.rowlock.store.job.VersionQueries;
import dev.rowlock.store.session.ClockNotes;
import dev.rowlock.store.session.EventQueries;
import dev.rowlock.store.session.NodeSettings;
import dev.rowlock.store.session.SessionLog;
import dev.rowlock.store.session.SessionQueries;
import dev.rowlock.store.session.TokenStore;
import dev.rowlock.store.task.RequestStore;
import dev.rowlock.store.task.RerunQueries;
import dev.rowlock.store.task.TaskQueries;
import dev.rowlock.store.task.Trails;

/** What the HTTP server answers with, made from the settings of this node and the pool for requests. */
final class HttpServices {

    private final Config config;
    private final DatabaseClock clock;
    private final Database pool;
    private final JobStore store;
    private final Admission admission;
    private final HeapShare heap = HeapShare.ofThisProcess();

    HttpServices(Config config, DatabaseClock clock, Database pool) {
        this.config = config;
        this.clock = clock;
        this.pool = pool;
        this.store = new JobStore(pool, clock);
        this.admission = new Admission(new TokenStore(pool), System::nanoTime);
    }

    /** Writes when tokens were used, beside the requests that used them. */
    Step tokenUses() {
        return () -> Pass.rest(admission.writeUses());
    }

    HttpServer.Services of(Node node, TaskOutputs outputs, AdminToken token) {
        Jobs jobs = new Jobs(
                store,
                new JobQueries(pool),
                config.scheduleZone(),
                node::wake,
                new SessionQueries(pool)::someRunAsOthers);
        Cluster cluster = cluster(node);
        return new HttpServer.Services(
                jobs,
                new Tasks(new TaskQueries(pool), store, new RequestStore(pool), node, node::wake),
                new Reruns(new RerunQueries(pool), store, node::wake),
                new Events(new EventQueries(pool), new JobQueries(pool)),
                outputs,
                new Previews(store, config.scheduleZone()),
                cluster,
                new Groups(new GroupStore(pool), new TaskQueries(pool), node::wake),
                new Versions(store, new VersionQueries(pool), jobs),
                new Plans(
                        new ManyJobs(pool, clock),
                        new JobQueries(pool),
                        config.scheduleZone(),
                        node::wake,
                        new SessionQueries(pool)::someRunAsOthers),
                reports(cluster),
                explain(),
                new Tokens(new TokenStore(pool), admission::forget),
                new AuditTrail(new AuditQueries(pool)),
                admission,
                token::isRefusedHere,
                () -> node.health().checks(token.state()),
                heap);
    }

    private Cluster cluster(Node node) {
        return new Cluster(
                new SessionQueries(pool),
                new NodeSettings(pool),
                config.node().name(),
                node::shardsOf,
                node.health()::clockProblem,
                new ClockNotes(pool)::accept);
    }

    private Reports reports(Cluster cluster) {
        return new Reports(
                new Forecasts(new ForecastQueries(pool)),
                new Overviews(new OverviewQueries(pool), cluster, Loop.beside("overview"), System::nanoTime),
                new Stats(store, new StatsQueries(pool)));
    }

    private Explain explain() {
        return new Explain(
                new JobLives(pool),
                new TaskQueries(pool),
                new Trails(pool),
                new SessionLog(pool),
                new GroupStore(pool));
    }

    /** What the outputs of this node are read with. */
    TaskOutputs outputs(Node node) {
        return new TaskOutputs(
                new TaskQueries(pool),
                new OutputQueries(pool),
                new RequestStore(pool),
                node,
                heap,
                config.output().headBytes() + config.output().tailBytes(),
                System::nanoTime);
    }
}
