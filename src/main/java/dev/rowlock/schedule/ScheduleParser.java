package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of the text of a schedule: its zone prefix, its {@code @} forms; fields are left to {@link CronParser}. */
final class ScheduleParser {

    /** Longest text, beyond any sensible schedule; bounds the cost of parsing. */
    private static final int MAX_LENGTH = 1000;

    private static final Map<String, String> NICKNAMES = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");
    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry("@fortnightly", "@every 14d"),
            Map.entry("@biweekly", "@every 14d"),
            Map.entry("@quarterly", "0 0 1 */3 *"),
            Map.entry("@minutely", "* * * * *"),
            Map.entry("@minute", "* * * * *"),
            Map.entry("@every_minute", "* * * * *"),
            Map.entry("@everyminute", "* * * * *"),
            Map.entry("@every_second", "* * * * * *"),
            Map.entry("@everysecond", "* * * * * *"),
            Map.entry("@secondly", "* * * * * *"),
            Map.entry("@noon", "0 12 * * *"),
            Map.entry("@weekday", "0 0 * * MON-FRI"),
            Map.entry("@weekdays", "0 0 * * MON-FRI"),
            Map.entry("@never", "@manual"),
            Map.entry("@none", "@manual"));
    /** Day of the week by number, not as the k of n#k. */
    private static final Pattern NUMBERED_DAY = Pattern.compile("(^|[,-])[0-9]");

    private static final ZoneId UTC = ZoneId.of("UTC");

    private final ZoneId zone;
    /** Zone of the prefix. Fields and closed dates have a use for it: an instant or a period is the same everywhere. */
    private final @Nullable ZoneId zoneInText;

    private final DaylightSaving rule;
    private final Instant anchor;
    private final @Nullable CalendarRule calendars;

    private ScheduleParser(
            ZoneId zone,
            @Nullable ZoneId zoneInText,
            DaylightSaving rule,
            Instant anchor,
            @Nullable CalendarRule calendars) {
        this.zone = zone;
        this.zoneInText = zoneInText;
        this.rule = rule;
        this.anchor = anchor;
        this.calendars = calendars;
    }

    static Schedule parse(
            String text, ZoneId zone, DaylightSaving rule, Instant anchor, @Nullable CalendarRule calendars) {
        if (text.length() > MAX_LENGTH) {
            throw new ScheduleProblem("the schedule has " + text.length() + " characters; allowed are " + MAX_LENGTH);
        }
        String trimmed = trim(text);
        String named = trimmed.startsWith("CRON_TZ=") ? trimmed.substring(5) : trimmed;
        if (!named.startsWith("TZ=")) {
            refuseSmallLetters(trimmed);
            return new ScheduleParser(zone, null, rule, anchor, calendars).body(trimmed);
        }
        String[] words = firstAndRest(named.substring(3));
        return new ScheduleParser(zone, zone(words[0]), rule, anchor, calendars).body(words[1]);
    }

    private Schedule body(String text) {
        if (!text.startsWith("@")) {
            return cron(text, text);
        }
        String[] words = firstAndRest(text);
        String word = words[0];
        String rest = words[1];
        return switch (word) {
            case "@every" -> every(EveryText.parse(rest));
            case "@at" -> withoutCalendar(word, AtSchedule.parse(rest, zone));
            default -> alone(word, rest);
        };
    }

    private Schedule alone(String word, String rest) {
        String fields = NICKNAMES.get(word);
        if (fields == null && !word.equals("@manual")) {
            throw unknown(word, rest);
        }
        if (!rest.isEmpty()) {
            throw new ScheduleProblem(word + ": " + Quoted.of(rest) + " is too much; " + word + " stands alone");
        }
        return fields == null ? withoutCalendar(word, new ManualSchedule(zone)) : cron(fields, "");
    }

    private Schedule every(Duration period) {
        Instant from = wholeSecond(anchor);
        if (calendars == null || calendars.onClosed() == OnClosed.RUN) {
            return new EverySchedule(period, from, zone);
        }
        if (calendars.onClosed() != OnClosed.SKIP) {
            throw new ScheduleProblem("@every has no time of day that onClosed " + calendars.onClosed()
                    + " could move; allowed with it are SKIP and RUN");
        }
        ZoneId ofDates = zoneInText == null ? zone : zoneInText;
        return new OpenSchedule(new EverySchedule(period, from, ofDates), zoneInText != null, calendars);
    }

    private Schedule withoutCalendar(String word, Schedule schedule) {
        if (calendars != null) {
            throw new ScheduleProblem(word + " takes no calendar; leave calendar out");
        }
        return schedule;
    }

    private CronSchedule cron(String fields, String written) {
        String[] columns = written.split("[ \t]+", -1);
        List<String> remarks = new ArrayList<>();
        if (columns.length >= 6 && NUMBERED_DAY.matcher(columns[5]).find()) {
            remarks.add("day-of-week counts Sunday as 0 or 7 and Monday as 1; in Quartz Sunday is 1;"
                    + " names such as MON-FRI mean the same everywhere");
        }
        if (zoneInText != null && !zoneInText.equals(zone) && !zone.equals(UTC)) {
            remarks.add("the prefix TZ=" + zoneInText.getId() + " counts, and zone " + zone.getId() + " does not");
        }
        CronExpression cron = CronParser.parse(fields);
        if (calendars == null && cron.monthDays().countsOpenDays()) {
            throw new ScheduleProblem("day-of-month: nB, LB and LB-n count the open days of a calendar; name one in"
                    + " calendar, or write L or LW for the last day or weekday");
        }
        return new CronSchedule(
                calendars == null ? cron : cron.by(calendars),
                zoneInText == null ? zone : zoneInText,
                zoneInText != null,
                rule,
                remarks);
    }

    private static Instant wholeSecond(Instant anchor) {
        long second = anchor.truncatedTo(ChronoUnit.SECONDS).getEpochSecond();
        return Instant.ofEpochSecond(Math.max(FireTimes.FIRST, Math.min(second, FireTimes.LAST)));
    }

    private static ScheduleProblem unknown(String word, String rest) {
        String lower = word.toLowerCase(Locale.ROOT);
        String remedy = remedy(word, lower, rest);
        if (lower.equals("@reboot")) {
            return new ScheduleProblem("\"@reboot\" has no meaning in a cluster, which has no single start;"
                    + " let the service manager of the host run the command");
        }
        return new ScheduleProblem(Quoted.of(word) + " is not known; allowed are @yearly, @annually, @monthly, @weekly,"
                + " @daily, @midnight, @hourly, @every, @at, @manual"
                + (remedy == null ? "" : "; did you mean " + Quoted.of(remedy) + "?"));
    }

    private static @Nullable String remedy(String word, String lower, String rest) {
        if (lower.equals("@every") || lower.equals("@at")) {
            return lower + " " + rest;
        }
        if (NICKNAMES.containsKey(lower) || lower.equals("@manual")) {
            return lower;
        }
        if (REMEDIES.containsKey(lower)) {
            return REMEDIES.get(lower);
        }
        if (lower.startsWith("@every")) {
            return EveryText.guess(word.substring(6) + " " + rest)
                    .map(period -> "@every " + Durations.format(period))
                    .orElse(null);
        }
        // @day, @dayly, @weekley: no two nicknames begin alike.
        return NICKNAMES.keySet().stream()
                .filter(known -> lower.startsWith(known.substring(0, 3)))
                .findFirst()
                .orElse(null);
    }

    private static void refuseSmallLetters(String text) {
        String start = text.substring(0, text.indexOf('=') + 1);
        if (start.equalsIgnoreCase("TZ=") || start.equalsIgnoreCase("CRON_TZ=")) {
            throw new ScheduleProblem(Quoted.of(start) + " is not a prefix; allowed are TZ= and CRON_TZ=, in capitals");
        }
    }

    private static ZoneId zone(String name) {
        try {
            return Zones.of(name);
        } catch (DateTimeException e) {
            throw new ScheduleProblem("TZ: " + Zones.problem(name));
        }
    }

    private static String[] firstAndRest(String text) {
        String[] words = text.split("[ \t]", 2);
        return new String[] {words[0], words.length < 2 ? "" : trim(words[1])};
    }

    /** Removes surrounding blanks and line ends. */
    private static String trim(String text) {
        return text.replaceAll("^[ \t\r\n]+|[ \t\r\n]+$", "");
    }

    /** Schedule {@code @manual}: never by itself. */
    private record ManualSchedule(ZoneId zone) implements Schedule {

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            return Optional.empty();
        }

        @Override
        public String normalized() {
            return "@manual";
        }

        @Override
        public String description() {
            return "only when asked for";
        }

        @Override
        public boolean isManual() {
            return true;
        }
    }

    /**
     * Schedule {@code @at}: once.
     *
     * @param at a whole millisecond
     */
    private record AtSchedule(Instant at, ZoneId zone) implements Schedule {

        static AtSchedule parse(String text, ZoneId zone) {
            Instant at;
            try {
                at = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
            } catch (DateTimeParseException e) {
                String separator = text.matches("[0-9-]+ [0-9].*") ? "; write a T between date and time" : "";
                String remedy = text.matches("[0-9-]+[T ][0-9:.]+")
                        ? "; the offset from UTC is missing, such as Z or +01:00"
                        : "";
                throw new ScheduleProblem("@at: " + Quoted.of(text)
                        + " is not a time; allowed is ISO-8601 with an offset, such as 2026-12-01T03:00:00+01:00"
                        + separator + remedy);
            }
            if (at.getEpochSecond() < FireTimes.FIRST || at.getEpochSecond() > FireTimes.LAST) {
                throw new ScheduleProblem(
                        "@at: " + Quoted.of(text) + " is out of range; allowed are the years 1 to 9999");
            }
            return new AtSchedule(at, zone);
        }

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            return t.isBefore(at) ? Optional.of(at) : Optional.empty();
        }

        @Override
        public String normalized() {
            return "@at " + at;
        }

        @Override
        public String description() {
            return "once, at " + at;
        }

        @Override
        public List<String> warnings(Instant from) {
            return at.isAfter(from) ? List.of() : List.of("it never fires: " + at + " is past");
        }
    }
}
