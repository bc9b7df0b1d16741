package dev.rowlock.schedule;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Open days of months as a schedule counts them where calendars have the dates of another zone: a day of the line's
 * month counts if its time of day is open, so the number of a day depends on that. Made when asked for; thread-safe.
 */
final class OpenMonths {

    /** Months that are kept: as many as a search passes through in some years. */
    private static final int KEPT = 64;

    private final OpenDates dates;
    private final ConcurrentHashMap<LocalDate, List<OpenStretch>> months = new ConcurrentHashMap<>();

    OpenMonths(OpenDates dates) {
        this.dates = dates;
    }

    /**
     * Stretch of the day within which the same days of a month are open.
     *
     * @param until the second of the day at which it ends
     * @param days as bits: bit {@code n} is day {@code n} of the month
     */
    private record OpenStretch(int until, int days) {}

    /** Returns whether an expression asks for a time of day on a day, as {@link OpenDates#at} answers. */
    long asks(CronExpression cron, LocalDate day, int second) {
        List<OpenStretch> month = of(day.withDayOfMonth(1));
        int i = 0;
        while (month.get(i).until <= second) {
            i++;
        }
        return OpenDates.stretch(cron.matchesDay(day, month.get(i).days), month.get(i).until);
    }

    private List<OpenStretch> of(LocalDate first) {
        List<OpenStretch> known = months.get(first);
        if (known != null) {
            return known;
        }
        if (months.size() >= KEPT) {
            months.clear();
        }
        return months.computeIfAbsent(first, this::make);
    }

    private List<OpenStretch> make(LocalDate first) {
        List<OpenStretch> stretches = new ArrayList<>();
        int second = 0;
        while (second < OpenDates.DAY) {
            int until = OpenDates.DAY;
            int days = 0;
            for (int day = 1; day <= first.lengthOfMonth(); day++) {
                long open = dates.at(first.toEpochDay() + day - 1, second);
                until = Math.min(until, OpenDates.until(open));
                days |= OpenDates.isOpen(open) ? 1 << day : 0;
            }
            stretches.add(new OpenStretch(until, days));
            second = until;
        }
        return List.copyOf(stretches);
    }
}
