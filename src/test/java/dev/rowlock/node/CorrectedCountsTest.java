package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.report.count.Counting;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of history that were written while the clock was ahead are corrected, and their counts with them. */
class CorrectedCountsTest extends LeapingClock {

    private Database database;
    private Counting counting;

    /** How far history is counted when it is corrected. */
    enum Before {
        /** The first row of it only. */
        HARDLY,
        HALF,
        ALL
    }

    @BeforeEach
    void begin() {
        database = Database.single(cluster.playground.address(), Duration.ofSeconds(30));
        cluster.time.rules(database);
        counting = new Counting(database);
        counting.begin();
    }

    @AfterEach
    void end() {
        database.close();
    }

    @ParameterizedTest
    @EnumSource(Before.class)
    void of_what_had_come_in_part_the_rest_is_taken_off(Before before) {
        leap();
        count(before);
        cluster.time.step(HOUR.negated());

        cluster.reschedule("j");

        assertThat(cluster.rows.count("task_history where outcome = 'CANCELLED' and occurrences > 300"))
                .isEqualTo(1);
        countsAreRight();
    }

    @ParameterizedTest
    @EnumSource(Before.class)
    void what_had_not_come_at_all_counts_as_cancelled(Before before) {
        cluster.put("s", "\"schedule\": \"* * * * * *\"");
        leap();
        cluster.time.step(HOUR.negated());
        cluster.reschedule("s");
        cluster.reschedule("j");
        assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED' and occurrences > 1500"))
                .isEqualTo(1);
        count(before);

        cluster.reschedule("s");

        assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED'")).isZero();
        countsAreRight();
    }

    /** It is believed, and all that it left behind is a misfire. */
    private void leap() {
        leapAndBelieve();
        cluster.work(Duration.ofSeconds(10), STRETCH);
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED' and occurrences > 300"))
                .isPositive();
    }

    private void count(Before before) {
        int rows = (int) cluster.rows.count("task_history");
        cluster.time.hold();
        counting.reach(cluster.time.now().plusSeconds(1));
        counting.count(
                switch (before) {
                    case HARDLY -> 1;
                    case HALF -> rows / 2;
                    case ALL -> rows;
                });
    }

    private void countsAreRight() {
        cluster.time.advance(HOUR.plus(HOUR));
        counting.reach(cluster.time.now());
        assertThat(counting.count(10_000).more()).isFalse();
        assertThat(counting.countNoted(10_000).more()).isFalse();
        Recount recount = new Recount(cluster.rows);
        assertThat(Recount.read(cluster.rows, Recount.DAYS)).isEqualTo(recount.days());
        assertThat(Recount.read(cluster.rows, Recount.MINUTES)).isEqualTo(recount.minutes());
        assertThat(Recount.read(cluster.rows, Recount.STATS)).isEqualTo(recount.stats());
    }
}
