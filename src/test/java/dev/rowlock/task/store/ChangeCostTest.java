package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What it costs to change 200 of 20,000 jobs together, each with a history of 300 tasks. */
@Tag("database")
@Tag("slow")
class ChangeCostTest {

    private static final int JOBS = 20_000;
    private static final int CHANGED = 200;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(60));
        Rows rows = new Rows(SERVER);
        rows.run("alter table task auto_increment = 1000000");
        IdleJobs.insert(rows, JOBS);
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time) select n, 1 + n % 200, 'default', concat('idle-', 1 + n"
                + " % 200), 1, at, '', 1, 'SCHEDULE', 'SUCCEEDED', at, at, at from (select n, utc_timestamp(3) - interval n"
                + " second as at from " + Numbers.upTo(300 * CHANGED) + ") r");
        rows.all("analyze table task, task_history, job, job_version");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void another_version_of_each_reads_its_own_rows() {
        assertThat(rowsReadBy(change -> {
                    change.unprepare();
                    assertThat(change.live()).hasSize(1);
                    change.save(change.job().stored());
                    change.park();
                    change.unpark();
                }))
                .as("its row, its version and its task, once for each statement")
                .isLessThan(CHANGED * 60);
    }

    @Test
    void of_history_the_newest_of_each_are_read() {
        assertThat(rowsReadBy(change -> assertThat(change.settled(change.now())).isEmpty()))
                .isBetween(CHANGED * 100L, CHANGED * 250L);
        assertThat(rowsReadBy(change -> assertThat(change.runs()).isZero())).isLessThan(CHANGED * 10);
    }

    private static long rowsReadBy(Consumer<JobChange> work) {
        ManyJobs many = new ManyJobs(database, null);
        List<Long> ids = LongStream.rangeClosed(1, CHANGED).boxed().toList();
        return ReadCounter.rowsReadBy(
                database,
                () -> assertThat(many.<Boolean>change(ids, "changing", changes -> changes.changeAll(ids, work)))
                        .isTrue());
    }
}
