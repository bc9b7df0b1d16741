package dev.rowlock.chaos;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Calendars, and what operators make of them: whether yesterday, today and tomorrow are open, in zones one of which has
 * its midnight as soon after the beginning of the run as any.
 */
final class CalendarDraw {

    /** One goes by the zone of the schedule, the other by one of its own. */
    static final List<String> NAMES = List.of("plain", "zoned");

    /** A zone whose midnight comes next, and whose clocks do not change: whether it falls into the run is chance. */
    @SuppressWarnings("TimeInStaticInitializer") // the same for all of the run
    static final ZoneId MIDNIGHT = nextMidnight(Instant.now().plusSeconds(60));

    private static final int STATES = 6;

    private final Random random;

    CalendarDraw(Random random) {
        this.random = random;
    }

    private static ZoneId nextMidnight(Instant soon) {
        List<String> names = new ArrayList<>(List.of(
                "Asia/Kathmandu",
                "Asia/Kolkata",
                "Asia/Yangon",
                "Asia/Kabul",
                "Asia/Tehran",
                "Australia/Darwin",
                "Australia/Eucla",
                "Pacific/Marquesas"));
        for (int hours = 1; hours <= 12; hours++) {
            names.add("Etc/GMT+" + hours);
            names.add("Etc/GMT-" + hours);
        }
        return names.stream()
                .map(ZoneId::of)
                .min(Comparator.comparing((ZoneId zone) -> LocalDate.ofInstant(soon, zone)
                        .plusDays(1)
                        .atStartOfDay(zone)
                        .toInstant()))
                .orElseThrow();
    }

    private static ZoneId zone(String name) {
        return name.equals(NAMES.get(0)) ? ZoneOffset.UTC : MIDNIGHT;
    }

    /** By which all jobs that name it have fire times. */
    static DrawnCalendar calm(String name) {
        return state(name, 0);
    }

    DrawnCalendar draw(String name) {
        return state(name, random.nextInt(STATES));
    }

    private static DrawnCalendar state(String name, int state) {
        LocalDate today = LocalDate.ofInstant(Instant.now(), zone(name));
        LocalDate yesterday = today.minusDays(1);
        LocalDate tomorrow = today.plusDays(1);
        Set<String> week = DrawnCalendar.everyDay();
        List<String> closed = switch (state) {
            case 0 -> List.of(yesterday.toString(), tomorrow.toString());
            case 1 -> List.of(yesterday.toString(), today.toString());
            case 2 -> List.of(DrawnCalendar.range(yesterday, tomorrow));
            case 3 -> List.of("-" + today.toString().substring(4), tomorrow.toString());
            case 4 -> List.of(yesterday.toString());
            default -> List.of();
        };
        if (state == 4) {
            week = new TreeSet<>(week);
            week.remove(DrawnCalendar.word(tomorrow));
        }
        List<String> open = state == 2 ? List.of(today.toString()) : List.of();
        return new DrawnCalendar(name.equals(NAMES.get(0)) ? "" : MIDNIGHT.getId(), week, closed, open);
    }
}
