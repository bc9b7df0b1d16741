package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.definition.Outcome;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Cause;
import dev.rowlock.task.NotRunReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a node has done is counted where it is done, once it is done. */
@Tag("database")
class CountsTest {

    private static final String YEARLY = "0 0 1 1 *";

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    private Rows rows;
    private DatabaseAddress address;
    private final List<HandDrivenNode> nodes = new ArrayList<>();

    @BeforeEach
    void migrate() {
        address = new DatabaseAddress(server.url(), server.user(), server.password());
        rows = new Rows(server);
    }

    @AfterEach
    void close() {
        nodes.forEach(HandDrivenNode::close);
    }

    @Test
    void starts_and_ends_are_counted_with_how_late_they_were() {
        HandDrivenNode a = joined("a");
        rows.task(job("good", ""), -2_000, true);
        a.schedule();
        a.processes.end(0);
        rows.task(job("bad", ""), -50, true);
        a.schedule();
        a.processes.end(3);

        Counts counts = counts(a);
        assertThat(counts.startedByCause()).containsEntry(Cause.SCHEDULE, 2L).containsEntry(Cause.RETRY, 0L);
        assertThat(counts.endedByOutcome()).containsEntry(Outcome.SUCCEEDED, 1L).containsEntry(Outcome.FAILED, 1L);
        assertThat(Arrays.stream(counts.lateness().read().counts()).sum()).isEqualTo(2);
        assertThat(counts.lateness().read().sumSeconds()).isBetween(2.0, 60.0);
        assertThat(Arrays.stream(counts.duration().read().counts()).sum()).isEqualTo(2);
        assertThat(counts.joins()).isEqualTo(1);
    }

    @Test
    void what_does_not_run_is_counted_by_reason() {
        HandDrivenNode a = joined("a");
        long job = job("j", "");
        rows.task(job, -60, true);
        a.schedule();
        rows.task(job, -50, false);
        a.schedule();

        assertThat(rows.one("select outcome from task_history")).isEqualTo("SKIPPED");
        assertThat(counts(a).notRunByReason())
                .containsEntry(NotRunReason.OVERLAP, 1L)
                .containsEntry(NotRunReason.MISFIRE, 0L);
    }

    @Test
    void what_came_while_nobody_was_there_is_counted_as_missed() {
        HandDrivenNode a = joined("a");
        long job = job("j", "");
        rows.task(job, -180_000, false);
        rows.task(job, -120_000, true);

        a.schedule();

        assertThat(rows.one("select outcome from task_history")).isEqualTo("MISSED");
        assertThat(counts(a).notRunByReason()).containsEntry(NotRunReason.MISFIRE, 1L);
    }

    @Test
    void a_deadline_that_is_over_is_counted_as_missed() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", ", \"startDeadline\": \"5s\""), -20_000, true);

        a.schedule();

        assertThat(rows.one("select outcome from task_history")).isEqualTo("MISSED");
        assertThat(counts(a).notRunByReason()).containsEntry(NotRunReason.DEADLINE, 1L);
    }

    @Test
    void takeovers_are_counted_where_they_are_made() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        rows.task(job("j", ""), 20_000, true);
        a.schedule();
        b.schedule();
        HandDrivenNode owner = a.localTasks.preparedCount() == 1 ? a : b;
        HandDrivenNode other = owner == a ? b : a;
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 1100000 microsecond where state = 'PREPARED'");
        other.pollSoon();
        other.schedule();

        assertThat(counts(other).takeovers()).isEqualTo(1);
        assertThat(counts(owner).takeovers()).isZero();
    }

    @Test
    void what_is_given_back_unknown_is_counted() {
        HandDrivenNode holder = joined("a");
        rows.task(job("j", ""), 20_000, true);
        holder.schedule();
        assertThat(holder.localTasks.preparedCount()).isEqualTo(1);
        holder.forgetPrepared();
        holder.compensator.runOnce();

        assertThat(counts(holder).resets()).isEqualTo(1);
    }

    @Test
    void only_jobs_that_ask_are_counted_by_themselves_and_no_longer_than_they_ask() {
        HandDrivenNode a = joined("a");
        rows.task(job("plain", ""), -50, true);
        long job = job("asks", ", \"metrics\": true");
        rows.task(job, -50, true);
        a.schedule();
        a.processes.end(0);
        a.processes.end(0);
        a.recorder.runOnce();

        JobCounts jobs = counts(a).jobs();
        assertThat(jobs.all()).hasSize(1).allSatisfy((key, counted) -> {
            assertThat(key).hasToString("default/asks");
            assertThat(counted.started()).isEqualTo(1);
            assertThat(counted.ended()).containsEntry(Outcome.SUCCEEDED, 1L);
            assertThat(counted.durations()).isEqualTo(1);
            assertThat(counted.lastSuccess()).isNotNull();
        });

        jobs.retain(List.of(job), List.of(job));
        assertThat(jobs.all()).hasSize(1);
        jobs.retain(List.of(job), List.of());
        assertThat(jobs.all()).isEmpty();
        assertThat(jobs.refused()).isZero();
    }

    private static Counts counts(HandDrivenNode node) {
        return node.context().counts();
    }

    private HandDrivenNode joined(String name) {
        HandDrivenNode node = new HandDrivenNode(name, address, dir, 4);
        nodes.add(node);
        node.keeper.runOnce();
        nodes.forEach(other -> other.keeper.runOnce());
        return node;
    }

    private long job(String name, String fields) {
        return rows.job(
                name,
                "{\"namespace\": \"default\", \"name\": \"" + name + "\", \"schedule\": \"" + YEARLY
                        + "\", \"command\": \"true\", \"zone\": \"UTC\", \"onLost\": \"RERUN\"" + fields + "}");
    }
}
