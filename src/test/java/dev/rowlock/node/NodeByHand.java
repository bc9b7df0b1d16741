package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Precondition;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node driven by hand, what it finds in the database, and what people ask of its jobs. */
@Tag("database")
abstract class NodeByHand {

    static final JobKey KEY = new JobKey("default", "j");
    static final Precondition ANY = Precondition.NONE;

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    Playground playground;
    Rows rows;
    Database database;
    Jobs jobs;
    HandDrivenNode a;

    @BeforeEach
    void join() {
        playground = new Playground(server, dir);
        rows = playground.rows;
        database = Database.single(playground.address(), Duration.ofSeconds(5));
        jobs = new Jobs(new JobStore(database), new JobQueries(database), () -> {});
        a = playground.joined("a", playground.address());
    }

    @AfterEach
    void close() throws IOException {
        database.close();
        playground.close();
    }

    /** One that is not due for long. */
    void createYearlyJob() {
        jobs.create(JsonNodeFactory.instance
                .objectNode()
                .put("name", "j")
                .put("schedule", "0 0 1 1 *")
                .put("command", "true"));
    }

    void saveAgain(String job) {
        new JobStore(database)
                .change(
                        new JobKey("default", job),
                        "mending",
                        change -> change.save(change.job().stored()));
    }

    /** That many tasks of jobs of their own, executing; answers the id of one of them. */
    long started(int jobs) {
        for (int i = 0; i < jobs; i++) {
            rows.task(playground.job("j" + i, "0 0 1 1 *"), -50, true);
        }
        a.schedule();
        assertThat(a.processes.started).hasSize(jobs);
        return Long.parseLong(String.valueOf(rows.one("select min(id) from live_task where state = 'EXECUTING'")));
    }

    void occupyHistory(long id) {
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome, ended_at, "
                        + "last_fire_time) values (" + id
                        + ", 1, 'n', 'j', 1, '2020-01-01', 'node:x', 1, 'SCHEDULE', 'LOST', '2020-01-01', '2020-01-01')");
    }
}
