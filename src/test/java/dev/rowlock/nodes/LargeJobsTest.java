package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node with the heap that it is shipped with, which ends when that is used up, among jobs as large as jobs may be. */
@Tag("database")
@Tag("slow")
class LargeJobsTest {

    private static final int JOBS = 1_000;
    private static final int CLIENTS = 8;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @RegisterExtension
    static final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final Rows rows = new Rows(database);

    @Test
    void a_node_lists_a_thousand_large_jobs_for_many_at_once_runs_them_all_and_looks_through_their_zones()
            throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        try (NodeProcess first = NodeProcess.start(dir.resolve("first"), environment)) {
            first.awaitReady(LIMIT); // the schema is there
        }
        create("large", 60_000);
        rows.run("delete from setting where name = 'time-zone-data'");
        try (NodeProcess node = NodeProcess.start(dir.resolve("node"), environment);
                Clients clients = new Clients(node)) {
            node.awaitReady(LIMIT);
            List<CompletableFuture<Set<String>>> lists =
                    IntStream.range(0, CLIENTS).mapToObj(i -> clients.listAll()).toList();

            for (CompletableFuture<Set<String>> list : lists) {
                assertThat(list.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).hasSize(JOBS);
            }
            Until.holds(LIMIT, "all runs", () -> succeeded() == JOBS);
            Until.holds(LIMIT, "zone rules", () -> rows.count("setting where name = 'time-zone-data'") == 1);
            assertThat(node.isAlive()).as(node.log()).isTrue();
        }
    }

    private long succeeded() {
        return rows.count("task_history where outcome = 'SUCCEEDED'");
    }

    /** All of them are due at once, a little while from now. */
    private void create(String name, int bytes) {
        rows.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select n, 'default', concat('" + name + "-', n), 1, json_object('namespace', 'default', 'name',"
                + " concat('" + name + "-', n), 'schedule', '0 0 1 1 *', 'zone', 'Europe/Berlin', 'command',"
                + " concat('true #', repeat('x', " + bytes + "))), false, utc_timestamp(3), utc_timestamp(3) from "
                + Numbers.upTo(JOBS));
        rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, created_at from job");
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                + " select id, 1, id % 64, utc_timestamp(3) + interval 15 second, 1, 'MANUAL',"
                + " utc_timestamp(3) + interval 15 second, 'IDLE' from job");
        rows.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at)"
                + " select id, id, 1, id % 64, utc_timestamp(3) + interval 10 day,"
                + " utc_timestamp(3) + interval 10 day from job");
    }

    /** Clients that follow a list to its end. */
    private record Clients(NodeProcess node, ExecutorService threads) implements AutoCloseable {

        private static final ObjectMapper JSON = new ObjectMapper();

        Clients(NodeProcess node) {
            this(node, Executors.newFixedThreadPool(CLIENTS));
        }

        CompletableFuture<Set<String>> listAll() {
            return CompletableFuture.supplyAsync(this::list, threads);
        }

        private Set<String> list() {
            Set<String> names = new HashSet<>();
            String cursor = "";
            do {
                JsonNode page = page("/api/v1/jobs?limit=1000" + cursor);
                List<String> found = new ArrayList<>();
                page.path("items").forEach(job -> found.add(job.path("name").asText()));
                assertThat(names).doesNotContainAnyElementsOf(found);
                names.addAll(found);
                cursor = page.path("nextCursor").isTextual()
                        ? "&cursor=" + page.path("nextCursor").asText()
                        : "";
            } while (!cursor.isEmpty());
            return names;
        }

        private JsonNode page(String path) {
            try {
                return JSON.readTree(node.get(path).body());
            } catch (IOException e) {
                throw new IllegalStateException(path, e);
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
