package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random expressions around the clock changes of all zones, against an oracle that asks every minute or second. By
 * default a sample; {@code scripts/schedule-checks} runs it over every change from 1990 to 2040.
 */
class ClockChangesTest {

    private static final Instant FIRST = Instant.parse("1990-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2041-01-01T00:00:00Z");
    private static final boolean FULL = "full".equals(System.getProperty("rowlock.scheduleChecks"));

    private final long seed = Long.getLong("rowlock.seed", 20_260_101L);
    private final Random random = new Random(seed);

    private record Change(ZoneId zone, Instant at) {}

    @Test
    void every_fire_time_around_a_clock_change_is_found_and_no_other() {
        check(changes(), 400, false);
    }

    @Tag("slow")
    @Test
    void every_fire_time_around_many_more_clock_changes_is_found_and_no_other() {
        List<Change> changes = changes();
        check(changes, FULL ? changes.size() : 3000, FULL);
    }

    private void check(List<Change> changes, int count, boolean inOrder) {
        long fireTimes = 0;
        for (int i = 0; i < count; i++) {
            Change change = inOrder ? changes.get(i) : changes.get(random.nextInt(changes.size()));
            for (DaylightSaving rule : DaylightSaving.values()) {
                fireTimes += check(change, RandomCron.of(random), rule);
            }
        }
        System.out.printf(
                "clock changes: %d of %d, fire times compared: %d, seed %d%n", count, changes.size(), fireTimes, seed);
        assertThat(fireTimes).isPositive();
    }

    private static List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(id);
            ZoneOffsetTransition next = zone.getRules().nextTransition(FIRST);
            while (next != null && next.getInstant().isBefore(LAST)) {
                changes.add(new Change(zone, next.getInstant()));
                next = zone.getRules().nextTransition(next.getInstant());
            }
        }
        return changes;
    }

    private int check(Change change, RandomCron cron, DaylightSaving rule) {
        Schedule schedule;
        try {
            schedule = Schedule.parse(cron.text(), change.zone(), rule, Instant.EPOCH);
        } catch (ScheduleProblem problem) {
            assertThat(problem).hasMessageContaining("never matches");
            return 0;
        }
        Duration margin = cron.hasSeconds() ? Duration.ofMinutes(70 + random.nextInt(60)) : Duration.ofMinutes(1800);
        Instant middle = change.at().truncatedTo(ChronoUnit.MINUTES);
        Instant from = middle.minus(margin);
        Instant until = middle.plus(margin);
        TreeSet<Instant> expected = new Oracle(cron, change.zone(), rule).fireTimes(from, until);
        List<Instant> found = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(from);
        while (next.isPresent() && !next.get().isAfter(until)) {
            found.add(next.get());
            next = schedule.nextAfter(next.get());
        }
        assertThat(found)
                .as("%s in %s under %s around %s (seed %d)", cron.text(), change.zone(), rule, change.at(), seed)
                .containsExactlyElementsOf(expected);
        assertThat(schedule.countBetween(from, until)).isEqualTo(expected.size());
        // From anywhere, and with a fraction of a second, it is the same next one.
        Instant anywhere = from.plusNanos((long) (random.nextDouble() * 2 * margin.toNanos()));
        Optional<Instant> nextThere = schedule.nextAfter(anywhere).filter(t -> !t.isAfter(until));
        assertThat(nextThere)
                .as("%s in %s under %s from %s", cron.text(), change.zone(), rule, anywhere)
                .isEqualTo(Optional.ofNullable(expected.higher(anywhere)));
        return expected.size();
    }
}
