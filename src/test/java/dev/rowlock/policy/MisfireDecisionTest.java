package dev.rowlock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.engine.EverySchedule;
import dev.rowlock.job.Cause;
import dev.rowlock.policy.MisfireDecision.Missed;
import dev.rowlock.policy.MisfireDecision.Overdue;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times are seconds; the schedule asks for every tenth. */
class MisfireDecisionTest {

    private static final Instant T = Instant.parse("2026-01-01T12:00:00Z");
    private static final EverySchedule TEN = new EverySchedule(Duration.ofSeconds(10));

    /**
     * A row is its fire time, its next fire time if it has one, and a star if it has the cursor. What is missed is the row that stands for it, the
     * last fire time, how many there are, and the next fire time.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # rows            | now | missed                                 | what runs
            # What lies between two rows that do not follow each other was run by itself.
            0>10 20>30 30*    | 39  | 0..0 (1) >10, 20..20 (1) >30           | 30
            0>10 10>20 50*    | 59  | 0..10 (2) >20                          | 50
            0>10 20>30 30*    | 50  | 0..0 (1) >10, 20..40 (3) >50           | new 50
            # The cursor was taken on by another row, which is not overdue, or somebody else's.
            0>10 10>20        | 90  | 0..0 (1) >10                           | 10
            0>20              | 90  | ''                                     | 0
            # Rows whose next fire time is not known stand alone, before what runs.
            0 10 20*          | 29  | 0..0 (1) >20, 10..10 (1) >20           | 20
            0 10 20*          | 50  | 0..0 (1) >50, 10..10 (1) >50, 20..40 (3) >50 | new 50
            # The fire time that comes just now is overdue too, the one in a millisecond is not.
            0*                | 10  | 0..0 (1) >10                           | new 10
            0*                | 9.999 | ''                                   | 0
            # The database's clock was set back: nothing is counted backwards.
            20*               | 0   | ''                                     | 20
            0>10 10>20 20*    | 29  | 0..10 (2) >20                          | 20
            0>10 10>20 20*    | 30  | 0..20 (3) >30                          | new 30
            0*                | 100 | 0..90 (10) >100                        | new 100
            """)
    void run_once(String rows, double now, String missed, String runs) {
        MisfireDecision decision = MisfireDecision.runOnce(rows(rows), TEN, T.plusMillis(Math.round(now * 1000)));

        assertThat(String.join(
                        ", ",
                        decision.missed().stream()
                                .map(MisfireDecisionTest::text)
                                .toList()))
                .isEqualTo(missed);
        assertThat(
                        decision.run() == null
                                ? "new " + text(decision.successor())
                                : text(decision.run().fireTime()))
                .isEqualTo(runs);
        assertThat(decision.run() == null).isEqualTo(decision.successor() != null);
        assertThat(decision.rows()).isEqualTo(rows(rows));
    }

    @Test
    void the_reason_says_whether_one_was_missed_or_several() {
        assertThat(MisfireDecision.runOnce(rows("0*"), TEN, T.plusSeconds(10)).missed())
                .extracting(Missed::reason)
                .containsExactly("no node was there to run it in time; the latest occurrence runs instead,"
                        + " unless the job is executing then (misfire RUN_ONCE)");
        assertThat(MisfireDecision.runOnce(rows("0>10 20*"), TEN, T.plusSeconds(30))
                        .missed())
                .extracting(Missed::reason)
                .containsOnly("no node was there to run these occurrences in time; the latest occurrence runs instead,"
                        + " unless the job is executing then (misfire RUN_ONCE)")
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        // cause,   late,          misfire
        "SCHEDULE,  PT60S,         false",
        "SCHEDULE,  PT60.000001S,  true",
        "SCHEDULE,  PT-1S,         false",
        "CATCH_UP,  PT1H,          false",
        "RECOVERY,  PT1H,          false",
        "RETRY,     PT1H,          false",
        "MANUAL,    PT1H,          false",
    })
    void only_what_the_schedule_asked_for_misfires_and_not_at_the_threshold(
            Cause cause, Duration late, boolean misfire) {
        assertThat(MisfireDecision.isMisfire(cause, late, Duration.ofSeconds(60)))
                .isEqualTo(misfire);
    }

    @Test
    void a_month_of_missed_fire_times_is_counted_and_not_walked_through() {
        Schedule berlin = Schedule.parse("*/10 * * * * *", ZoneId.of("Europe/Berlin"), DaylightSaving.SHIFT, T);
        Asked asked = new Asked(berlin);
        Instant changed = Instant.parse("2026-03-29T01:00:00Z"); // the clocks go forward within the outage
        Instant start = changed.minus(Duration.ofDays(20));
        Overdue row = new Overdue(1, 1, 1, 1, 0, start, null, true, null);

        MisfireDecision decision = MisfireDecision.runOnce(List.of(row), asked, start.plus(Duration.ofDays(29)));

        Instant last = start.plus(Duration.ofDays(29)).minusSeconds(10);
        assertThat(decision.missed()).extracting(Missed::occurrences).containsExactly(29L * 8640);
        assertThat(decision.missed()).extracting(Missed::last).containsExactly(last);
        assertThat(decision.run()).isNull();
        assertThat(decision.successor()).isEqualTo(start.plus(Duration.ofDays(29)));
        assertThat(asked.times).isLessThan(200);
    }

    private static List<Overdue> rows(String text) {
        List<Overdue> rows = new ArrayList<>();
        for (String row : text.split(" ", -1)) {
            List<Instant> times = Arrays.stream(row.replace("*", "").split(">"))
                    .map(t -> T.plusSeconds(Long.parseLong(t)))
                    .toList();
            Instant next = times.size() == 1 ? null : times.get(1);
            rows.add(new Overdue(rows.size(), 1, 1, 1, 0, times.get(0), next, row.endsWith("*"), null));
        }
        return rows;
    }

    private static String text(Missed m) {
        return text(m.row().fireTime()) + ".." + text(m.last()) + " (" + m.occurrences() + ") >"
                + text(m.nextFireTime());
    }

    private static String text(@Nullable Instant t) {
        return t == null ? "-" : Long.toString(Duration.between(T, t).toSeconds());
    }

    /** Counts how often it is asked for one fire time. */
    private static final class Asked implements Schedule {
        private final Schedule real;
        private int times;

        Asked(Schedule real) {
            this.real = real;
        }

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            times++;
            return real.nextAfter(t);
        }

        @Override
        public long countBetween(Instant afterExclusive, Instant untilInclusive) {
            return real.countBetween(afterExclusive, untilInclusive);
        }

        @Override
        public String normalized() {
            return real.normalized();
        }

        @Override
        public String description() {
            return real.description();
        }

        @Override
        public ZoneId zone() {
            return real.zone();
        }

        @Override
        public List<String> warnings(Instant from) {
            return real.warnings(from);
        }
    }
}
