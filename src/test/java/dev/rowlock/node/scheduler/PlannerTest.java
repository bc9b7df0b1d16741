package dev.rowlock.node.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.EverySchedule;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.transition.Acquisition.Further;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final Instant T = Instant.parse("2026-01-01T12:00:00Z");
    private static final EverySchedule TEN = new EverySchedule(Duration.ofSeconds(10));
    private final AtomicInteger counter = new AtomicInteger();

    @Test
    void a_frequent_jobs_occurrences_within_the_horizon_are_prepared_together() {
        Acquisition plan = Planner.prepare(candidate(T, true), TEN, Terms.PLAIN, T.plusSeconds(30), this::launch);

        assertThat(plan.further())
                .extracting(Further::fireTime)
                .containsExactly(T.plusSeconds(10), T.plusSeconds(20), T.plusSeconds(30));
        assertThat(plan.nextCursor()).isEqualTo(T.plusSeconds(40));
    }

    @Test
    void only_the_row_with_the_cursor_makes_further_occurrences() {
        Acquisition plan = Planner.prepare(candidate(T, false), TEN, Terms.PLAIN, T.plusSeconds(30), this::launch);

        assertThat(plan.further()).isEmpty();
        assertThat(plan.nextCursor()).isNull();
    }

    @Test
    void what_is_due_behind_its_fire_time_is_prepared_by_when_it_is_due() {
        Acquisition plan = Planner.prepare(
                candidate(T, true), TEN, new Terms(Duration.ofSeconds(15), 0, null), T.plusSeconds(30), this::launch);

        assertThat(plan.further()).extracting(Further::fireTime).containsExactly(T.plusSeconds(10));
        assertThat(plan.nextCursor()).isEqualTo(T.plusSeconds(20));
        assertThat(plan.terms().jitter()).isEqualTo(Duration.ofSeconds(15));
    }

    private LaunchId launch() {
        return LaunchId.of("s", counter.incrementAndGet());
    }

    private static Task candidate(Instant fireTime, boolean cursor) {
        return TaskBuilder.task(1, fireTime).cursor(cursor).build();
    }
}
