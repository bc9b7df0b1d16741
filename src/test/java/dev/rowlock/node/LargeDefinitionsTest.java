package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.store.Definitions;
import dev.rowlock.node.scheduler.DefinitionCache;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.store.JobAtVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose definitions are more than memory is to hold at once. */
@Tag("database")
class LargeDefinitionsTest {

    private static final int JOBS = 45;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private Rows rows;

    @BeforeEach
    void open() {
        playground = new Playground(SERVER, dir);
        rows = playground.rows;
        for (int i = 0; i < JOBS; i++) {
            rows.task(playground.job("j" + i, "0 0 1 1 *"), -100 + i, true);
        }
        for (String table : List.of("job", "job_version")) {
            rows.run("update " + table
                    + " set definition = json_set(definition, '$.env', json_object('A', repeat('x', 30000),"
                    + " 'B', repeat('x', 30000), 'C', repeat('x', 30000), 'D', repeat('x', 30000), 'E', repeat('x', 30000),"
                    + " 'F', repeat('x', 30000), 'G', repeat('x', 30000)))");
        }
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void they_are_read_a_part_at_a_time_and_all_of_them_are_reached() {
        try (Database database = Database.single(playground.address(), Duration.ofSeconds(10))) {
            List<Integer> read = new ArrayList<>();
            DefinitionCache definitionCache = new DefinitionCache(
                    new Definitions(database),
                    stored -> {
                        read.set(read.size() - 1, read.get(read.size() - 1) + 1);
                        return DefinitionCache.parse(stored);
                    },
                    System::nanoTime);
            List<JobAtVersion> wanted = rows.all("select id from job order by id").stream()
                    .map(row -> new JobAtVersion(Long.parseLong(String.valueOf(row.get("id"))), 1))
                    .toList();
            Set<Long> reached = new HashSet<>();
            while (reached.size() < JOBS) {
                List<JobAtVersion> left = wanted.stream()
                        .filter(w -> !reached.contains(w.jobId()))
                        .toList();
                read.add(0);
                Set<Long> unread = definitionCache.load(left);
                assertThat(unread).hasSizeLessThan(left.size());
                left.stream().filter(w -> !unread.contains(w.jobId())).forEach(w -> {
                    assertThat(definitionCache.find(w.jobId(), 1)).isPresent();
                    reached.add(w.jobId());
                });
            }

            assertThat(read)
                    .hasSizeBetween(3, 6)
                    .allSatisfy(part -> assertThat(part).isBetween(1, 21));
            assertThat(read.stream().mapToInt(Integer::intValue).sum()).isEqualTo(JOBS);
        }
    }

    @Test
    void jobs_that_are_gone_are_not_left_for_later() {
        try (Database database = Database.single(playground.address(), Duration.ofSeconds(10))) {
            DefinitionCache definitionCache =
                    new DefinitionCache(new Definitions(database), DefinitionCache::parse, System::nanoTime);

            assertThat(definitionCache.load(LongStream.of(-1, -2)
                            .mapToObj(id -> new JobAtVersion(id, 1))
                            .toList()))
                    .isEmpty();
        }
    }

    @Test
    void all_of_them_run() {
        HandDrivenNode a = playground.joined("a", playground.address());

        a.schedule();

        assertThat(a.processes.started.stream().map(LaunchSpec::launchId)).hasSize(JOBS);
        assertThat(rows.count("live_task where state = 'EXECUTING'")).isEqualTo(JOBS);
    }

    @Test
    void another_node_takes_all_of_them_over() {
        HandDrivenNode dead = playground.joined("dead", playground.address());
        HandDrivenNode b = playground.joined("b", playground.address());
        rows.run(
                "insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, session_id,"
                        + " launch_id) select task_id, job_id, job_version, stripe, utc_timestamp(3) - interval 5 second, 1, 'SCHEDULE',"
                        + " utc_timestamp(3) - interval 5 second, 'PREPARED', '" + dead.session() + "', concat('"
                        + dead.session()
                        + "-', task_id) from job_next");
        rows.run("delete from job_next");

        b.schedule();

        assertThat(b.processes.started).hasSize(JOBS);
    }
}
