package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.access.Admission;
import dev.rowlock.access.TokenStore;
import dev.rowlock.access.request.Tokens;
import dev.rowlock.alert.request.Alerts;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.api.HttpServer.ApiServices;
import dev.rowlock.api.HttpServer.SignInMeans;
import dev.rowlock.audit.AuditQueries;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.store.ClockNotes;
import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.cluster.store.SessionLog;
import dev.rowlock.cluster.store.SessionQueries;
import dev.rowlock.db.Database;
import dev.rowlock.exec.LocalUsers;
import dev.rowlock.freeze.request.FreezeRequests;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.job.CommandUsers;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.backfill.Backfills;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.plan.Plans;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.JobLives;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.version.VersionQueries;
import dev.rowlock.job.version.Versions;
import dev.rowlock.node.Loop;
import dev.rowlock.report.AuditTrail;
import dev.rowlock.report.Cluster;
import dev.rowlock.report.ForecastQueries;
import dev.rowlock.report.Forecasts;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.Overviews;
import dev.rowlock.report.Reports;
import dev.rowlock.report.Stats;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.report.event.EventQueries;
import dev.rowlock.report.event.Events;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.metrics.Telemetry;
import dev.rowlock.schedule.preview.Previews;
import dev.rowlock.secret.request.Secrets;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.history.RetentionTerms;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.request.Reruns;
import dev.rowlock.task.request.TaskOutputs;
import dev.rowlock.task.request.Tasks;
import dev.rowlock.task.rerun.RequestStore;
import dev.rowlock.task.rerun.RerunQueries;
import dev.rowlock.task.store.Trails;

/** Services of a node for people, wired together. */
final class Services {

    private final Database pool;
    private final Node node;
    private final DatabaseClock clock;
    private final String name;
    private final String zone;
    private final SignInMeans signIn;
    private final JobStore store;
    private final JobQueries queries;

    /** @param zone of jobs that name none */
    Services(Database pool, Node node, DatabaseClock clock, String name, String zone, SignInMeans signIn) {
        this.pool = pool;
        this.node = node;
        this.clock = clock;
        this.name = name;
        this.zone = zone;
        this.signIn = signIn;
        this.store = new JobStore(pool, clock);
        this.queries = new JobQueries(pool);
    }

    ApiServices all(
            TaskOutputs outputs,
            AdminToken token,
            Admission admission,
            Alerts alerts,
            RequestMemory heap,
            Telemetry telemetry) {
        Jobs jobs = new Jobs(store, queries, zone, node::wake, users());
        Cluster cluster = cluster();
        return new ApiServices(
                jobs,
                new Tasks(new TaskQueries(pool), store, new RequestStore(pool), node, node::wake),
                new Reruns(new RerunQueries(pool), store, node::wake),
                new Backfills(new BackfillQueries(pool), store, node::wake),
                new Events(new EventQueries(pool), queries),
                outputs,
                new Previews(store, zone),
                cluster,
                new Groups(new GroupStore(pool), new TaskQueries(pool), node::wake),
                calendars(),
                new FreezeRequests(new FreezeStore(pool), node::freezesChanged),
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
        return new Plans(new ManyJobs(pool, clock), queries, zone, node::wake, users(), calendars());
    }

    private Calendars calendars() {
        return new Calendars(new CalendarStore(pool), new ManyJobs(pool, clock), node::wake);
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
                new GroupStore(pool),
                new AuditQueries(pool));
    }
}
