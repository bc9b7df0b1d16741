package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several schedules as one: their fire times, each once, compared with those of every line put together. */
class UnionScheduleTest {

    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:10Z");
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final int ROUNDS = 400;
    private static final int MOST = 4_000;

    private final long seed = Long.getLong("rowlock.seed", 811L);
    private final Random random = new Random(seed);
    private final List<ZoneId> zones = Stream.of(
                    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Etc/GMT+7")
            .map(ZoneId::of)
            .toList();

    private static Schedule parse(String text) {
        return Schedule.parse(text, UTC, DaylightSaving.SHIFT, ANCHOR);
    }

    private static Schedule union(String... lines) {
        return Schedule.union(Stream.of(lines).map(UnionScheduleTest::parse).toList(), UTC);
    }

    private static List<Instant> walk(Schedule schedule, String from, String until) {
        List<Instant> all = new ArrayList<>();
        for (Optional<Instant> next = schedule.nextAfter(Instant.parse(from));
                next.isPresent() && next.get().isBefore(Instant.parse(until));
                next = schedule.nextAfter(next.get())) {
            all.add(next.get());
        }
        return all;
    }

    private static List<Instant> times(String... times) {
        return Stream.of(times).map(Instant::parse).toList();
    }

    @Test
    void a_single_line_is_the_schedule_itself() {
        Schedule only = parse("0 3 * * *");

        assertThat(Schedule.union(List.of(only), UTC)).isSameAs(only);
        assertThat(only.lines()).containsExactly(only);
    }

    @Test
    void an_instant_of_two_lines_is_one_fire_time_of_the_first_that_asks() {
        Schedule union = union("0 5 * * *", "TZ=Europe/Berlin 0 6 * * *");

        assertThat(walk(union, "2026-03-28T00:00:00Z", "2026-03-30T00:00:00Z"))
                .isEqualTo(times("2026-03-28T05:00:00Z", "2026-03-29T04:00:00Z", "2026-03-29T05:00:00Z"));
        assertThat(union.lineAt(Instant.parse("2026-03-28T05:00:00Z"))).hasValue(0);
        assertThat(union.lineAt(Instant.parse("2026-03-29T04:00:00Z"))).hasValue(1);
        assertThat(union.lineAt(Instant.parse("2026-03-29T04:30:00Z"))).isEmpty();
        assertThat(union.countBetween(Instant.parse("2026-03-28T00:00:00Z"), Instant.parse("2026-03-30T00:00:00Z")))
                .isEqualTo(3);
    }

    @Test
    void two_zones_change_their_clocks_each_in_its_own_night() {
        Schedule union = union("TZ=Europe/Berlin 30 2 * * *", "TZ=America/New_York 30 2 * * *");

        assertThat(walk(union, "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z"))
                .as("New York skips 02:30 on the 8th, which fires at the jump")
                .isEqualTo(times(
                        "2026-03-08T01:30:00Z",
                        "2026-03-08T07:00:00Z",
                        "2026-03-09T01:30:00Z",
                        "2026-03-09T06:30:00Z"));
        assertThat(walk(union, "2026-10-24T12:00:00Z", "2026-10-26T00:00:00Z"))
                .as("Berlin repeats 02:30 on the 25th, which fires the first time")
                .isEqualTo(times("2026-10-25T00:30:00Z", "2026-10-25T06:30:00Z"));
        assertThat(union.zoneAt(Instant.parse("2026-10-25T06:30:00Z"))).isEqualTo(ZoneId.of("America/New_York"));
        assertThat(union.clockChange(Instant.parse("2026-10-25T00:30:00Z")))
                .hasValueSatisfying(said -> assertThat(said)
                        .startsWith("line 1: on 2026-10-25 the clocks in Europe/Berlin go back")
                        .doesNotContain("line 2"));
        assertThat(union.zone()).as("they share none").isEqualTo(UTC);
        assertThat(union("TZ=Asia/Tokyo 0 1 * * *", "TZ=Asia/Tokyo 0 2 * * 6").zone())
                .isEqualTo(ZoneId.of("Asia/Tokyo"));
    }

    @Test
    void lines_begin_and_end_without_the_others() {
        Schedule union = union("@at 2026-12-31T23:59:59.250Z", "0 0 0 1 1 ? 2027", "0 0 1 1 *");

        assertThat(walk(union, "2026-06-01T00:00:00Z", "2029-06-01T00:00:00Z"))
                .isEqualTo(times(
                        "2026-12-31T23:59:59.250Z",
                        "2027-01-01T00:00:00Z",
                        "2028-01-01T00:00:00Z",
                        "2029-01-01T00:00:00Z"));
        assertThat(union("@at 2026-12-31T23:59:59.250Z", "0 0 0 1 1 ? 2027")
                        .nextAfter(Instant.parse("2027-01-01T00:00:00Z")))
                .isEmpty();
    }

    @Test
    void each_line_is_described_and_warned_of_under_its_number() {
        Schedule union = union("0 3 * * *", "0 0 31 * *");

        assertThat(union.normalized()).isEqualTo("0 3 * * *\n0 0 31 * *");
        assertThat(union.description()).startsWith("line 1: at 03:00").contains("; line 2: at 00:00");
        assertThat(union.warnings(ANCHOR))
                .singleElement()
                .asString()
                .startsWith("line 2: there is no day 31 in February");
    }

    @Test
    void a_line_whose_fire_times_all_belong_to_earlier_ones_is_warned_of() {
        assertThat(union("*/10 * * * *", "0 3 * * *").warnings(ANCHOR))
                .containsExactly("line 2: lines above it ask for all of its fire times, so that they are theirs; move"
                        + " it up if it is to fire by itself");
        assertThat(union("0 3 * * *", "*/10 * * * *").warnings(ANCHOR)).isEmpty();
        assertThat(union("0 3 * * *", "*/7 * * * *").warnings(ANCHOR)).isEmpty();
        assertThat(union("0 1-12 * * *", "0 13-23 * * *", "0 4,15 * * *").warnings(ANCHOR))
                .singleElement()
                .asString()
                .startsWith("line 3: lines above it");
    }

    private Schedule anyLine() {
        ZoneId zone = zones.get(random.nextInt(zones.size()));
        DaylightSaving rule = random.nextInt(4) == 0 ? DaylightSaving.PLAIN : DaylightSaving.SHIFT;
        while (true) {
            String text = switch (random.nextInt(8)) {
                case 0 -> "@every " + (1 + random.nextInt(1 << random.nextInt(18))) + "s";
                case 1 -> "@at " + ANCHOR.plusMillis(random.nextLong(400L * 86_400_000));
                case 2 -> List.of("* * * * *", "*/5 * * * *", "0 * * * *").get(random.nextInt(3));
                default -> RandomCron.of(random).text();
            };
            try {
                return Schedule.parse(text, zone, rule, ANCHOR);
            } catch (ScheduleProblem problem) {
                assertThat(problem).as(text).hasMessageContaining("never matches");
            }
        }
    }

    /** Returns the fire times of all lines, each with the first of them that has it, up to the last one to compare. */
    private static NavigableMap<Instant, Integer> naive(List<Schedule> lines, Instant from, Instant until) {
        NavigableMap<Instant, Integer> all = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Instant at = from;
            Optional<Instant> next = lines.get(i).nextAfter(at);
            for (int n = 0; n < MOST && next.isPresent() && !next.get().isAfter(until); n++) {
                at = next.get();
                all.putIfAbsent(at, i);
                next = lines.get(i).nextAfter(at);
            }
            if (next.isPresent() && !next.get().isAfter(until)) { // beyond its last one, what all have is not known
                return naive(lines, from, at);
            }
        }
        return all;
    }

    @Test
    void the_fire_times_are_those_of_all_lines_put_together() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Schedule> lines = new ArrayList<>();
            int size = random.nextInt(10) == 0 ? 20 : 2 + random.nextInt(5);
            while (lines.size() < size) {
                lines.add(anyLine());
            }
            Schedule union = Schedule.union(lines, UTC);
            Instant from = ANCHOR.plusMillis(random.nextLong(400L * 86_400_000));
            Instant end = from.plusSeconds(1L + random.nextInt(1 << random.nextInt(26)));
            NavigableMap<Instant, Integer> expected = naive(lines, from, end);
            Instant until = expected.isEmpty() ? end : expected.lastKey();
            String as = "%s from %s until %s (seed %s, round %s)".formatted(lines, from, until, seed, round);

            Instant at = from;
            for (Instant t : expected.keySet()) {
                assertThat(union.nextAfter(at)).as(as).contains(t);
                at = t;
            }
            expected.forEach((t, line) -> assertThat(union.lineAt(t)).as(as).isEqualTo(OptionalInt.of(line)));
            assertThat(union.countBetween(from, until)).as(as).isEqualTo(expected.size());
            assertThat(union.lastBetween(from, until))
                    .as(as)
                    .isEqualTo(expected.isEmpty() ? Optional.empty() : Optional.of(expected.lastKey()));
            int most = random.nextInt(50);
            assertThat(union.lastBetween(from, until, most))
                    .as(as)
                    .containsExactlyElementsOf(expected.keySet().stream()
                            .skip(Math.max(0, expected.size() - most))
                            .toList());
            if (!expected.isEmpty()) {
                minuteHasItsSeconds(union, lines, expected.firstKey(), as);
            }
        }
    }

    private static void minuteHasItsSeconds(Schedule union, List<Schedule> lines, Instant t, String as) {
        long minute = Math.floorDiv(t.getEpochSecond(), 60L) * 60;
        long expected = 0;
        for (Schedule line : lines) {
            expected |= line.secondsOf(minute);
        }
        assertThat(union.secondsOf(minute)).as(as).isEqualTo(expected);
    }

    @Test
    void two_frequent_lines_are_counted_without_their_common_fire_times() {
        Schedule union = union("*/7 * * * * *", "@every 11s", "@at 2026-02-01T00:00:00.500Z", "0 0 1 2 *");
        Instant from = Instant.parse("2026-01-20T00:00:03.250Z");
        Instant until = Instant.parse("2026-02-03T00:00:41Z");

        assertThat(union.countBetween(from, until))
                .isEqualTo(walk(union, from.toString(), until.plusMillis(1).toString())
                        .size());
        assertThat(union.countBetween(until, from)).isZero();
    }

    /** Counts how often its line is asked. */
    private static final class AskedSchedule implements Schedule {
        private final Schedule line;
        private int asked;

        AskedSchedule(String text) {
            this.line = parse(text);
        }

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            asked++;
            return line.nextAfter(t);
        }

        @Override
        public long countBetween(Instant afterExclusive, Instant untilInclusive) {
            asked++;
            return line.countBetween(afterExclusive, untilInclusive);
        }

        @Override
        public long secondsOf(long minute) {
            asked++;
            return line.secondsOf(minute);
        }

        @Override
        public String normalized() {
            return line.normalized();
        }

        @Override
        public String description() {
            return line.description();
        }

        @Override
        public ZoneId zone() {
            return line.zone();
        }
    }

    @Test
    void what_was_missed_of_every_second_in_a_year_is_counted_not_walked() {
        Instant until = ANCHOR.plus(Duration.ofDays(365));
        for (String other : List.of("0 3 * * *", "0 0 1 1 *", "*/10 * * * * *", "@at 2026-05-05T05:05:05.500Z")) {
            AskedSchedule second = new AskedSchedule("* * * * * *");
            AskedSchedule rare = new AskedSchedule(other);
            long between = other.startsWith("@at") ? 1 : 0; // two seconds

            assertThat(Schedule.union(List.of(rare, second), UTC).countBetween(ANCHOR, until))
                    .isEqualTo(365L * 86_400 + between);
            assertThat(second.asked + rare.asked).as(other).isLessThan(1_000);
        }
    }
}
