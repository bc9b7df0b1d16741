package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Pause;
import dev.rowlock.freeze.FreezeRequest;
import dev.rowlock.freeze.request.FreezeRequests;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.freeze.store.FreezeStore.FreezeAt;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.EndOfPauses;
import dev.rowlock.job.JobView;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.backfill.BackfillTurns;
import dev.rowlock.job.backfill.Backfills;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.calendar.FollowingJobs;
import dev.rowlock.job.store.EndingPauses;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.report.explain.Explain;
import dev.rowlock.report.verify.Accounting;
import dev.rowlock.report.verify.Accounting.AccountingLimits;
import dev.rowlock.report.verify.Accounting.AccountingScope;
import dev.rowlock.report.verify.AccountingQueries;
import dev.rowlock.report.verify.AccountingResult;
import dev.rowlock.support.BrokenLinks;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.request.Reruns;
import dev.rowlock.task.request.RunningCommands;
import dev.rowlock.task.request.Tasks;
import dev.rowlock.task.rerun.RequestStore;
import dev.rowlock.task.rerun.RerunQueries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Nodes driven by hand, and what people ask of its jobs, on a database whose time the test decides. */
final class PlayedCluster implements AutoCloseable {

    final Playground playground;
    final Rows rows;
    final PlayedTime time;
    final Jobs jobs;
    final CalendarStore calendarRows;
    final Calendars calendars;
    final FollowingJobs following;
    final Tasks tasks;
    final Reruns reruns;
    final FreezeRequests freezes;
    final Backfills backfills;
    private final BackfillTurns turns;
    final NodeSettings settings;
    private final Map<String, EndOfPauses> endsOfPauses = new LinkedHashMap<>();
    private final Database database;
    private final Path dir;
    private final int capacity;
    private final Map<String, HandDrivenNode> nodes = new LinkedHashMap<>();

    /** With one node that has room for everything. */
    PlayedCluster(TestDatabase server, Path dir, Instant start) {
        this(server, dir, start, 50);
        join("a");
    }

    /** Without any node, but each will have this capacity. */
    PlayedCluster(TestDatabase server, Path dir, Instant start, int capacity) {
        this.dir = dir;
        this.capacity = capacity;
        playground = new Playground(server, dir);
        rows = playground.rows;
        time = new PlayedTime(start);
        database = Database.single(playground.address(), Duration.ofSeconds(30));
        time.rules(database);
        JobStore store = new JobStore(database);
        settings = new NodeSettings(database);
        jobs = new Jobs(store, new JobQueries(database), () -> {});
        ManyJobs many = new ManyJobs(database, null);
        calendarRows = new CalendarStore(database);
        calendars = new Calendars(calendarRows, many, () -> {});
        following = new FollowingJobs(calendarRows, many);
        freezes = new FreezeRequests(
                new FreezeStore(database),
                () -> nodes().stream()
                        .limit(1)
                        .forEach(asked -> asked.context().freezes().doubt()));
        reruns = new Reruns(new RerunQueries(database), store, () -> {});
        backfills = new Backfills(new BackfillQueries(database), store, () -> {});
        turns = new BackfillTurns(database);
        tasks = new Tasks(new TaskQueries(database), store, new RequestStore(database), new NothingHere(), () -> {});
    }

    /** A fresh life of the node of this name. */
    void join(String name) {
        join(name, Map.of());
    }

    /** Likewise, configured with these labels. */
    void join(String name, Map<String, String> labels) {
        join(name, new HandDrivenNode(name, playground.address(), dir, capacity, labels));
    }

    /** Likewise, with settings of its own. */
    void join(EngineSettings settings) {
        join(settings.node(), new HandDrivenNode(playground.address(), dir, settings));
    }

    private void join(String name, HandDrivenNode fresh) {
        playground.nodes.add(fresh);
        nodes.put(name, fresh);
        time.rules(fresh);
        time.hold();
        fresh.keeper.runOnce();
        assertThat(fresh.lease.current()).isPresent();
        nodes().forEach(node -> node.keeper.runOnce());
    }

    HandDrivenNode node(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    /** Of the only node. */
    String name() {
        return nodes.keySet().iterator().next();
    }

    List<HandDrivenNode> nodes() {
        return List.copyOf(nodes.values());
    }

    void put(String name, String fields) {
        time.hold();
        jobs.put(new JobKey("default", name), json("{\"command\": \"true\", " + fields + "}"), Precondition.NONE);
    }

    void command(String name, String command) {
        time.hold();
        jobs.patch(new JobKey("default", name), json("{\"command\": \"" + command + "\"}"), Precondition.NONE);
    }

    void pause(String name) {
        time.hold();
        jobs.setPaused(new JobKey("default", name), true, Precondition.NONE);
    }

    void pauseUntil(String name, Instant until) {
        time.hold();
        jobs.pauses().pause(new JobKey("default", name), new Pause(until, "maintenance"), Precondition.NONE);
    }

    /** What a node does when it looks for pauses that are over. */
    Duration endPauses(String node) {
        time.hold();
        HandDrivenNode on = Objects.requireNonNull(nodes.get(node));
        return endsOfPauses
                .computeIfAbsent(
                        node, any -> new EndOfPauses(new EndingPauses(database), new ManyJobs(database, on.clock)))
                .resume();
    }

    /** How many statements were sent for what people ask, and for ends of pauses. */
    long statements() {
        return database.autoCommit(
                "counting statements",
                handle -> handle.createQuery("show session status like 'Questions'")
                        .map((row, context) -> row.getLong(2))
                        .one());
    }

    /** Makes a freeze, and returns its id. */
    long freeze(String fields) {
        time.hold();
        return freezes.add(FreezeRequest.parse(json("{" + fields + "}")))
                .freeze()
                .id();
    }

    void changeFreeze(long id, String fields) {
        time.hold();
        FreezeAt unused = freezes.change(id, FreezeRequest.change(json("{" + fields + "}")));
    }

    void endFreeze(long id) {
        time.hold();
        freezes.end(id);
    }

    JobView job(String name) {
        time.hold();
        return jobs.get(new JobKey("default", name));
    }

    void resume(String name) {
        time.hold();
        jobs.setPaused(new JobKey("default", name), false, Precondition.NONE);
    }

    void reschedule(String name) {
        time.hold();
        jobs.reschedule(new JobKey("default", name), Precondition.NONE);
    }

    void delete(String name) {
        time.hold();
        jobs.delete(new JobKey("default", name), Precondition.NONE);
    }

    /** Time goes by with the nodes at work, their commands ending after each stretch. */
    void work(Duration by, Duration stretch) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(stretch)) {
            time.advance(stretch);
            round();
        }
    }

    /** What a node does for backfills that wait. */
    int takeTurns() {
        time.hold();
        return turns.take();
    }

    /** Time goes by, second by second, and a node does nothing but renew its session. */
    void beat(HandDrivenNode node, Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plusSeconds(1)) {
            time.advance(Duration.ofSeconds(1));
            node.keeper.runOnce();
        }
    }

    /** What the nodes do for tasks that wait. */
    void waits() {
        for (HandDrivenNode node : nodes()) {
            time.hold();
            node.waits.runOnce();
        }
    }

    /** Time goes by with nobody there. */
    void sleep(Duration by) {
        time.advance(by);
    }

    void round() {
        for (HandDrivenNode node : nodes()) {
            time.hold();
            Playground.round(node);
            time.hold();
            node.schedule();
        }
    }

    /** The node dies with all that it runs. */
    void crash(String name) {
        HandDrivenNode dead = Objects.requireNonNull(nodes.remove(name));
        time.forget(dead);
        playground.nodes.remove(dead);
        dead.close();
    }

    List<AccountingResult> verify() {
        return verify(new AccountingScope(null, null, null), AccountingLimits.DEFAULT);
    }

    List<AccountingResult> verify(AccountingScope scope, AccountingLimits limits) {
        time.hold();
        List<AccountingResult> accounts = new ArrayList<>();
        new Accounting(new AccountingQueries(database), Duration.ZERO, limits).check(scope, accounts::add);
        return accounts;
    }

    /** As monitoring would ask. */
    long brokenLinks(Duration window) {
        time.hold();
        return BrokenLinks.count(database, window);
    }

    void addsUp() {
        assertThat(verify()).filteredOn(account -> !account.addsUp()).isEmpty();
    }

    Explain explain() {
        time.hold();
        return ExplainedHistory.explain(database);
    }

    /** Rows of history, the newest ones, that are explained otherwise than they ended. */
    List<String> unexplained() {
        time.hold();
        return new ExplainedHistory(rows, database).disagreements("order by id desc limit 400");
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @Override
    public void close() throws IOException {
        database.close();
        playground.close();
    }

    /** As asked from another host. */
    private static final class NothingHere implements RunningCommands {
        @Override
        public Optional<CommandOutput> output(LaunchId launch) {
            return Optional.empty();
        }

        @Override
        public void kill(LaunchId launch) {}
    }
}
