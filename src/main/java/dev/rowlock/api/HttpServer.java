package dev.rowlock.api;

import dev.rowlock.access.Admission;
import dev.rowlock.access.Shares;
import dev.rowlock.access.request.SessionRoutes;
import dev.rowlock.access.request.SignInRoutes;
import dev.rowlock.access.request.TokenRoutes;
import dev.rowlock.access.request.Tokens;
import dev.rowlock.access.signin.IdentityProvider;
import dev.rowlock.access.signin.SignIns;
import dev.rowlock.alert.request.AlertRoutes;
import dev.rowlock.alert.request.Alerts;
import dev.rowlock.freeze.request.FreezeRequests;
import dev.rowlock.freeze.request.FreezeRoutes;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.ClientPace;
import dev.rowlock.http.ConnectionLimit;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.HostCheck;
import dev.rowlock.http.HttpConnections;
import dev.rowlock.http.HttpTls;
import dev.rowlock.http.JettyErrors;
import dev.rowlock.http.Json;
import dev.rowlock.http.Patience;
import dev.rowlock.http.Problems;
import dev.rowlock.http.RequestCounts;
import dev.rowlock.http.RequestIds;
import dev.rowlock.http.RequestLimit;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestShares;
import dev.rowlock.http.SignInCheck;
import dev.rowlock.http.SmallBodies;
import dev.rowlock.job.JobRoutes;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.PauseRoutes;
import dev.rowlock.job.backfill.BackfillRoutes;
import dev.rowlock.job.backfill.Backfills;
import dev.rowlock.job.calendar.CalendarRoutes;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.group.GroupRoutes;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.plan.PlanRoutes;
import dev.rowlock.job.plan.Plans;
import dev.rowlock.job.version.VersionRoutes;
import dev.rowlock.job.version.Versions;
import dev.rowlock.report.AuditRoutes;
import dev.rowlock.report.AuditTrail;
import dev.rowlock.report.Cluster;
import dev.rowlock.report.ClusterRoutes;
import dev.rowlock.report.ForecastRoutes;
import dev.rowlock.report.HealthRoutes;
import dev.rowlock.report.ReadinessChecks;
import dev.rowlock.report.ReportRoutes;
import dev.rowlock.report.Reports;
import dev.rowlock.report.event.EventHub;
import dev.rowlock.report.event.EventRoutes;
import dev.rowlock.report.event.Events;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.explain.ExplainRoutes;
import dev.rowlock.report.metrics.Telemetry;
import dev.rowlock.report.metrics.TelemetryRoutes;
import dev.rowlock.schedule.preview.Previews;
import dev.rowlock.schedule.preview.ScheduleRoutes;
import dev.rowlock.secret.request.SecretRoutes;
import dev.rowlock.secret.request.Secrets;
import dev.rowlock.task.request.RerunRoutes;
import dev.rowlock.task.request.Reruns;
import dev.rowlock.task.request.TaskOutputs;
import dev.rowlock.task.request.TaskRoutes;
import dev.rowlock.task.request.Tasks;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP server: admission and dispatch to endpoints. Jetty closes connections that are silent for 30 s. */
public final class HttpServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);

    /** Threads that the server itself keeps busy; by default their number depends on the machine. */
    private static final int ACCEPTORS = 1;

    private static final int SELECTORS = 2;
    private static final int HANDED_ON = 2;

    /** Threads for the health endpoints: other requests never take them for long. */
    private static final int HEALTH = 8;

    /** Header by which Javalin lets a client override the method, unseen by the checks before it. */
    private static final String OTHER_METHOD = "X-HTTP-Method-Override";

    /** Broken percent escape. Behind a semicolon the server does not look for one, but the routes do. */
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private final HttpSettings settings;
    private final Callers callers;
    private final SignInCheck signInCheck;
    private final HostCheck hosts;
    private final ConnectionLimit connections;
    private final TaskOutputs outputs;
    private final EventHub events;
    private final Javalin javalin;
    private List<Endpoints.Route> table = List.of();

    /**
     * @param port 0: any free one
     * @param tls null: it speaks plain text
     * @param allowedHosts names, or name:port, that requests may use for this server besides its address
     * @param requests how many requests to the API are served at once; more are asked to come again
     * @param connections how many there may be; a further one ends the one that was idle the longest
     */
    public record HttpSettings(
            String host,
            int port,
            @Nullable HttpTls tls,
            List<String> allowedHosts,
            int maxBodyBytes,
            int requests,
            int connections,
            Patience patience) {

        public HttpSettings {
            allowedHosts = List.copyOf(allowedHosts);
            if (requests < 4) {
                throw new IllegalArgumentException("at least 4 requests must be served at once, not " + requests);
            }
        }
    }

    /** @param refusedHere whether a token that is not the cluster's is the one in this node's settings */
    public record ApiServices(
            Jobs jobs,
            Tasks tasks,
            Reruns reruns,
            Backfills backfills,
            Events events,
            TaskOutputs outputs,
            Previews previews,
            Cluster cluster,
            Groups groups,
            Calendars calendars,
            FreezeRequests freezes,
            Secrets secrets,
            Versions versions,
            Plans plans,
            Reports reports,
            Explain explain,
            Tokens tokens,
            AuditTrail audit,
            Alerts alerts,
            Admission access,
            SignInMeans signIn,
            Predicate<String> refusedHere,
            ReadinessChecks readiness,
            Executor health,
            RequestMemory heap,
            Telemetry telemetry) {}

    /**
     * Means of signing in.
     *
     * @param provider null: with tokens only
     */
    public record SignInMeans(SignIns signIns, @Nullable IdentityProvider provider) {}

    public HttpServer(HttpSettings settings, ApiServices services) {
        this.settings = settings;
        this.signInCheck = new SignInCheck(services.signIn().signIns());
        this.callers = new Callers(services.access(), signInCheck, services.refusedHere());
        this.outputs = services.outputs();
        this.events = new EventHub(services.events(), EventRoutes::text, System::nanoTime);
        this.connections = new ConnectionLimit(settings.connections(), System::nanoTime);
        this.hosts = new HostCheck(settings.host(), settings.allowedHosts());
        this.javalin = Javalin.create(config -> {
            jetty(config, services.telemetry().requests());
            routes(config, services);
        });
    }

    /** Starts to listen. Throws if the address cannot be bound. */
    public void start() {
        javalin.start();
        if (settings.tls() != null) {
            settings.tls().watch(javalin.jettyServer().server().getConnectors()[0]);
        }
    }

    /** Returns every endpoint, with the permission that it requires. */
    List<Endpoints.Route> table() {
        return table;
    }

    /** Returns the port it listens on. */
    public int port() {
        return javalin.port();
    }

    /** Stops listening. Requests get a moment to end; followers of output or events are dismissed. */
    @Override
    public void close() {
        outputs.close();
        events.close();
        try {
            // Not by way of Javalin, which makes an error of a request that takes longer than its moment.
            javalin.jettyServer().server().stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            log.warn("requests that waited for something else were cut off: {}", e.toString());
        }
    }

    private void jetty(JavalinConfig config, RequestCounts requests) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.defaultContentType = Json.PLAIN;
        config.router.ignoreTrailingSlashes = false;
        config.jetty.threadPool = threads();
        config.jetty.addConnector(this::connector);
        config.jetty.modifyServletContextHandler(handler -> addFilters(handler, requests));
        config.jetty.modifyHttpConfiguration(http -> {
            http.setSendServerVersion(false);
            http.setSendXPoweredBy(false);
            http.setSendDateHeader(true);
            http.setRequestHeaderSize(16 * 1024);
            http.setOutputAggregationSize(Answers.SMALL);
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JettyErrors());
            server.setHandler(new ClientPace(settings.patience(), new SmallBodies()));
            server.setStopTimeout(2_000);
        });
    }

    private void routes(JavalinConfig config, ApiServices services) {
        RequestCounts requests = services.telemetry().requests();
        config.requestLogger.http((ctx, millis) -> TelemetryRoutes.note(requests, ctx, millis));
        Problems.register(config.routes);
        config.routes.before(this::admit);
        RequestShares shares = new RequestShares(settings.requests(), requests);
        register(new Endpoints(config.routes, services.heap(), settings.maxBodyBytes(), shares), services);
    }

    private void addFilters(ServletContextHandler handler, RequestCounts requests) {
        EnumSet<DispatcherType> each = EnumSet.of(DispatcherType.REQUEST);
        handler.addFilter(new FilterHolder(connections), "/*", each);
        handler.addFilter(new FilterHolder(new RequestIds()), "/*", each);
        FilterHolder limit = new FilterHolder(new RequestLimit(settings.requests(), requests));
        handler.addFilter(limit, "/*", each);
    }

    private void register(Endpoints endpoints, ApiServices services) {
        RequestMemory heap = services.heap();
        new JobRoutes(services.jobs(), services.tasks(), services.previews(), heap, settings.maxBodyBytes())
                .register(endpoints);
        new PauseRoutes(services.jobs(), settings.maxBodyBytes()).register(endpoints);
        new VersionRoutes(services.versions(), settings.maxBodyBytes()).register(endpoints);
        new PlanRoutes(services.plans(), settings.maxBodyBytes()).register(endpoints);
        new RerunRoutes(services.reruns(), settings.maxBodyBytes()).register(endpoints);
        new BackfillRoutes(services.backfills(), settings.maxBodyBytes()).register(endpoints);
        Shares streams = new Shares("event streams", settings.requests() / 4);
        new EventRoutes(events, services.tasks(), streams, heap, System::nanoTime).register(endpoints);
        new TaskRoutes(services.tasks(), services.outputs(), services.previews(), heap, settings.requests() / 2)
                .register(endpoints);
        new ScheduleRoutes(services.previews(), settings.maxBodyBytes()).register(endpoints);
        new ClusterRoutes(services.cluster(), settings.maxBodyBytes()).register(endpoints);
        new GroupRoutes(services.groups(), settings.maxBodyBytes()).register(endpoints);
        new CalendarRoutes(services.calendars(), settings.maxBodyBytes()).register(endpoints);
        new FreezeRoutes(services.freezes(), settings.maxBodyBytes()).register(endpoints);
        new SecretRoutes(services.secrets(), settings.maxBodyBytes()).register(endpoints);
        new ReportRoutes(services.reports()).register(endpoints);
        new ForecastRoutes(services.reports().forecasts(), heap).register(endpoints);
        new ExplainRoutes(services.explain()).register(endpoints);
        new TokenRoutes(services.tokens(), settings.maxBodyBytes()).register(endpoints);
        new AuditRoutes(services.audit(), services.previews(), heap).register(endpoints);
        new AlertRoutes(services.alerts(), settings.maxBodyBytes()).register(endpoints);
        new TelemetryRoutes(services.telemetry(), services.access()).register(endpoints);
        new SessionRoutes(services.access(), services.signIn().signIns(), signInCheck).register(endpoints);
        new SignInRoutes(services.signIn().signIns(), services.signIn().provider()).register(endpoints);
        new HealthRoutes(services.readiness(), services.health()).register(endpoints);
        new ContractRoutes().register(endpoints);
        new PageRoutes().register(endpoints);
        endpoints.close();
        this.table = endpoints.table();
    }

    private QueuedThreadPool threads() {
        QueuedThreadPool threads =
                new QueuedThreadPool(settings.requests() + HEALTH + ACCEPTORS + SELECTORS + HANDED_ON, 8);
        threads.setReservedThreads(HANDED_ON);
        threads.setName("http");
        return threads;
    }

    private ServerConnector connector(Server server, HttpConfiguration http) {
        HttpConnections plain = new HttpConnections(http);
        ConnectionFactory[] spoken = {plain};
        if (settings.tls() != null) {
            // Which names are answered for is the business of the host check, whatever the certificate says.
            http.addCustomizer(new SecureRequestCustomizer(false));
            spoken = new ConnectionFactory[] {settings.tls().connections(plain.getProtocol()), plain};
        }
        ServerConnector connector = new ServerConnector(server, null, null, null, ACCEPTORS, SELECTORS, spoken);
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.addBean(connections);
        return connector;
    }

    private void admit(Context ctx) {
        hosts.check(ctx);
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Cache-Control", "no-store");
        if (!ctx.method().isHttpMethod()) {
            throw new ApiProblem(405, "there is no method " + ctx.method()); // Javalin calls handlers so
        }
        if (BROKEN_ESCAPE.matcher(ctx.req().getRequestURI()).find()) {
            throw new ApiProblem(400, "the path has a % without two hexadecimal digits; write %25 for the sign itself");
        }
        if (ctx.header(OTHER_METHOD) != null) {
            throw ApiProblem.of(400, OTHER_METHOD, "is not taken: send the request with the method that you mean");
        }
        if (ctx.path().equals("/api") || ctx.path().startsWith("/api/")) {
            if (!SessionRoutes.isSignIn(ctx)) {
                callers.identify(ctx);
            }
        }
    }
}
