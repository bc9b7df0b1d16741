package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server refuses what is written for some seconds, for a reason of its own: no row is set aside, and when it is over, all goes on. */
@Tag("database")
class PassingErrorsTest {

    private static final int JOBS = 12;
    private static final Instant START = Instant.parse("2026-03-28T10:00:00Z");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private Rows rows;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, START);
        rows = cluster.rows;
    }

    @AfterEach
    void close() throws IOException {
        mend();
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({
        "1114, HY000, insert, task",
        "1114, 45000, update, task",
        "1021, 45000, insert, task",
        "1021, HY000, update, task",
        "1030, HY000, update, task",
        "1206, HY000, insert, task",
        "1969, 70100, update, task",
        "9001, HY000, insert, task",
        "9001, 45000, update, task",
        "1114, HY000, insert, task_history",
        "9001, HY000, insert, task_history",
        "9001, HY000, delete, task"
    })
    void all_jobs_go_on_and_no_occurrence_is_lost(int code, String state, String event, String table) {
        for (int i = 0; i < JOBS; i++) {
            cluster.put("j" + i, "\"schedule\": \"*/" + (i % 2 == 0 ? 1 : 4) + " * * * * *\"");
        }
        cluster.work(Duration.ofSeconds(6), Duration.ofSeconds(1));
        breakDown(code, state, event, table);

        work(8);
        assertThat(rows.all("select hold from live_task where hold is not null"))
                .isEmpty();
        assertThat(rows.count("task_aside")).isZero();

        mend();
        Instant mended = cluster.time.now();
        work(12);
        assertThat(rows.count("(select job_id from task_history where outcome = 'SUCCEEDED' and fire_time > '"
                        + mended.plusSeconds(4).toString().replace("Z", "").replace("T", " ") + "' group by job_id) j"))
                .isEqualTo(JOBS);
        cluster.addsUp();
        cluster.playground.invariants.nothingWasStartedTwice();
        cluster.playground.invariants.memoryAndTableAgree();
    }

    @ParameterizedTest
    @CsvSource({"1114, HY000", "9001, HY000"})
    void what_a_lost_node_ran_is_not_set_aside_but_expired_later(int code, String state) {
        HandDrivenNode a = cluster.nodes().get(0);
        cluster.put("j", "\"schedule\": \"@at 2026-03-28T10:00:02Z\"");
        cluster.join("b");
        HandDrivenNode b = cluster.nodes().get(1);
        cluster.time.advance(Duration.ofSeconds(2));
        b.keeper.runOnce(); // reads the time
        b.schedule();
        b.schedule();
        assertThat(b.processes.started).hasSize(1);
        breakDown(code, state, "insert", "task_history");
        for (int i = 0; i < 20; i++) {
            cluster.time.hold();
            a.beatFor(Duration.ofSeconds(2));
        }

        tried(a.reaper);
        assertThat(rows.count("session where node = 'b'")).isEqualTo(1);
        assertThat(rows.count("live_task where state = 'EXECUTING' and hold is null"))
                .isEqualTo(1);

        mend();
        a.reaper.runOnce();
        assertThat(rows.count("session where node = 'b'")).isZero();
        assertThat(rows.count("task_history where outcome = 'LOST'")).isEqualTo(1);
        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isEqualTo(1);
    }

    /** As the loops do, each second: what the database refuses is tried again. */
    private void work(int seconds) {
        HandDrivenNode a = cluster.nodes().get(0);
        for (int i = 0; i < seconds; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            a.nanos.advance(Duration.ofSeconds(1));
            for (Step step :
                    List.<Step>of(a.keeper, scheduling(a), ending(a), a.recorder, a.compensator, scheduling(a))) {
                cluster.time.hold();
                tried(step);
            }
        }
    }

    private static Step scheduling(HandDrivenNode node) {
        return () -> {
            node.schedule();
            return Pass.MORE;
        };
    }

    private static Step ending(HandDrivenNode node) {
        return () -> {
            node.processes.end(0);
            return Pass.MORE;
        };
    }

    private static void tried(Step step) {
        try {
            step.runOnce();
        } catch (DatabaseUnavailable | StatementProblem e) {
            assertThat(e).hasStackTraceContaining("broken");
        }
    }

    private void breakDown(int code, String state, String event, String table) {
        rows.run("create trigger broken before " + event + " on " + table + " for each row signal sqlstate '" + state
                + "' set mysql_errno = " + code + ", message_text = 'broken'");
    }

    private void mend() {
        rows.run("drop trigger if exists broken");
    }
}
