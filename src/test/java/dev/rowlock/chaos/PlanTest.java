package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.chaos.FaultKind.Lane;
import dev.rowlock.chaos.Plan.Planned;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Duration LENGTH = Duration.ofMinutes(12);

    /** A seed that has found something must find it in a later version too. */
    @Test
    void new_kinds_leave_the_plans_of_older_seeds_as_they_were() {
        assertThat(plan(Lane.NODES).get(0)).isEqualTo(new Planned(FaultKind.POWER_LOSS, 6539, 7309, 0, 949));
        assertThat(plan(Lane.NETWORK).get(0)).isEqualTo(new Planned(FaultKind.CUT_BEFORE_COMMIT, 4695, 3844, 1, 349));
        assertThat(plan(Lane.DATABASE).get(0)).isEqualTo(new Planned(FaultKind.LOCK_WAIT, 10_178, 1590, 2, 303));
        assertThat(plan(Lane.HOST).get(0)).isEqualTo(new Planned(FaultKind.CLOCK, 6732, 3834, 2, 230));
    }

    @Test
    void a_lane_does_one_thing_after_the_other_and_ends_with_the_run() {
        for (Lane lane : Lane.values()) {
            long end = 0;
            for (Planned next : plan(lane)) {
                assertThat(next.kind().lane).isEqualTo(lane);
                assertThat(next.atMillis()).isGreaterThanOrEqualTo(end + lane.minGapMillis);
                end = next.endMillis();
            }
            assertThat(end).isLessThanOrEqualTo(LENGTH.toMillis());
        }
    }

    private static List<Planned> plan(Lane lane) {
        return Plan.of(lane, 771_177, LENGTH, 3, EnumSet.allOf(FaultKind.class));
    }
}
