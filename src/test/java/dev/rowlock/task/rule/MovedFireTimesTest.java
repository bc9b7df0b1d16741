package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.task.rule.MovedFireTimes.ClockChange;
import dev.rowlock.task.rule.MovedFireTimes.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fire times that appear and vanish, compared with what walking all of them finds. */
class MovedFireTimesTest {

    private static final Instant CREATED = Instant.parse("2026-03-01T00:00:17Z");
    private static final Instant NOW = Instant.parse("2026-03-26T10:20:30.500Z");
    private static final Window DAYS = new Window(NOW, NOW.plus(Duration.ofDays(3)));
    private static final Map<JobSchedule, Set<Instant>> WALKED = new HashMap<>();
    private static final List<JobSchedule> SCHEDULES = all();

    private static JobSchedule schedule(String schedule, String zone, String... more) {
        return schedule(TextNode.valueOf(schedule), zone, more);
    }

    private static JobSchedule lines(String... lines) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        List.of(lines).forEach(list::add);
        return schedule(list, "Europe/Berlin");
    }

    private static JobSchedule schedule(JsonNode schedule, String zone, String... more) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", "j").put("command", "true").put("zone", zone).set("schedule", schedule);
        for (int i = 0; i < more.length; i += 2) {
            node.put(more[i], more[i + 1]);
        }
        return JobSchedule.of(StoredDefinition.parse(node).definition(), CREATED);
    }

    private static Set<Instant> walked(@Nullable JobSchedule schedule) {
        return schedule == null ? Set.of() : WALKED.computeIfAbsent(schedule, MovedFireTimesTest::walk);
    }

    private static Set<Instant> walk(JobSchedule schedule) {
        Set<Instant> all = new LinkedHashSet<>();
        for (Instant t = schedule.nextAfter(DAYS.after()).orElse(Instant.MAX);
                !t.isAfter(DAYS.until());
                t = schedule.nextAfter(t).orElse(Instant.MAX)) {
            all.add(t);
        }
        return all;
    }

    private static List<Instant> without(Set<Instant> all, Set<Instant> others) {
        return all.stream().filter(t -> !others.contains(t)).toList();
    }

    /** Sparse and dense, across the change of clocks on 2026-03-29, cut at both ends, with other anchors and zones. */
    private static List<JobSchedule> all() {
        return List.of(
                schedule("@manual", "UTC"),
                schedule("@at 2026-03-28T01:00:00.250Z", "UTC"),
                schedule("30 2 * * *", "Europe/Berlin"),
                schedule("30 2 * * *", "Europe/Berlin", "daylightSaving", "PLAIN"),
                schedule("30 1 * * *", "UTC"),
                schedule("*/5 * * * *", "UTC"),
                schedule("@every 90s", "UTC"),
                schedule("@every 7s", "UTC", "startAt", "2026-03-27T00:00:03Z"),
                schedule("* * * * * *", "UTC"),
                schedule("*/2 * * * * *", "Europe/Berlin"),
                schedule("*/2 15-20 1-3 * * *", "Europe/Berlin"),
                schedule("10,20 * 0-22 * * 1-5", "Australia/Lord_Howe"),
                schedule("* * * * * *", "Europe/Berlin", "endAt", "2026-03-29T01:00:20Z"),
                lines("30 2 * * *", "TZ=UTC 30 1 * * *"),
                lines("@at 2026-03-28T01:00:00.250Z", "*/3 * * * * *", "@every 7m"),
                lines("*/2 * * * * *", "@every 1h", "@at 2026-03-28T01:00:00.500Z"));
    }

    static Stream<JobSchedule> schedules() {
        return SCHEDULES.stream();
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void what_appears_and_vanishes_is_what_walking_finds(JobSchedule before) {
        assertThat(schedules()).allSatisfy(after -> isAsWalked(before, after, 5));
        isAsWalked(before, null, 3);
        isAsWalked(null, before, 3);
    }

    private static void isAsWalked(@Nullable JobSchedule before, @Nullable JobSchedule after, int most) {
        MovedFireTimes moved = MovedFireTimes.of(before, after, DAYS, most);
        List<Instant> added = without(walked(after), walked(before));
        List<Instant> removed = without(walked(before), walked(after));
        assertThat(moved.addedCount()).isEqualTo(added.size());
        assertThat(moved.removedCount()).isEqualTo(removed.size());
        assertThat(moved.added()).isEqualTo(added.subList(0, Math.min(most, added.size())));
        assertThat(moved.removed()).isEqualTo(removed.subList(0, Math.min(most, removed.size())));
        assertThat(moved.isEmpty()).isEqualTo(added.isEmpty() && removed.isEmpty());
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void the_seconds_of_a_minute_are_its_fire_times(JobSchedule schedule) {
        Instant change = Instant.parse("2026-03-29T01:00:00Z");
        for (long minute = change.getEpochSecond() - 7200; minute < change.getEpochSecond() + 7200; minute += 60) {
            long seconds = 0;
            for (int second = 0; second < 60; second++) {
                seconds |= schedule.matches(Instant.ofEpochSecond(minute + second)) ? 1L << second : 0;
            }
            assertThat(schedule.secondsOf(minute))
                    .as("%s in %s", schedule.normalized(), Instant.ofEpochSecond(minute))
                    .isEqualTo(seconds);
        }
    }

    @Test
    void days_on_which_the_clocks_change_are_told_of_every_zone_concerned() {
        MovedFireTimes moved =
                MovedFireTimes.of(schedule("0 3 * * *", "Europe/Berlin"), schedule("0 3 * * *", "UTC"), DAYS, 10);

        assertThat(moved.clockChanges())
                .containsExactly(new ClockChange(
                        "2026-03-29",
                        ZoneId.of("Europe/Berlin"),
                        Instant.parse("2026-03-29T01:00:00Z"),
                        ZoneOffset.ofHours(1),
                        ZoneOffset.ofHours(2)));
        assertThat(MovedFireTimes.of(schedule("0 3 * * *", "UTC"), null, DAYS, 10)
                        .clockChanges())
                .isEmpty();
        assertThat(MovedFireTimes.of(lines("0 3 * * *", "TZ=Europe/London 0 3 * * *"), null, DAYS, 10)
                        .clockChanges())
                .as("of each line")
                .extracting(ClockChange::zone)
                .containsExactly(ZoneId.of("Europe/Berlin"), ZoneId.of("Europe/London"));
    }
}
