package dev.rowlock.cli.ical;

import dev.rowlock.cli.ical.IcalText.IcalEvent;
import dev.rowlock.cli.ical.IcalText.IcalProperty;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Dates of the all-day events of a file.
 *
 * @param everyYear names of days of every year
 * @param days names of single days
 * @param leftOut why how many events were not taken
 * @param knownUntil the end of the last year for which days are listed, or for which a rule without an end was written
 *     out; empty: there are days of every year alone
 */
public record IcalDates(
        Map<MonthDay, String> everyYear,
        Map<LocalDate, String> days,
        Map<String, Integer> leftOut,
        Optional<LocalDate> knownUntil) {

    /** Longest event whose days are taken. */
    private static final int MOST_DAYS = 366;

    private static final DateTimeFormatter DATE = DateTimeFormatter.BASIC_ISO_DATE;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss", Locale.ROOT);
    private static final int NOON = 12;

    /**
     * Reads a file.
     *
     * @param today what ended before the year before is left out
     * @param zone in which midnights may be meant that are written as instants; null: that of the file, if it says so
     * @throws WrongIcal it is no calendar, or has no all-day event
     */
    public static IcalDates read(String text, LocalDate today, @Nullable ZoneId zone) {
        List<IcalEvent> events = IcalText.events(text);
        DatesReading reading = new DatesReading(
                LocalDate.of(today.getYear() - 1, 1, 1),
                zone == null ? IcalText.zone(text).flatMap(IcalDates::zone).orElse(null) : zone);
        events.forEach(reading::take);
        if (reading.everyYear.isEmpty() && reading.days.isEmpty()) {
            throw new WrongIcal("it has no all-day event that could be taken"
                    + (reading.leftOut.isEmpty() ? "" : ": " + sentence(reading.leftOut)));
        }
        return new IcalDates(reading.everyYear, reading.days, reading.leftOut, reading.knownUntil(today));
    }

    /** Returns the zone of a name; empty: there is none. */
    public static Optional<ZoneId> zone(String name) {
        return ZoneId.getAvailableZoneIds().contains(name) ? Optional.of(ZoneId.of(name)) : Optional.empty();
    }

    /** Returns what was left out, in one sentence. */
    public static String sentence(Map<String, Integer> leftOut) {
        List<String> parts = new ArrayList<>();
        leftOut.forEach((why, count) -> parts.add(count + (count == 1 ? " event" : " events") + " " + why));
        return String.join("; ", parts);
    }

    /** Reason to leave an event out. */
    private static final class NotTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotTaken(String why) {
            super(why, null, false, false);
        }
    }

    private static final class DatesReading {

        private final LocalDate earliest;
        private final @Nullable ZoneId zone;
        private final Map<MonthDay, String> everyYear = new TreeMap<>();
        private final Map<LocalDate, String> days = new TreeMap<>();
        private final Map<String, Integer> leftOut = new LinkedHashMap<>();
        /** Last day that the file itself names, or a rule with an end. */
        private LocalDate lastListed = LocalDate.MIN;
        /** Whether a rule without an end was written out, up to {@link #horizon}. */
        private boolean isCut;

        DatesReading(LocalDate earliest, @Nullable ZoneId zone) {
            this.earliest = earliest;
            this.zone = zone;
        }

        private int horizon() {
            return earliest.getYear() + 1 + YearlyRule.YEARS;
        }

        /** Single days of the past say nothing where rules go on. */
        Optional<LocalDate> knownUntil(LocalDate today) {
            boolean goesOn = isCut || !everyYear.isEmpty();
            if (lastListed.getYear() >= today.getYear() || (!goesOn && !lastListed.equals(LocalDate.MIN))) {
                int year = isCut ? Math.min(lastListed.getYear(), horizon()) : lastListed.getYear();
                return Optional.of(LocalDate.of(year, 12, 31));
            }
            return isCut ? Optional.of(LocalDate.of(horizon(), 12, 31)) : Optional.empty();
        }

        void take(IcalEvent event) {
            try {
                read(event);
            } catch (NotTaken e) {
                leftOut.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
            }
        }

        private void read(IcalEvent event) {
            if (event.find("STATUS")
                    .filter(p -> p.value().equalsIgnoreCase("CANCELLED"))
                    .isPresent()) {
                throw new NotTaken("called off");
            }
            if (event.find("RECURRENCE-ID").isPresent()) {
                throw new NotTaken("that move one day of a series");
            }
            if (event.find("DESCRIPTION")
                    .filter(p -> p.value().startsWith("Observance"))
                    .isPresent()) {
                throw new NotTaken("that are called an observance, no public holiday");
            }
            IcalProperty start = event.find("DTSTART").orElseThrow(() -> new NotTaken("without a day"));
            LocalDate first = day(start.value(), event);
            int length = length(event, first, start);
            List<LocalDate> further = days("RDATE", event);
            boolean isTaken = event.find("RRULE").isPresent()
                    ? repeat(event, first, length)
                    : list(first, length, event.summary());
            for (LocalDate day : further) {
                isTaken |= list(day, length, event.summary());
            }
            if (!isTaken) {
                throw new NotTaken("before " + earliest.getYear());
            }
        }

        private boolean repeat(IcalEvent event, LocalDate first, int length) {
            String text = event.find("RRULE").map(IcalProperty::value).orElse("");
            YearlyRule rule = YearlyRule.parse(text, first, this::lastDay)
                    .orElseThrow(() -> new NotTaken("that repeat in another way than yearly"));
            List<LocalDate> not = days("EXDATE", event);
            if (rule.isForEver() && not.isEmpty() && isSameEachYear(first, length)) {
                for (int i = 0; i < length; i++) {
                    everyYear.putIfAbsent(MonthDay.from(first.plusDays(i)), event.summary());
                }
                return true;
            }
            isCut |= rule.isWithoutEnd();
            boolean isTaken = false;
            for (LocalDate day : rule.days(first, horizon()).toList()) {
                if (!not.contains(day)) {
                    isTaken |= rule.isWithoutEnd()
                            ? add(day, length, event.summary())
                            : list(day, length, event.summary());
                }
            }
            return isTaken;
        }

        /** Returns whether it has begun, and its days do not depend on leap years. */
        private boolean isSameEachYear(LocalDate first, int length) {
            LocalDate last = first.plusDays(length - 1L);
            boolean leaps =
                    first.getMonthValue() <= 2 && (last.getMonthValue() > 2 || last.getYear() > first.getYear());
            return first.getYear() <= earliest.getYear() + 1 && !leaps;
        }

        private boolean list(LocalDate first, int length, String name) {
            LocalDate last = first.plusDays(length - 1L);
            lastListed = last.isAfter(lastListed) ? last : lastListed;
            return add(first, length, name);
        }

        /** Adds those of some days that are not too old; returns whether there is one. */
        private boolean add(LocalDate first, int length, String name) {
            for (int i = 0; i < length; i++) {
                LocalDate day = first.plusDays(i);
                if (!day.isBefore(earliest)) {
                    days.putIfAbsent(day, name);
                }
            }
            return !first.plusDays(length - 1L).isBefore(earliest);
        }

        /**
         * Returns the day of an event. Many write it as midnight, as they see it or as an instant; Outlook says beside
         * it that it means the day.
         */
        private LocalDate day(String value, IcalEvent event) {
            String text = value.strip();
            if (text.length() == 8) {
                return date(text);
            }
            return midnight(text)
                    .or(() -> saysAllDay(event) ? Optional.of(nearest(text)) : Optional.empty())
                    .orElseThrow(() -> new NotTaken("with a time of day"));
        }

        private static boolean saysAllDay(IcalEvent event) {
            return event.find("X-MICROSOFT-CDO-ALLDAYEVENT")
                    .filter(p -> p.value().strip().equalsIgnoreCase("TRUE"))
                    .isPresent();
        }

        /** Returns the day that begins at a time; empty if none does. */
        private Optional<LocalDate> midnight(String text) {
            LocalDateTime time = time(text);
            if (text.endsWith("Z") && zone != null) {
                LocalDateTime there =
                        time.atOffset(ZoneOffset.UTC).atZoneSameInstant(zone).toLocalDateTime();
                if (there.toLocalTime().equals(LocalTime.MIDNIGHT)) {
                    return Optional.of(there.toLocalDate());
                }
            }
            return time.toLocalTime().equals(LocalTime.MIDNIGHT) ? Optional.of(time.toLocalDate()) : Optional.empty();
        }

        /** Returns the day of an instant that is the midnight of a zone which nobody names. */
        private static LocalDate nearest(String text) {
            LocalDateTime time = time(text);
            boolean isEast = text.endsWith("Z") && time.getHour() >= NOON;
            return time.toLocalDate().plusDays(isEast ? 1 : 0);
        }

        /** Returns the day that a rule ends with, which may be written as an instant. */
        private LocalDate lastDay(String text) {
            if (text.length() == 8) {
                return date(text);
            }
            LocalDateTime time = time(text);
            return text.endsWith("Z") && zone != null
                    ? time.atOffset(ZoneOffset.UTC).atZoneSameInstant(zone).toLocalDate()
                    : time.toLocalDate();
        }

        private static LocalDateTime time(String text) {
            try {
                return LocalDateTime.parse(text.endsWith("Z") ? text.substring(0, text.length() - 1) : text, TIME);
            } catch (DateTimeException e) {
                throw new NotTaken("whose day is none");
            }
        }

        private static LocalDate date(String text) {
            try {
                return LocalDate.parse(text, DATE);
            } catch (DateTimeException e) {
                throw new NotTaken("whose day is none");
            }
        }

        /** Returns the days that a property lists, of periods those on which they begin. */
        private List<LocalDate> days(String property, IcalEvent event) {
            return event.all(property).stream()
                    .flatMap(p -> Stream.of(p.value().split(",", -1)))
                    .map(text -> day(text.split("/", 2)[0], event))
                    .toList();
        }

        /** Returns how many days it takes: its end is the day after, and nobody need say that of a single day. */
        private int length(IcalEvent event, LocalDate first, IcalProperty start) {
            long length = event.find("DTEND")
                    .map(p -> ChronoUnit.DAYS.between(first, day(p.value(), event)))
                    .or(() -> event.find("DURATION").map(p -> days(p.value().strip())))
                    .orElseGet(() -> start.value().strip().length() == 8 || saysAllDay(event) ? 1L : 0L);
            if (length > MOST_DAYS) {
                throw new NotTaken("of more than a year");
            }
            if (length < 1 && start.value().strip().length() > 8 && !saysAllDay(event)) {
                throw new NotTaken("with a time of day");
            }
            return (int) Math.max(1, length);
        }

        private static long days(String duration) {
            if (duration.matches("P[0-9]{1,3}D")) {
                return Long.parseLong(duration.substring(1, duration.length() - 1));
            }
            if (duration.matches("P[0-9]{1,2}W")) {
                return 7 * Long.parseLong(duration.substring(1, duration.length() - 1));
            }
            throw new NotTaken("that do not last whole days");
        }
    }

    /** Returns how many entries the calendar gets. */
    public int size() {
        return everyYear.size() + days.size();
    }
}
