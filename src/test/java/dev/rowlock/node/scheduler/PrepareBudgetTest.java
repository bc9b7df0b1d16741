package dev.rowlock.node.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.EngineSettings;
import dev.rowlock.task.transition.DuePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrepareBudgetTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration HORIZON = Duration.ofSeconds(30);

    @Test
    void an_empty_node_prepares_as_far_ahead_as_the_horizon() {
        PrepareBudget room = room(NOW.plusSeconds(1), false, 10_000);

        assertThat(room.until(NOW, true, 0)).isEqualTo(NOW.plus(HORIZON));
    }

    @Test
    void the_less_room_is_left_the_less_far_ahead() {
        PrepareBudget room = room(NOW.plusSeconds(1), false, 10_000);

        assertThat(room.until(NOW, true, 4_750)).isEqualTo(NOW.plus(HORIZON.dividedBy(2)));
        assertThat(room.until(NOW, true, 9_999)).isEqualTo(NOW);
    }

    @Test
    void some_room_is_left_for_what_is_due() {
        PrepareBudget room = room(NOW.plusSeconds(1), false, 300);

        assertThat(room.left()).isEqualTo(300);
        assertThat(room.leftAhead()).isNegative();
        assertThat(room.until(NOW, true, 0)).isEqualTo(NOW);
    }

    @Test
    void while_more_waits_than_was_found_nothing_behind_it_is_made() {
        Instant last = NOW.minusSeconds(7);

        assertThat(room(last, true, 10_000).until(NOW, true, 0)).isEqualTo(last);
        assertThat(room(last, false, 10_000).until(NOW, true, 0)).isAfter(NOW);
        Instant ahead = NOW.plusSeconds(1);
        assertThat(room(ahead, true, 10_000).until(NOW, true, 0)).isEqualTo(ahead);
    }

    @Test
    void nor_is_anything_made_further_ahead_of_a_job_that_others_prefer() {
        PrepareBudget room = room(NOW.plusSeconds(25), true, 10_000);

        assertThat(room.until(NOW, false, 0)).isEqualTo(NOW.plus(settings().spill()));
    }

    private static PrepareBudget room(Instant lastDue, boolean more, int left) {
        @Nullable DuePosition end = more ? new DuePosition(lastDue, 1, 1) : null;
        return PrepareBudget.after(end, left, settings());
    }

    private static EngineSettings settings() {
        Duration any = Duration.ofSeconds(20);
        return new EngineSettings("a", 64, any, any, any, any, HORIZON, any, any, 10_000, 500, any, 100, any, Map.of());
    }
}
