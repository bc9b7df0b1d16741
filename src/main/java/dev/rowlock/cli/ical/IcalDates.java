package dev.rowlock.cli.ical;

import dev.rowlock.cli.ical.IcalText.IcalEvent;
import dev.rowlock.cli.ical.IcalText.IcalProperty;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Dates of the all-day events of a file.
 *
 * @param everyYear names of days of every year
 * @param days names of single days
 * @param leftOut why how many events were not taken
 * @param knownUntil the end of the last year of a single day; empty: there are none
 */
public record IcalDates(
        Map<MonthDay, String> everyYear,
        Map<LocalDate, String> days,
        Map<String, Integer> leftOut,
        Optional<LocalDate> knownUntil) {

    /** Longest event whose days are taken. */
    private static final int MOST_DAYS = 366;

    private static final DateTimeFormatter DATE = DateTimeFormatter.BASIC_ISO_DATE;

    /**
     * Reads a file.
     *
     * @param today what ended before the year before is left out
     * @throws WrongIcal it is no calendar, or has no all-day event
     */
    public static IcalDates read(String text, LocalDate today) {
        DatesReading reading = new DatesReading(LocalDate.of(today.getYear() - 1, 1, 1));
        IcalText.events(text).forEach(reading::take);
        if (reading.everyYear.isEmpty() && reading.days.isEmpty()) {
            throw new WrongIcal("it has no all-day event that could be taken"
                    + (reading.leftOut.isEmpty() ? "" : ": " + sentence(reading.leftOut)));
        }
        Optional<LocalDate> last = reading.days.keySet().stream().max(LocalDate::compareTo);
        return new IcalDates(
                reading.everyYear, reading.days, reading.leftOut, last.map(day -> LocalDate.of(day.getYear(), 12, 31)));
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
        private final Map<MonthDay, String> everyYear = new TreeMap<>();
        private final Map<LocalDate, String> days = new TreeMap<>();
        private final Map<String, Integer> leftOut = new LinkedHashMap<>();

        DatesReading(LocalDate earliest) {
            this.earliest = earliest;
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
            LocalDate first = day(start, event);
            int length = length(event, first);
            Optional<IcalProperty> rule = event.find("RRULE");
            if (rule.isPresent()) {
                repeat(
                        event,
                        first,
                        length,
                        YearlyRule.parse(rule.get().value(), first)
                                .orElseThrow(() -> new NotTaken("that repeat in another way than yearly")));
            } else {
                add(first, length, event.summary());
                event.all("RDATE").forEach(p -> dates(p).forEach(day -> add(day, length, event.summary())));
                if (first.plusDays(length).isBefore(earliest)
                        && event.all("RDATE").isEmpty()) {
                    throw new NotTaken("before " + earliest.getYear());
                }
            }
        }

        private void repeat(IcalEvent event, LocalDate first, int length, YearlyRule rule) {
            Set<LocalDate> not = new HashSet<>();
            event.all("EXDATE").forEach(p -> dates(p).forEach(not::add));
            if (rule.isForEver() && not.isEmpty()) {
                for (int i = 0; i < length; i++) {
                    everyYear.putIfAbsent(MonthDay.from(first.plusDays(i)), event.summary());
                }
                return;
            }
            int until = earliest.getYear() + 1 + YearlyRule.YEARS;
            rule.days(first, until).filter(day -> !not.contains(day)).forEach(day -> add(day, length, event.summary()));
        }

        private void add(LocalDate first, int length, String name) {
            for (int i = 0; i < length; i++) {
                LocalDate day = first.plusDays(i);
                if (!day.isBefore(earliest)) {
                    days.putIfAbsent(day, name);
                }
            }
        }

        /** Returns the day of an event; Outlook writes it as midnight, and says beside it that it means the day. */
        private static LocalDate day(IcalProperty property, IcalEvent event) {
            boolean isDay = property.value().strip().length() == 8
                    || event.find("X-MICROSOFT-CDO-ALLDAYEVENT")
                            .filter(p -> p.value().strip().equalsIgnoreCase("TRUE"))
                            .isPresent();
            if (!isDay) {
                throw new NotTaken("with a time of day");
            }
            return date(property.value());
        }

        private static LocalDate date(String value) {
            try {
                return LocalDate.parse(
                        value.strip().substring(0, Math.min(8, value.strip().length())), DATE);
            } catch (DateTimeException e) {
                throw new NotTaken("whose day is none");
            }
        }

        private static Stream<LocalDate> dates(IcalProperty property) {
            return Stream.of(property.value().split(",", -1)).map(DatesReading::date);
        }

        /** Returns how many days it takes: its end is the day after, and nobody need say that of a single day. */
        private static int length(IcalEvent event, LocalDate first) {
            Optional<IcalProperty> end = event.find("DTEND");
            long length = end.map(p -> ChronoUnit.DAYS.between(first, date(p.value())))
                    .or(() -> event.find("DURATION").map(p -> days(p.value().strip())))
                    .orElse(1L);
            if (length > MOST_DAYS) {
                throw new NotTaken("of more than a year");
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
