package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.freeze.FreezeScope;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.transition.FreezeWaits;
import dev.rowlock.task.transition.FreezeWaits.WakeProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many rows the server reads to wake what a freeze held, among 100,000 jobs that it did not cover. */
@Tag("database")
@Tag("slow")
class FreezeCostTest {

    private static final int JOBS = 100_000;
    private static final int HELD = 1_200;
    /** A row of the index, and the row that it leads to, for each that a step looks at. */
    private static final int OF_A_STEP = 2 * 2_000 + 2 * 2_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;
    private static Rows rows;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        rows = new Rows(SERVER);
        IdleJobs.insert(rows, JOBS);
        rows.run(
                "insert into freeze (scope, effect, from_at, until_at, reason, made_by, created_at, changed_at) select '{}', 'HOLD',"
                        + " '2020-01-01', '2020-01-02', '', 'x', '2020-01-01', '2020-01-01' from "
                        + Numbers.upTo(5_000));
        rows.all("analyze table freeze");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void each_step_reads_a_bounded_part_and_all_are_woken() {
        rows.run("update job_next set hold = 'FREEZE', hold_reason = 'x' where job_id % 83 = 0 limit " + HELD);
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Freeze freeze = new Freeze(
                1,
                new FreezeScope(List.of(), Map.of(), List.of(), true),
                FreezeEffect.HOLD,
                now.minusSeconds(60),
                now,
                "",
                "x",
                now,
                now.plus(Duration.ofDays(3)),
                null);
        FreezeWaits waits = new FreezeWaits(database);
        WakeProgress progress = WakeProgress.begin(freeze);
        int woken = 0;
        int steps = 0;
        long most = 0;
        while (!progress.isDone()) {
            WakeProgress from = progress;
            WakeProgress[] next = new WakeProgress[1];
            long read = read(() -> next[0] = waits.wake(freeze, from));
            most = Math.max(most, read - 3L * next[0].woken());
            progress = next[0];
            woken += progress.woken();
            steps++;
        }

        assertThat(woken).isEqualTo(HELD);
        assertThat(rows.count("job_next where hold = 'FREEZE' and due_at <= utc_timestamp(3)"))
                .isEqualTo(HELD);
        assertThat(steps).isBetween(JOBS / 2_000, JOBS / 2_000 + 10);
        assertThat(most).isLessThan(OF_A_STEP + 500);
    }

    @Test
    void what_is_in_force_is_read_without_those_that_are_over() {
        assertThat(ReadCounter.rowsReadBy(
                        database, () -> database.autoCommit("reading the freezes", FreezeStore::read)))
                .isLessThan(20);
    }

    private static long read(Runnable work) {
        long before = counted();
        work.run();
        return counted() - before;
    }

    private static long counted() {
        return database.autoCommit(
                "counting",
                handle -> handle
                        .createQuery("show session status where variable_name in ('Handler_read_key',"
                                + " 'Handler_read_next', 'Handler_read_rnd_next')")
                        .map((row, context) -> row.getLong(2))
                        .list()
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }
}
