package dev.rowlock.schedule.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calendar in one of its versions: its open dates win over its closed ones, and these over its week. Immutable and
 * thread-safe; days are counted since 1970-01-01.
 */
public final class Calendar {

    /** Absence of a day. */
    public static final long NEVER = Long.MAX_VALUE;
    /** Distance to search for an open or a closed day: beyond it there is none. */
    public static final int MAX_YEARS = 40;

    /** Years whose days are kept: as many as a search passes through, and some more. */
    private static final int KEPT_YEARS = 64;

    private final String name;
    private final Set<DayOfWeek> week;
    private final List<CalendarDate> closed;
    private final List<CalendarDate> open;
    private final @Nullable ZoneId zone;
    private final @Nullable LocalDate knownUntil;
    /** Open days of years: bit {@code n} is day {@code n} of the year, from 1. Made when asked for. */
    private final ConcurrentHashMap<Integer, BitSet> years = new ConcurrentHashMap<>();

    /**
     * @param week the open weekdays
     * @param zone in which its dates are meant; null: in that of the schedule
     * @param knownUntil the last day that its dates were made for; null: not said
     */
    public Calendar(
            String name,
            Set<DayOfWeek> week,
            List<CalendarDate> closed,
            List<CalendarDate> open,
            @Nullable ZoneId zone,
            @Nullable LocalDate knownUntil) {
        this.name = name;
        this.week = week.isEmpty() ? EnumSet.noneOf(DayOfWeek.class) : EnumSet.copyOf(week);
        this.closed = List.copyOf(closed);
        this.open = List.copyOf(open);
        this.zone = zone;
        this.knownUntil = knownUntil;
    }

    public String name() {
        return name;
    }

    public @Nullable ZoneId zone() {
        return zone;
    }

    public @Nullable LocalDate knownUntil() {
        return knownUntil;
    }

    public boolean isOpen(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        return openDays(date.getYear()).get(date.getDayOfYear());
    }

    /** Returns the first open day at or after a day, {@link #NEVER} if there is none within {@link #MAX_YEARS}. */
    public long openFrom(long day) {
        return from(day, true);
    }

    /** Returns the first closed day at or after a day, {@link #NEVER} if there is none within {@link #MAX_YEARS}. */
    public long closedFrom(long day) {
        return from(day, false);
    }

    private long from(long day, boolean wanted) {
        LocalDate date = LocalDate.ofEpochDay(day);
        int first = date.getDayOfYear();
        for (int year = date.getYear(); year <= date.getYear() + MAX_YEARS; year++) {
            BitSet days = openDays(year);
            int found = wanted ? days.nextSetBit(first) : days.nextClearBit(first);
            if (found >= 0 && found <= Year.of(year).length()) {
                return LocalDate.ofYearDay(year, found).toEpochDay();
            }
            first = 1;
        }
        return NEVER;
    }

    /** Returns the open days of a month, given its first day, as bits: bit {@code n} is its day {@code n}. */
    public int openDaysOf(LocalDate first) {
        BitSet days = openDays(first.getYear());
        int before = first.getDayOfYear() - 1;
        int open = 0;
        for (int n = 1; n <= first.lengthOfMonth(); n++) {
            open |= days.get(before + n) ? 1 << n : 0;
        }
        return open;
    }

    /** Returns a copy of the open days of a year: bit {@code n} is its day {@code n}, from 1. */
    public BitSet openDaysOf(int year) {
        return (BitSet) openDays(year).clone();
    }

    /** Returns why a day is closed: the name of a date, or the weekday; empty if it is open. */
    public Optional<String> closedBy(LocalDate day) {
        if (isOpen(day.toEpochDay())) {
            return Optional.empty();
        }
        return Optional.of(dateOf(closed, day)
                .map(date -> date.name().isEmpty() ? date.text() : date.name())
                .orElseGet(() -> day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH)));
    }

    /** Returns the name of the date that a day is open or closed by; empty if its weekday decides, or it has none. */
    public Optional<String> nameOf(LocalDate day) {
        return dateOf(open, day)
                .or(() -> dateOf(closed, day))
                .map(CalendarDate::name)
                .filter(n -> !n.isEmpty());
    }

    private static Optional<CalendarDate> dateOf(List<CalendarDate> dates, LocalDate day) {
        return dates.stream().filter(date -> date.contains(day)).findFirst();
    }

    private BitSet openDays(int year) {
        BitSet known = years.get(year);
        if (known != null) {
            return known;
        }
        if (years.size() >= KEPT_YEARS) {
            years.clear();
        }
        return years.computeIfAbsent(year, this::make);
    }

    private BitSet make(int number) {
        Year year = Year.of(number);
        BitSet days = new BitSet(Year.of(2000).length() + 1);
        int weekday = year.atDay(1).getDayOfWeek().getValue();
        for (int n = 1; n <= year.length(); n++) {
            days.set(n, week.contains(DayOfWeek.of((weekday + n - 2) % 7 + 1)));
        }
        closed.forEach(date -> date.mark(days, year, false));
        open.forEach(date -> date.mark(days, year, true));
        return days;
    }

    /** Returns whether both have the same name and the same days. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Calendar that
                        && name.equals(that.name)
                        && week.equals(that.week)
                        && closed.equals(that.closed)
                        && open.equals(that.open)
                        && Objects.equals(zone, that.zone)
                        && Objects.equals(knownUntil, that.knownUntil));
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, week, closed.size(), open.size(), knownUntil); // the dates may be thousands
    }

    @Override
    public String toString() {
        return "calendar " + name;
    }
}
