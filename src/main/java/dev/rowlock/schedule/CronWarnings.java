package dev.rowlock.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** Warnings before relying on a cron expression; none is an error. */
final class CronWarnings {

    private static final long YEAR = 366 * FireTimes.SECONDS_PER_DAY;
    /** Distance from a clock change up to which people ask what it does. */
    private static final long NEAR = 3 * 3600;
    /**
     * Longest list of days that is checked for gaps: a longer one is meant as a pattern, whose gaps surprise nobody.
     */
    private static final int FEW_DAYS = 4;

    private final CronSchedule schedule;
    private final CronExpression cron;
    private final long from;
    private final List<String> warnings = new ArrayList<>();

    CronWarnings(CronSchedule schedule, Instant from) {
        this.schedule = schedule;
        this.cron = schedule.cron;
        this.from = Math.max(FireTimes.FIRST, Math.min(from.getEpochSecond(), FireTimes.LAST - YEAR));
    }

    List<String> all() {
        if (schedule.nextAfter(from) == FireTimes.NONE) {
            warnings.add("it never fires after " + Instant.ofEpochSecond(from));
        }
        if (cron.bothDaysRestricted()) {
            warnings.add(
                    "day-of-month and day-of-week are both restricted: it fires on every day that matches either of"
                            + " them; put * in one of them to restrict only the other");
        }
        stars();
        warnings.addAll(schedule.remarks);
        shortMonths(cron.monthDays().days(), "it does not fire on it there; L is the last day");
        shortMonths(cron.monthDays().nearest(), "it does not fire near it there; LW is the last weekday");
        fifths();
        if (schedule.isZoned()) {
            clockChanges();
        }
        return List.copyOf(warnings);
    }

    /** Warns of a star too many, and of a field that is not the one that was meant. */
    private void stars() {
        int perMinute = Long.bitCount(cron.seconds());
        if (perMinute > 1) {
            boolean isStar = perMinute == CronField.SECOND.size() && cron.minutes() != CronExpression.ALL_60;
            warnings.add("it fires " + perMinute + " times a minute, as the first of six or seven fields is the second"
                    + (isStar
                            ? "; for once a minute write 0 in it"
                            : "; where the first is the minute elsewhere, leave the last field out"));
        } else if (cron.minutes() == CronExpression.ALL_60 && Integer.bitCount(cron.hours()) == 1) {
            warnings.add("it fires in each of the 60 minutes of that hour; for once a day write the minute, such as 0");
        }
    }

    private void shortMonths(int days, String remedy) {
        if (Integer.bitCount(days) > FEW_DAYS) {
            return;
        }
        for (int day = 29; day <= 31; day++) {
            StringJoiner without = new StringJoiner(", ");
            for (int month = 2; month <= 12; month++) {
                boolean asked = (cron.months() >>> month & 1) != 0 && (days >>> day & 1) != 0;
                if (asked && day > Month.of(month).length(false)) {
                    String name = Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
                    without.add(month == 2 && day == 29 ? name + " of common years" : name);
                }
            }
            if (without.length() > 0) {
                warnings.add("there is no day " + day + " in " + without + ": " + remedy + " of every month");
            }
        }
    }

    private void fifths() {
        CronText.bits(cron.weekDays().nth(5) & ~cron.weekDays().days())
                .mapToObj(CronField.DAY_OF_WEEK::shortName)
                .forEach(day -> warnings.add("a month that has only four of them has no " + day
                        + "#5: it does not fire on it there; " + day + "L is the last one of every month"));
    }

    /** Returns whether an hourly schedule keeps its rhythm when the clocks are moved by so many seconds. */
    private boolean isInStep(long moved) {
        if (schedule.oncePerLocalTime || cron.hours() != CronExpression.ALL_HOURS || moved % 60 != 0) {
            return false;
        }
        int minutes = (int) Math.floorMod(moved / 60, 60L);
        long turned = (cron.minutes() << minutes | cron.minutes() >>> (60 - minutes)) & CronExpression.ALL_60;
        return turned == cron.minutes();
    }

    private void clockChanges() {
        ZoneTimeline zone = schedule.timeline;
        long end = from + YEAR;
        for (long at = zone.transitionAfter(from);
                at <= end && at != ZoneTimeline.NEVER;
                at = zone.transitionAfter(at)) {
            effect(at).ifPresent(warnings::add);
        }
    }

    /** Describes the effect of the clock change next to a time, if it is within three hours. */
    Optional<String> change(long second) {
        ZoneTimeline zone = schedule.timeline;
        long next = zone.transitionAfter(second);
        long last = zone.transitionUntil(second);
        boolean isNextNear = next != ZoneTimeline.NEVER && next - second <= NEAR;
        boolean isLastNear = last != ZoneTimeline.ALWAYS && second - last <= NEAR;
        if (isLastNear && (!isNextNear || second - last <= next - second)) {
            return effect(last);
        }
        return isNextNear ? effect(next) : Optional.empty();
    }

    /** Describes the effect of the clock change at this instant on fire times; empty if nobody would notice it. */
    private Optional<String> effect(long change) {
        long before = change + schedule.timeline.offsetAt(change - 1);
        long after = change + schedule.timeline.offsetAt(change);
        long first = schedule.times.atOrAfter(Math.min(before, after));
        if (first >= Math.max(before, after) || isInStep(after - before)) {
            return Optional.empty();
        }
        return Optional.of(before < after ? skipped(before, after, first) : repeated(after, before, first));
    }

    private String skipped(long from, long to, long first) {
        String happens = schedule.oncePerLocalTime ? " fires at " + time(from, to) : " does not fire";
        return "on " + day(from) + " the clocks in " + schedule.zone().getId() + " go from " + time(from, from) + " to "
                + time(from, to) + ": " + time(from, first) + happens + reason();
    }

    private String repeated(long from, long to, long first) {
        String happens = schedule.oncePerLocalTime ? " fires only the first time" : " fires twice";
        return "on " + day(to) + " the clocks in " + schedule.zone().getId() + " go back from " + time(from, to)
                + " to " + time(from, from) + ": " + time(from, first) + happens + reason();
    }

    private String reason() {
        return schedule.oncePerLocalTime
                ? " (daylightSaving SHIFT)"
                : schedule.rule == DaylightSaving.PLAIN
                        ? " (daylightSaving PLAIN)"
                        : " (daylightSaving SHIFT: a minute or hour field that starts with * follows the wall clock)";
    }

    private static String day(long local) {
        return LocalDate.ofEpochDay(Math.floorDiv(local, FireTimes.SECONDS_PER_DAY))
                .toString();
    }

    /** Returns the time of day, with its date if that differs from the reference's. */
    private static String time(long reference, long local) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
        return day(reference).equals(day(local)) ? time.toLocalTime().toString() : time.toString();
    }
}
