package dev.rowlock.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.engine.EverySchedule;
import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.store.task.Acquisition.Further;
import dev.rowlock.store.task.Candidate;
import dev.rowlock.store.task.Misfires.Decision;
import dev.rowlock.store.task.Misfires.Overdue;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final Instant T = Instant.parse("2026-01-01T12:00:00Z");
    private static final EverySchedule TEN = new EverySchedule(Duration.ofSeconds(10));
    private final AtomicInteger counter = new AtomicInteger();

    @Test
    void a_frequent_jobs_occurrences_within_the_horizon_are_prepared_together() {
        Acquisition plan = Planner.prepare(candidate(T, true), TEN, T.plusSeconds(30), this::launch);

        assertThat(plan.further())
                .extracting(Further::fireTime)
                .containsExactly(T.plusSeconds(10), T.plusSeconds(20), T.plusSeconds(30));
        assertThat(plan.nextCursor()).isEqualTo(T.plusSeconds(40));
    }

    @Test
    void only_the_row_with_the_cursor_makes_further_occurrences() {
        Acquisition plan = Planner.prepare(candidate(T, false), TEN, T.plusSeconds(30), this::launch);

        assertThat(plan.further()).isEmpty();
        assertThat(plan.nextCursor()).isNull();
    }

    @Test
    void one_missed_occurrence_simply_runs() {
        Decision decision = Planner.runOnce(List.of(overdue(1, T, true)), TEN, T.plusSeconds(9));

        assertThat(decision.missed()).isZero();
        assertThat(decision.run()).isEqualTo(overdue(1, T, true));
        assertThat(decision.successor()).isNull();
    }

    @Test
    void the_latest_of_many_runs_and_the_others_are_missed_together() {
        Decision decision = Planner.runOnce(List.of(overdue(1, T, true)), TEN, T.plusSeconds(100));

        assertThat(decision.missed()).isEqualTo(10);
        assertThat(decision.lastMissed()).isEqualTo(T.plusSeconds(90));
        assertThat(decision.run()).isNull();
        assertThat(decision.successor()).isEqualTo(T.plusSeconds(100));
        assertThat(decision.successorRuns()).isTrue();
    }

    @Test
    void rows_made_ahead_of_time_and_the_cursor_are_decided_together() {
        List<Overdue> rows = List.of(
                overdue(1, T, false), overdue(2, T.plusSeconds(10), false), overdue(3, T.plusSeconds(20), true));

        assertThat(Planner.runOnce(rows, TEN, T.plusSeconds(29)).missed()).isEqualTo(2);
        assertThat(Planner.runOnce(rows, TEN, T.plusSeconds(29)).run()).isEqualTo(rows.get(2));
        assertThat(Planner.runOnce(rows, TEN, T.plusSeconds(50)).missed()).isEqualTo(5);
        assertThat(Planner.runOnce(rows, TEN, T.plusSeconds(50)).lastMissed()).isEqualTo(T.plusSeconds(40));
    }

    @Test
    void rows_without_the_cursor_make_nothing_new() {
        Decision decision = Planner.runOnce(
                List.of(overdue(1, T, false), overdue(2, T.plusSeconds(10), false)), TEN, T.plusSeconds(90));

        assertThat(decision.missed()).isEqualTo(1);
        assertThat(decision.run()).isEqualTo(overdue(2, T.plusSeconds(10), false));
        assertThat(decision.successor()).isNull();
    }

    @Test
    void a_month_of_missed_fire_times_is_counted_and_not_walked_through() {
        Schedule berlin = Schedule.parse("*/10 * * * * *", ZoneId.of("Europe/Berlin"), DaylightSaving.SHIFT, T);
        Asked asked = new Asked(berlin);
        Instant changed = Instant.parse("2026-03-29T01:00:00Z"); // the clocks go forward within the outage
        Instant start = changed.minus(Duration.ofDays(20));

        Decision decision = Planner.runOnce(List.of(overdue(1, start, true)), asked, start.plus(Duration.ofDays(29)));

        assertThat(decision.missed()).isEqualTo(29L * 8640);
        assertThat(decision.lastMissed())
                .isEqualTo(start.plus(Duration.ofDays(29)).minusSeconds(10));
        assertThat(decision.successor()).isEqualTo(start.plus(Duration.ofDays(29)));
        assertThat(decision.successorRuns()).isTrue();
        assertThat(asked.times).isLessThan(200);
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

    private LaunchId launch() {
        return LaunchId.of("s", counter.incrementAndGet());
    }

    private static Candidate candidate(Instant fireTime, boolean cursor) {
        return new Candidate(1, 1, 1, 1, fireTime, fireTime, Cause.SCHEDULE, cursor);
    }

    private static Overdue overdue(long id, Instant fireTime, boolean cursor) {
        return new Overdue(id, 1, 1, 1, fireTime, null, cursor);
    }
}
