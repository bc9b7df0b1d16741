package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Acquisition;
import dev.rowlock.store.Acquisition.Further;
import dev.rowlock.store.Candidate;
import dev.rowlock.store.Misfires.Decision;
import dev.rowlock.store.Misfires.Overdue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    void more_than_can_be_counted_at_once_are_settled_in_parts() {
        EverySchedule second = new EverySchedule(Duration.ofSeconds(1));
        Instant now = T.plusSeconds(Planner.MOST_MISSED + 10L);

        Decision part = Planner.runOnce(List.of(overdue(1, T, true)), second, now);

        assertThat(part.missed()).isEqualTo(Planner.MOST_MISSED + 1L);
        assertThat(part.successorRuns()).isFalse();
        assertThat(part.successor()).isEqualTo(T.plusSeconds(Planner.MOST_MISSED + 1L));
        Decision rest = Planner.runOnce(List.of(overdue(2, part.successor(), true)), second, now);
        assertThat(part.missed() + rest.missed() + 1).isEqualTo(Planner.MOST_MISSED + 11L);
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
