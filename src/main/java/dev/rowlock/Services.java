package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.access.Admission;
import dev.rowlock.api.HttpServer;
import dev.rowlock.audit.AuditQueries;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.control.Alerts;
import dev.rowlock.control.AuditTrail;
import dev.rowlock.control.Cluster;
import dev.rowlock.control.CommandUsers;
import dev.rowlock.control.Events;
import dev.rowlock.control.Forecasts;
import dev.rowlock.control.Groups;
import dev.rowlock.control.Jobs;
import dev.rowlock.control.Overviews;
import dev.rowlock.control.Plans;
import dev.rowlock.control.Previews;
import dev.rowlock.control.Reports;
import dev.rowlock.control.RequestMemory;
import dev.rowlock.control.Reruns;
import dev.rowlock.control.Secrets;
import dev.rowlock.control.Stats;
import dev.rowlock.control.TaskOutputs;
import dev.rowlock.control.Tasks;
import dev.rowlock.control.Telemetry;
import dev.rowlock.control.Tokens;
import dev.rowlock.control.Versions;
import dev.rowlock.db.Database;
import dev.rowlock.engine.Loop;
import dev.rowlock.exec.LocalUsers;
import dev.rowlock.explain.Explain;
import dev.rowlock.store.aggregate.OverviewQueries;
import dev.rowlock.store.aggregate.StatsQueries;
import dev.rowlock.store.alert.ChannelStore;
import dev.rowlock.store.job.ForecastQueries;
import dev.rowlock.store.job.GroupStore;
import dev.rowlock.store.job.JobLives;
import dev.rowlock.store.job.JobQueries;
import dev.rowlock.store.job.JobStore;
import dev.rowlock.store.job.ManyJobs;
import dev.rowlock.store.job.SecretStore;
import dev.rowlock.store.job.VersionQueries;
import dev.rowlock.store.session.ClockNotes;
import dev.rowlock.store.session.EventQueries;
import dev.rowlock.store.session.NodeSettings;
import dev.rowlock.store.session.SessionLog;
import dev.rowlock.store.session.SessionQueries;
import dev.rowlock.store.session.TokenStore;
import dev.rowlock.task.history.RetentionTerms;
import dev.rowlock.task.store.RequestStore;
import dev.rowlock.task.store.RerunQueries;
import dev.rowlock.task.store.TaskQueries;
import dev.rowlock.task.store.Trails;
import java.time.ZoneId;

/** Services of a node for people, wired together. */
final class Services {

    private final Database pool;
    private final Node node;
    private final DatabaseClock clock;
    private final String name;
    private final ZoneId zone;
    private final HttpServer.SignIn signIn;
    private final JobStore store;
    private final JobQueries queries;

    /** @param zone of jobs that name none */
    Services(Database pool, Node node, DatabaseClock clock, String name, ZoneId zone, HttpServer.SignIn signIn) {
        this.pool = pool;
        this.node = node;
        this.clock = clock;
        this.name = name;
        this.zone = zone;
        this.signIn = signIn;
        this.store = new JobStore(pool, clock);
        this.queries = new JobQueries(pool);
    }

    HttpServer.Services all(
            TaskOutputs outputs,
            AdminToken token,
            Admission admission,
            Alerts alerts,
            RequestMemory heap,
            Telemetry telemetry) {
        Jobs jobs = new Jobs(store, queries, zone, node::wake, users());
        Cluster cluster = cluster();
        return new HttpServer.Services(
                jobs,
                new Tasks(new TaskQueries(pool), store, new RequestStore(pool), node, node::wake),
                new Reruns(new RerunQueries(pool), store, node::wake),
                new Events(new EventQueries(pool), queries),
                outputs,
                new Previews(store, zone),
                cluster,
                new Groups(new GroupStore(pool), new TaskQueries(pool), node::wake),
                new Secrets(new SecretStore(pool), new ChannelStore(pool), node.keys()),
                new Versions(store, new VersionQueries(pool), jobs),
                plans(),
                reports(cluster),
                explain(),
                new Tokens(new TokenStore(pool), admission::forget),
                new AuditTrail(new AuditQueries(pool)),
                alerts,
                admission,
                signIn,
                token::isRefusedHere,
                () -> node.health().checks(token.state()),
                Loop.beside("health"),
                heap,
                telemetry);
    }

    private Cluster cluster() {
        return new Cluster(
                new SessionQueries(pool),
                new NodeSettings(pool),
                name,
                node::stripesOf,
                node.health()::clockProblem,
                new ClockNotes(pool)::accept,
                new RetentionTerms(pool));
    }

    private Plans plans() {
        return new Plans(new ManyJobs(pool, clock), queries, zone, node::wake, users());
    }

    private CommandUsers users() {
        return new CommandUsers(new SessionQueries(pool)::someRunAsOthers, name, LocalUsers::isKnown);
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
}
