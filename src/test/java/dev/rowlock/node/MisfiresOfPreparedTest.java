package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.SqlTime;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.transition.Misfires;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After an outage, what another node had prepared is decided together with all else that its job has missed. */
@Tag("database")
class MisfiresOfPreparedTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:01Z");
    private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");
    private static final Duration OUTAGE = Duration.ofMinutes(5);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.round();
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'")).isEqualTo(3);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void the_latest_fire_time_runs_for_all_and_not_the_latest_that_a_dead_node_had_prepared() {
        cluster.crash("a");
        cluster.sleep(OUTAGE);
        cluster.join("b");

        cluster.work(Duration.ofSeconds(4), Duration.ofSeconds(1));

        isSettledTogether();
    }

    @Test
    void a_node_that_slept_through_it_starts_nothing_of_what_it_had_prepared() {
        HandDrivenNode asleep = cluster.nodes().get(0);
        cluster.sleep(OUTAGE);
        cluster.join("b");
        HandDrivenNode awake = cluster.nodes().get(1);
        for (int i = 0; i < 4; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            Playground.round(awake);
        }

        cluster.time.hold();
        asleep.schedule();

        assertThat(asleep.processes.started).isEmpty();
        isSettledTogether();
    }

    @Test
    void nothing_is_overdue_by_a_clock_that_shows_a_time_that_cannot_be() {
        List<Long> job = List.of(Long.valueOf(String.valueOf(cluster.rows.one("select id from job"))));
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        cluster.rows.run("update live_task set fire_time = utc_timestamp(3) - interval id hour, due_at = fire_time");
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        try (Database database = Database.single(address, Duration.ofSeconds(5))) {
            assertThat(new Misfires(database, () -> FAR).overdue(job, List.of()))
                    .isNotEmpty();
            assertThat(new Misfires(database, () -> yesterday).overdue(job, List.of()))
                    .isEmpty();
        }
    }

    /**
     * Between the threshold and as long after it as was prepared, some of what a dead node had prepared is no misfire
     * by itself.
     */
    @ParameterizedTest
    @CsvSource({"74, 10:01:00, 10:01:10", "84, 10:01:10, 10:01:20", "94, 10:01:20, 10:01:30"})
    void what_is_not_too_late_itself_is_decided_with_what_is(int seconds, String missed, String latest) {
        cluster.crash("a");
        cluster.sleep(Duration.ofSeconds(seconds));
        cluster.join("b");

        cluster.work(Duration.ofSeconds(3), Duration.ofMillis(500));

        assertThat(cluster.rows.all("select outcome, cause, date_format(fire_time, '%T') as first,"
                        + " date_format(last_fire_time, '%T') as last from task_history where fire_time <= '"
                        + SqlTime.text(START.plusSeconds(seconds)) + "' order by fire_time"))
                .extracting(row -> String.join(" ", row.values()))
                .containsExactly("MISSED SCHEDULE 10:00:10 " + missed, "SUCCEEDED CATCH_UP " + latest + " " + latest);
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isZero();
    }

    private void isSettledTogether() {
        assertThat(cluster.rows.one("select group_concat(concat_ws(' ', outcome, time(fire_time), occurrences)"
                        + " order by fire_time separator ', ')"
                        + " from task_history where fire_time <= '2026-03-02 10:05:00'"))
                .isEqualTo("MISSED 10:00:10.000 29, SUCCEEDED 10:05:00.000 1");
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isZero();
    }
}
