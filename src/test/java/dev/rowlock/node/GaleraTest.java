package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.access.TokenStore;
import dev.rowlock.audit.Audit;
import dev.rowlock.chaos.GaleraServer;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Locks;
import dev.rowlock.db.Servers;
import dev.rowlock.db.TaskIds;
import dev.rowlock.db.schema.Migrations;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.Rows;
import dev.rowlock.task.query.TaskQueries;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes driven by hand on a real Galera cluster, each on its own member: locks of one member do not hold on another. */
@Tag("slow")
class GaleraTest {

    private static final int ROUNDS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JobKey LEFT = new JobKey("default", "left");
    private static final JobKey RIGHT = new JobKey("default", "right");

    private static GaleraServer galera;
    private static int schemas;

    @TempDir
    Path dir;

    private String schema;
    private Rows rows;

    @BeforeAll
    static void startCluster() throws IOException {
        galera = GaleraServer.start(true);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        galera.close();
    }

    /** Migrates an empty schema from two members at once. */
    @BeforeEach
    void migrate() {
        schema = "rowlock_" + ++schemas;
        new Rows(() -> DriverManager.getConnection(url(0, ""), "root", "")).run("create database " + schema);
        rows = new Rows(
                () -> DriverManager.getConnection(url(0, schema) + "&sessionVariables=wsrep_sync_wait=1", "root", ""));
        Rows elsewhere = new Rows(
                () -> DriverManager.getConnection(url(1, "") + "&sessionVariables=wsrep_sync_wait=1", "root", ""));
        assertThat(elsewhere.count("information_schema.schemata where schema_name = '" + schema + "'"))
                .as("members apply what others did some time later")
                .isEqualTo(1);
        together(() -> Migrations.run(new Servers(address(0))), () -> Migrations.run(new Servers(address(1))));
    }

    @Test
    void nodes_that_start_on_two_members_bring_the_schema_up_to_date_once() {
        assertThat(rows.one("select count(*) = count(distinct version) and min(success) = 1 from rowlock_schema_history"
                        + " where type = 'SQL'"))
                .isEqualTo("1");
        assertThat(rows.count("cluster_lock")).isEqualTo(65);
    }

    /** Of two members, one of which lags behind, the first to take a block has it. */
    @Test
    void nodes_on_two_members_never_take_the_same_ids() {
        Set<Long> given = ConcurrentHashMap.newKeySet();
        AtomicInteger all = new AtomicInteger();
        together(() -> takeIds(0, given, all), () -> takeIds(1, given, all));

        assertThat(given).hasSize(all.get());
    }

    private void takeIds(int member, Set<Long> given, AtomicInteger all) {
        try (Database database = Database.single(address(member), PATIENCE)) {
            for (int i = 0; i < 20; i++) {
                List<Long> ids = database.autoCommit("taking ids", handle -> TaskIds.next(handle, 400));
                given.addAll(ids);
                all.addAndGet(ids.size());
            }
        }
    }

    @Test
    void of_two_decisions_under_one_lock_row_on_two_members_the_second_is_made_again() {
        rows.run("create table decided (id int primary key)");
        AtomicInteger made = new AtomicInteger();
        try (Database first = Database.single(address(0), PATIENCE);
                Database second = Database.single(address(1), PATIENCE)) {
            first.transact("deciding", handle -> {
                Locks.stripes(handle, Set.of(3));
                if (made.incrementAndGet() == 1) {
                    second.transact("deciding at the same time", other -> {
                        Locks.stripes(other, Set.of(3));
                        return other.execute("insert into decided values (1)");
                    });
                }
                return handle.execute("insert into decided values (2)");
            });
        }
        assertThat(made).hasValue(2);
        assertThat(rows.count("decided")).isEqualTo(2);
    }

    @Test
    void a_group_of_one_runs_one_at_a_time_though_each_of_its_jobs_has_a_node_on_another_member() throws Exception {
        try (Two nodes = new Two()) {
            new Groups(new GroupStore(nodes.first), new TaskQueries(nodes.first), () -> {})
                    .put("g", new GroupDefinition(1, ""));
            nodes.create(LEFT, "\"group\": \"g\", \"nodes\": \"side=left\"");
            nodes.create(RIGHT, "\"group\": \"g\", \"nodes\": \"side=right\"");
            oneAtATime(nodes, LEFT, RIGHT);
        }
    }

    @Test
    void a_queue_runs_one_at_a_time_and_none_waits_for_ever_though_its_runs_are_on_two_members() throws Exception {
        try (Two nodes = new Two()) {
            nodes.create(LEFT, "\"overlap\": \"QUEUE\"");
            oneAtATime(nodes, LEFT, LEFT);
        }
    }

    /** Two runs in each round, for which both nodes look at the same moment. */
    private void oneAtATime(Two nodes, JobKey one, JobKey other) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            nodes.jobs.run(one, null);
            nodes.jobs.run(other, null);
            Until.holds(PATIENCE, "both to have run", () -> {
                together(() -> oneAtATime(nodes.left), () -> oneAtATime(nodes.right));
                return rows.count("live_task") == 0;
            });
        }
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(2 * ROUNDS);
        assertThat(nodes.left.processes.started.size() + nodes.right.processes.started.size())
                .isEqualTo(2 * ROUNDS);
    }

    private void oneAtATime(HandDrivenNode node) {
        go(node);
        assertThat(rows.count("live_task where state = 'EXECUTING'")).isLessThan(2);
        finish(node);
    }

    /** What a node does between two commands. */
    private static void go(HandDrivenNode node) {
        node.keeper.runOnce();
        node.waits.runOnce();
        node.schedule();
    }

    /** What runs succeeds, and is recorded. */
    private static void finish(HandDrivenNode node) {
        node.processes.end(0);
        node.recorder.runOnce();
    }

    @Test
    void a_node_that_is_drained_through_another_member_runs_nothing_twice() throws Exception {
        try (Two nodes = new Two();
                Database second = Database.single(address(1), PATIENCE)) {
            NodeSettings settings = new NodeSettings(second);
            nodes.create(LEFT, "\"nodes\": \"side=left\"");
            for (int round = 0; round < ROUNDS; round++) {
                nodes.jobs.run(LEFT, null);
                together(
                        () -> go(nodes.left),
                        () -> settings.change("left", (NodeSetting s) -> s.withDrained(true), Audit.NONE));
                assertThat(rows.count("live_task where state = 'EXECUTING'"))
                        .as("what was started is known, and what was given back is not started")
                        .isEqualTo(nodes.left.processes.of("default/left").size());
                settings.change("left", (NodeSetting s) -> s.withDrained(false), Audit.NONE);
                Until.holds(PATIENCE, "it to have run", () -> {
                    go(nodes.left);
                    finish(nodes.left);
                    return rows.count("live_task") == 0;
                });
            }
            assertThat(nodes.left.processes.started).hasSize(ROUNDS);
            assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(ROUNDS);
        }
    }

    @Test
    void a_group_is_not_deleted_while_a_job_that_names_it_is_saved_through_another_member() throws Exception {
        try (Database first = Database.single(address(0), PATIENCE);
                Database second = Database.single(address(1), PATIENCE)) {
            GroupStore groups = new GroupStore(first);
            Jobs jobs = new Jobs(new JobStore(second), new JobQueries(second), () -> {});
            for (int round = 0; round < ROUNDS; round++) {
                String name = "g" + round;
                groups.put(name, new GroupDefinition(1, ""), any -> {}, Audit.NONE);
                Until.holds(
                        PATIENCE,
                        "the group to be there",
                        () -> new GroupStore(second).find(name).isPresent());
                together(() -> groups.delete(name, any -> {}, Audit.NONE), () -> saveUnlessRefused(jobs, name));
            }
        }
        assertThat(rows.count("job j left join job_group g"
                        + " on g.name = json_unquote(json_extract(j.definition, '$.group')) where g.name is null"))
                .isZero();
    }

    private static void saveUnlessRefused(Jobs jobs, String group) {
        try {
            jobs.create(PlayedCluster.json("{\"name\": \"of-" + group
                    + "\", \"schedule\": \"@manual\", \"command\": \"true\", \"group\": \"" + group + "\"}"));
        } catch (InvalidDefinition e) {
            assertThat(e.problems()).extracting(FieldProblem::field).containsExactly("group");
        }
    }

    @Test
    void two_administrators_cannot_both_be_deleted_through_two_members() throws Exception {
        try (Database first = Database.single(address(0), PATIENCE);
                Database second = Database.single(address(1), PATIENCE)) {
            TokenStore one = new TokenStore(first);
            TokenStore other = new TokenStore(second);
            for (int round = 0; round < ROUNDS; round++) {
                one.replace("a", hash(round), Audit.NONE);
                one.replace("b", hash(round + ROUNDS), Audit.NONE);
                Until.holds(PATIENCE, "both to be there", () -> other.known().size() == 2);
                together(() -> one.delete("a", false, Audit.NONE), () -> other.delete("b", false, Audit.NONE));
                assertThat(rows.count("api_token where role = 'admin'")).isEqualTo(1);
            }
        }
    }

    private static String hash(int number) {
        return String.format(Locale.ROOT, "%064x", number);
    }

    /** A node on each of two members, and what people ask of their jobs. */
    private final class Two implements AutoCloseable {
        private final HandDrivenNode left = new HandDrivenNode("left", address(0), dir, 50, Map.of("side", "left"));
        private final HandDrivenNode right = new HandDrivenNode("right", address(1), dir, 50, Map.of("side", "right"));
        private final Database first = Database.single(address(0), PATIENCE);
        private final Jobs jobs = new Jobs(new JobStore(first), new JobQueries(first), () -> {});

        Two() {
            left.keeper.runOnce();
            right.keeper.runOnce();
            assertThat(left.lease.current()).isPresent();
            assertThat(right.lease.current()).isPresent();
        }

        void create(JobKey key, String fields) {
            jobs.create(PlayedCluster.json("{\"name\": \"" + key.name()
                    + "\", \"schedule\": \"@manual\", \"command\": \"true\", " + fields + "}"));
        }

        @Override
        public void close() throws IOException {
            left.close();
            right.close();
            first.close();
        }
    }

    private static void together(Runnable... steps) {
        CompletableFuture.allOf(
                        Stream.of(steps).map(CompletableFuture::runAsync).toArray(CompletableFuture[]::new))
                .join();
    }

    private DatabaseAddress address(int member) {
        return new DatabaseAddress(url(member, schema), "root", "");
    }

    private static String url(int member, String schema) {
        return "jdbc:mysql://127.0.0.1:" + (galera.port() + member) + "/" + schema
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }
}
