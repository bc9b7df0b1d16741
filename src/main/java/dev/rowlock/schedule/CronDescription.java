package dev.rowlock.schedule;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import dev.rowlock.schedule.calendar.CalendarRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * English description of a cron expression. cron-utils describes the hours and minutes; all else is described here,
 * because its sentence would mean something else: with both days restricted, {@code W}, lists with {@code L}, and
 * uneven steps.
 */
record CronDescription(CronExpression cron) {

    private static final List<String> ORDINALS = List.of("first", "second", "third", "fourth", "fifth");

    static String of(CronSchedule schedule) {
        return inZone(schedule) + onOpenDays(schedule.cron.calendars());
    }

    private static String onOpenDays(@Nullable CalendarRule rule) {
        if (rule == null) {
            return "";
        }
        return switch (rule.onClosed()) {
            case SKIP -> "; not on days that are closed in " + rule.names();
            case NEXT -> "; from a day that is closed in " + rule.names() + " it moves to the next open one";
            case PREVIOUS -> "; from a day that is closed in " + rule.names() + " it moves to the previous open one";
            case RUN -> "; open days are those of " + rule.names();
        };
    }

    private static String inZone(CronSchedule schedule) {
        String sentence = new CronDescription(schedule.cron).sentence();
        if (!schedule.isZoned()) {
            return sentence + ", " + schedule.zone().getId() + " time";
        }
        String change = schedule.oncePerLocalTime
                ? "; what the clocks skip fires at the jump, what they repeat fires the first time"
                : "; what the clocks skip does not fire, what they repeat fires both times";
        // A clock that is followed at every hour is followed through a change of it.
        boolean goesOn = schedule.cron.hours() == CronExpression.ALL_HOURS && !schedule.oncePerLocalTime;
        return sentence + ", " + schedule.zone().getId() + " time" + (goesOn ? "" : change);
    }

    private String sentence() {
        StringJoiner parts = new StringJoiner(" ");
        parts.add(time());
        if (cron.bothDaysRestricted()) {
            parts.add("on " + monthDays() + ", and also on " + weekDays());
        } else if (!cron.monthDays().any()) {
            parts.add("on " + monthDays());
        } else if (!cron.weekDays().any()) {
            parts.add("on " + weekDays());
        } else if (cron.hours() != CronExpression.ALL_HOURS) {
            parts.add("every day");
        }
        if (!cron.bothDaysRestricted()) {
            monthsAndYears(parts);
            return withoutComma(parts.toString());
        }
        // Said behind "and also on every Friday", a month would seem to belong to the Fridays alone.
        StringJoiner only = new StringJoiner(" ", "; only ", "").setEmptyValue("");
        monthsAndYears(only);
        return parts.toString() + only;
    }

    private void monthsAndYears(StringJoiner parts) {
        if (cron.months() != CronExpression.ALL_MONTHS) {
            parts.add("in " + spoken(named(CronField.MONTH, cron.months())));
        }
        if (!cron.isEveryYear()) {
            parts.add("in " + spokenRuns(CronText.list(CronField.YEAR, cron.years())));
        }
    }

    private static String withoutComma(String text) {
        return text.endsWith(",") ? text.substring(0, text.length() - 1) : text;
    }

    private String time() {
        boolean everyMinute = cron.minutes() == CronExpression.ALL_60 && cron.hours() == CronExpression.ALL_HOURS;
        if (cron.seconds() == 1) {
            return hoursAndMinutes();
        }
        String seconds = seconds();
        return everyMinute && !seconds.startsWith("at")
                ? seconds
                : hoursAndMinutes() + ", " + seconds + " of the minute,";
    }

    private String seconds() {
        String text = CronText.shortest(CronField.SECOND, cron.seconds());
        if (text.equals("*")) {
            return "every second";
        }
        if (text.startsWith("*/") && 60 % FieldValues.number(text.substring(2)) == 0) {
            return "every " + text.substring(2) + " seconds";
        }
        return (Long.bitCount(cron.seconds()) == 1 ? "at second " : "at seconds ")
                + spokenRuns(CronText.list(CronField.SECOND, cron.seconds()));
    }

    private String hoursAndMinutes() {
        // "Every minute every 2 hours" might be said of one minute in 120.
        boolean oncePerHour = Long.bitCount(cron.minutes()) == 1;
        String hours = oncePerHour || cron.hours() == CronExpression.ALL_HOURS
                ? evenly(CronField.HOUR, cron.hours())
                : CronText.list(CronField.HOUR, cron.hours());
        String text = evenly(CronField.MINUTE, cron.minutes()) + " " + hours + " * * *";
        var parser = new com.cronutils.parser.CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
        return CronDescriptor.instance(Locale.ENGLISH)
                .describe(parser.parse(text))
                .strip();
    }

    /** Writes a step only if it goes on evenly: <code>*&#47;7</code> minutes is not every 7 minutes. */
    private static String evenly(CronField field, long mask) {
        String text = CronText.shortest(field, mask);
        boolean uneven = text.contains(",")
                || (text.startsWith("*/") && field.size() % FieldValues.number(text.substring(2)) != 0);
        return uneven ? CronText.list(field, mask) : text;
    }

    private String monthDays() {
        MonthDays days = cron.monthDays();
        List<String> said = new ArrayList<>();
        if (days.days() != 0) {
            said.add((Integer.bitCount(days.days()) == 1 ? "day " : "days ")
                    + spokenRuns(CronText.list(CronField.DAY_OF_MONTH, Integer.toUnsignedLong(days.days()))));
        }
        CronText.bits(days.nearest()).forEach(n -> said.add("the weekday nearest to day " + n));
        CronText.bits(days.beforeLast()).forEach(n -> said.add(beforeLast(n, "")));
        if (days.lastWeekday()) {
            said.add("the last weekday");
        }
        CronText.bits(days.open())
                .forEach(n -> said.add("the " + (n < 6 ? ORDINALS.get(n - 1) : n + ordinalEnding(n)) + " open day"));
        CronText.bits(days.openBeforeLast()).forEach(n -> said.add(beforeLast(n, "open ")));
        return spoken(said) + " of the month";
    }

    /** Names one day: "2 days before the last day" could be taken for two. */
    private static String beforeLast(int n, String kind) {
        return switch (n) {
            case 0 -> "the last " + kind + "day";
            case 1 -> "the " + kind + "day before the last " + kind + "day";
            default -> "the " + n + ordinalEnding(n) + " " + kind + "day before the last " + kind + "day";
        };
    }

    /** Returns the ending for a number from 2 to 31. */
    private static String ordinalEnding(int n) {
        return switch (n) {
            case 21, 31 -> "st";
            case 2, 22 -> "nd";
            case 3, 23 -> "rd";
            default -> "th";
        };
    }

    private String weekDays() {
        WeekDays days = cron.weekDays();
        List<String> said = new ArrayList<>();
        if (days.days() != 0) {
            said.add("every " + spoken(named(CronField.DAY_OF_WEEK, days.days())));
        }
        for (int k = 1; k <= 5; k++) {
            for (String day : named(CronField.DAY_OF_WEEK, days.nth(k))) {
                said.add("the " + ORDINALS.get(k - 1) + " " + day + " of the month");
            }
        }
        for (String day : named(CronField.DAY_OF_WEEK, days.last())) {
            said.add("the last " + day + " of the month");
        }
        return spoken(said);
    }

    private static List<String> named(CronField field, int mask) {
        return CronText.bits(mask)
                .mapToObj(n -> field.names.get(n - field.min))
                .map(name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                .toList();
    }

    /** Speaks a list as {@link CronText} writes it. */
    private static String spokenRuns(String list) {
        return spoken(List.of(list.replace("-", " to ").split(",", -1)));
    }

    private static String spoken(List<String> items) {
        int last = items.size() - 1;
        return last < 1
                ? String.join("", items)
                : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }
}
