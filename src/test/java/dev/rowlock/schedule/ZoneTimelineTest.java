package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables agree with the JDK, in every zone and century; the calendar on plain numbers does too. */
class ZoneTimelineTest {

    private final long seed = Long.getLong("rowlock.seed", 11L);
    private final Random random = new Random(seed);

    private long anySecond() {
        long range = random.nextBoolean()
                ? FireTimes.LAST
                : Instant.parse("2600-01-01T00:00:00Z").getEpochSecond();
        return FireTimes.FIRST + (long) (random.nextDouble() * (range - FireTimes.FIRST));
    }

    private static long secondOf(@Nullable ZoneOffsetTransition transition, long none) {
        return transition == null ? none : transition.toEpochSecond();
    }

    private void compare(ZoneId zone, long second) {
        ZoneTimeline timeline = ZoneTimeline.of(zone);
        ZoneRules rules = zone.getRules();
        Instant instant = Instant.ofEpochSecond(second);
        String as = zone + " at " + instant + " (seed " + seed + ")";
        assertThat(timeline.offsetAt(second))
                .as(as)
                .isEqualTo(rules.getOffset(instant).getTotalSeconds());
        assertThat(timeline.transitionAfter(second))
                .as(as)
                .isEqualTo(secondOf(rules.nextTransition(instant), ZoneTimeline.NEVER));
        assertThat(timeline.transitionUntil(second))
                .as(as)
                .isEqualTo(secondOf(rules.previousTransition(instant.plusNanos(1)), ZoneTimeline.ALWAYS));
    }

    @Test
    void offsets_and_transitions_are_those_of_the_jdk() {
        for (String id : ZoneId.getAvailableZoneIds()) {
            ZoneId zone = ZoneId.of(id);
            for (int i = 0; i < 60; i++) {
                long second = anySecond();
                compare(zone, second);
                long transition = ZoneTimeline.of(zone).transitionAfter(second);
                if (transition < FireTimes.LAST) {
                    compare(zone, transition - 1);
                    compare(zone, transition);
                    compare(zone, transition + 1);
                }
            }
        }
    }
}
