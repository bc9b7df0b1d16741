package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for every schedule, shown on random ones. */
class SchedulePropertiesTest {

    private static final int ROUNDS = 20_000;

    private final long seed = Long.getLong("rowlock.seed", 7_042L);
    private final Random random = new Random(seed);
    private final List<ZoneId> zones =
            ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).collect(Collectors.toList());

    private Optional<Schedule> parse(RandomCron cron, ZoneId zone) {
        try {
            DaylightSaving rule = random.nextBoolean() ? DaylightSaving.SHIFT : DaylightSaving.PLAIN;
            return Optional.of(Schedule.parse(cron.text(), zone, rule, Instant.EPOCH));
        } catch (ScheduleProblem problem) {
            assertThat(problem).as(cron.text()).hasMessageContaining("never matches");
            return Optional.empty();
        }
    }

    private ZoneId anyZone() {
        return zones.get(random.nextInt(zones.size()));
    }

    /** Any instant, mostly of this age. */
    private Instant anyInstant() {
        return switch (random.nextInt(10)) {
            case 0 ->
                Instant.ofEpochSecond(
                        Instant.MIN.getEpochSecond() + (long) (random.nextDouble() * 2 * Instant.MAX.getEpochSecond()),
                        random.nextInt(1_000_000_000));
            case 1 -> Instant.ofEpochSecond((long) (random.nextGaussian() * 3e11), random.nextInt(1_000_000_000));
            default -> Instant.ofEpochSecond(random.nextInt() & 0xFFFF_FFFFL, random.nextInt(1_000_000_000));
        };
    }

    @Test
    void the_next_fire_time_is_later_and_never_goes_back_for_any_schedule_zone_and_instant() {
        for (int i = 0; i < ROUNDS; i++) {
            RandomCron cron = RandomCron.of(random);
            Optional<Schedule> schedule = parse(cron, anyZone());
            if (schedule.isEmpty()) {
                continue;
            }
            Instant from = anyInstant();
            Instant next = schedule.get().nextAfter(from).orElse(Instant.MAX);
            Instant later =
                    from.plusSeconds(from.isAfter(Instant.MAX.minusSeconds(1 << 20)) ? 0 : random.nextInt(1 << 20));
            String as = schedule.get() + " from " + from + " (seed " + seed + ")";
            assertThat(next).as(as).isAfter(from);
            assertThat(next)
                    .as(as)
                    .isBeforeOrEqualTo(schedule.get().nextAfter(later).orElse(Instant.MAX));
            if (!next.equals(Instant.MAX)) {
                assertThat(next).as(as).isEqualTo(Instant.ofEpochSecond(next.getEpochSecond()));
                assertThat(schedule.get().nextAfter(next.minusNanos(1))).as(as).contains(next);
            }
        }
    }

    @Test
    void as_many_are_counted_as_follow_each_other() {
        for (int i = 0; i < ROUNDS / 4; i++) {
            ZoneId zone = anyZone();
            Optional<Schedule> schedule = parse(RandomCron.of(random), zone);
            if (schedule.isEmpty()) {
                continue;
            }
            Instant from = random.nextBoolean() ? anyInstantOfThisAge() : nearAClockChange(zone);
            Instant until = from.plusSeconds(random.nextInt(1 << random.nextInt(25)));
            long count = 0;
            Instant at = from;
            Deque<Instant> last = new ArrayDeque<>();
            int most = random.nextInt(200);
            for (Optional<Instant> next = schedule.get().nextAfter(from);
                    next.isPresent() && !next.get().isAfter(until) && count <= 20_000;
                    next = schedule.get().nextAfter(at)) {
                at = next.get();
                count++;
                last.add(at);
                if (last.size() > most) {
                    last.remove();
                }
            }
            Instant through = count > 20_000 ? at : until;
            String as = "%s from %s through %s (seed %s)".formatted(schedule.get(), from, through, seed);
            assertThat(schedule.get().countBetween(from, through)).as(as).isEqualTo(count);
            assertThat(schedule.get().lastBetween(from, through))
                    .as(as)
                    .isEqualTo(count == 0 ? Optional.empty() : Optional.of(at));
            assertThat(schedule.get().lastBetween(from, through, most)).as(as).containsExactlyElementsOf(last);
        }
    }

    private Instant anyInstantOfThisAge() {
        return Instant.ofEpochSecond(random.nextInt() & 0xFFFF_FFFFL, random.nextInt(1_000_000_000));
    }

    /** Up to an hour before or after, most often within seconds; any instant if the zone has none. */
    private Instant nearAClockChange(ZoneId zone) {
        Instant any = anyInstantOfThisAge();
        ZoneOffsetTransition change = zone.getRules().nextTransition(any);
        return change == null
                ? any
                : change.getInstant().plusSeconds(random.nextInt(2 << random.nextInt(12)) - (1L << random.nextInt(12)));
    }

    @Test
    void in_a_fixed_offset_the_next_fire_time_matches_and_nothing_between_does() {
        for (int i = 0; i < ROUNDS / 20; i++) {
            RandomCron cron = RandomCron.of(random);
            ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(2 * 64_800) - 64_800);
            Optional<Schedule> schedule = parse(cron, offset);
            if (schedule.isEmpty()) {
                continue;
            }
            LocalDateTime from = LocalDateTime.ofEpochSecond(random.nextInt() & 0xFFFF_FFFFL, 0, offset);
            LocalDateTime limit = from.plus(cron.hasSeconds() ? Duration.ofHours(2) : Duration.ofDays(4));
            LocalDateTime expected = from.plusSeconds(1);
            while (expected.isBefore(limit) && !cron.matches().test(expected)) {
                expected = expected.plusSeconds(1);
                if (!cron.hasSeconds() && expected.getSecond() != 0) {
                    expected = expected.plusSeconds(60L - expected.getSecond());
                }
            }
            String as = schedule.get() + " from " + from + " (seed " + seed + ")";
            LocalDateTime next = schedule.get()
                    .nextAfter(from.toInstant(offset))
                    .map(t -> LocalDateTime.ofInstant(t, offset))
                    .orElse(LocalDateTime.MAX);
            if (expected.isBefore(limit)) {
                assertThat(next).as(as).isEqualTo(expected);
            } else {
                assertThat(next).as(as).isAfterOrEqualTo(limit);
                assertThat(next.equals(LocalDateTime.MAX) || cron.matches().test(next))
                        .as(as)
                        .isTrue();
            }
        }
    }

    @Test
    void the_next_day_is_the_right_one_at_any_distance() {
        for (int i = 0; i < ROUNDS / 10; i++) {
            RandomCron cron = RandomCron.of(random);
            Optional<Schedule> schedule = parse(cron, ZoneOffset.UTC);
            if (schedule.isEmpty()) {
                continue;
            }
            LocalDateTime from = LocalDateTime.ofEpochSecond(random.nextInt() & 0xFFFF_FFFFL, 0, ZoneOffset.UTC);
            Optional<LocalDateTime> next = schedule.get()
                    .nextAfter(from.toInstant(ZoneOffset.UTC))
                    .map(t -> LocalDateTime.ofInstant(t, ZoneOffset.UTC));
            // Between the day asked from and the one found, the time that was found fits no other day.
            next.ifPresent(found -> {
                String as = schedule.get() + " from " + from + " (seed " + seed + ")";
                assertThat(cron.matches().test(found)).as(as).isTrue();
                for (LocalDateTime t = found.minusDays(1); t.isAfter(from); t = t.minusDays(1)) {
                    assertThat(cron.matches().test(t)).as(as + " at " + t).isFalse();
                }
            });
        }
    }

    @Test
    void a_schedule_printed_and_read_again_is_the_same() {
        for (int i = 0; i < ROUNDS; i++) {
            RandomCron cron = RandomCron.of(random);
            ZoneId zone = anyZone();
            for (DaylightSaving rule : DaylightSaving.values()) {
                try {
                    Schedule schedule = Schedule.parse(cron.text(), zone, rule, Instant.EPOCH);
                    Schedule again = Schedule.parse(schedule.normalized(), zone, rule, Instant.EPOCH);
                    assertThat(again).as(cron.text()).isEqualTo(schedule).hasSameHashCodeAs(schedule);
                    assertThat(again.normalized()).isEqualTo(schedule.normalized());
                } catch (ScheduleProblem problem) {
                    assertThat(problem).as(cron.text()).hasMessageContaining("never matches");
                }
            }
        }
    }
}
