package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.transition.Scans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks of a node of a newer version, which need what this one does not know. */
@Tag("database")
class FeatureLevelTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private Database database;
    private Rows rows;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        database = Database.single(address, Duration.ofSeconds(10));
        rows = new Rows(server);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void what_is_idle_is_acquired_only_by_a_node_that_has_what_it_needs() {
        long job = rows.job("j", "{}");
        long due = rows.task(job, 0, true);
        long soon = rows.task(job, 20_000, false);
        assertThat(scan().candidates()).extracting(Task::id).containsExactly(due, soon);

        rows.run("update live_task set needs = " + (FeatureLevel.KNOWN + 1));

        assertThat(scan().candidates()).isEmpty();
    }

    @Test
    void what_is_overdue_is_taken_over_only_by_a_node_that_has_what_it_needs() {
        long task = rows.task(rows.job("j", "{}"), -5_000, false);
        rows.run("update live_task set state = 'PREPARED', session_id = 'newer', launch_id = 'newer-1'");
        assertThat(overdue()).extracting(Claim::id).containsExactly(task);
        assertThat(scan().othersDue()).isNotNull();

        rows.run("update live_task set needs = " + (FeatureLevel.KNOWN + 1));

        assertThat(overdue()).isEmpty();
        assertThat(scan().othersDue())
                .as("nothing to wait for, or to look at again and again")
                .isNull();
    }

    private AcquirableTasks scan() {
        List<Integer> stripes =
                List.of((int) (Long.parseLong(String.valueOf(rows.one("select max(id) from job"))) % 64));
        return new Acquire(database).scan(Scans.from(Instant.EPOCH, stripes, 10), "me");
    }

    private List<Claim> overdue() {
        return Scans.overdue(Scans.start(database), "me", Instant.EPOCH, 10, () -> new LaunchId("me-1"));
    }
}
