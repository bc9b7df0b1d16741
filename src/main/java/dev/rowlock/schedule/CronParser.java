package dev.rowlock.schedule;

import java.util.Arrays;
import java.util.BitSet;

/** Parser of the 5, 6 or 7 fields of a cron expression. */
final class CronParser {

    private static final String FIVE = "minute hour day-of-month month day-of-week";

    private CronParser() {}

    static CronExpression parse(String text) {
        String[] fields = text.split("[ \t]+", -1);
        if (fields.length < 5 || fields.length > 7) {
            throw wrongCount(text, fields);
        }
        try {
            return read(text, fields);
        } catch (ScheduleProblem problem) {
            String command = command(fields);
            throw new ScheduleProblem(problem.getMessage()
                    + (command.isEmpty() ? CronGuess.of(fields, CronParser::isReadable) : command));
        }
    }

    private static CronExpression read(String text, String[] fields) {
        int first = fields.length == 5 ? 0 : 1;
        FieldValues minutes = values(CronField.MINUTE, fields[first]);
        FieldValues hours = values(CronField.HOUR, fields[first + 1]);
        long seconds = first == 0 ? 1 : values(CronField.SECOND, fields[0]).mask();
        MonthDays monthDays = MonthDayValues.parse(fields[first + 2]);
        WeekDays weekDays = WeekDayValues.parse(fields[first + 4]);
        // One day field that lists every day restricts nothing when the other does not either.
        boolean everyDay = (weekDays.any() && monthDays.days() == MonthDays.ALL_DAYS)
                || (monthDays.any() && weekDays.days() == WeekDays.ALL_DAYS);
        CronExpression cron = new CronExpression(
                seconds,
                minutes.mask(),
                (int) hours.mask(),
                minutes.startsWithStar(),
                hours.startsWithStar(),
                everyDay ? MonthDays.ANY : monthDays,
                everyDay ? WeekDays.ANY : weekDays,
                (int) values(CronField.MONTH, fields[first + 3]).mask(),
                fields.length == 7 ? years(fields[6]) : new BitSet(),
                null);
        if (!cron.everMatches()) {
            throw new ScheduleProblem("the expression " + Quoted.of(text)
                    + " never matches: no such day exists; change day-of-month, month or year; for a job that runs"
                    + " only when asked for write @manual");
        }
        return cron;
    }

    private static FieldValues values(CronField field, String text) {
        FieldValues values = new FieldValues(field, text);
        values.read();
        return values;
    }

    private static BitSet years(String text) {
        FieldValues values = values(CronField.YEAR, text);
        return values.unrestricted() ? new BitSet() : values.bits();
    }

    private static ScheduleProblem wrongCount(String text, String[] fields) {
        String needed = "; needed are 5 (" + FIVE + "), 6 with seconds first, or 7 with seconds first and year last";
        if (text.isEmpty()) {
            return new ScheduleProblem("the schedule is empty" + needed);
        }
        String remedy = "";
        if (fields.length < 5) {
            String filled = String.join(" ", fields) + " *".repeat(5 - fields.length);
            remedy = isReadable(filled) ? "; did you mean " + Quoted.of(filled) + "?" : "";
        }
        return new ScheduleProblem(Quoted.of(text) + " has " + fields.length
                + (fields.length == 1 ? " field" : " fields") + needed + remedy + command(fields));
    }

    /** Returns the remedy for a whole line of a crontab; empty for all else. */
    private static String command(String[] fields) {
        if (fields.length < 6 || !fields[5].matches(".*[A-Za-z/.~].*") || isReadable("* * * * " + fields[5])) {
            return "";
        }
        String five = String.join(" ", Arrays.copyOf(fields, 5));
        return isReadable(five) ? "; if " + Quoted.of(five) + " is meant, the rest belongs in command" : "";
    }

    private static boolean isReadable(String text) {
        String[] fields = text.split(" ", -1);
        try {
            if (fields.length < 5 || fields.length > 7) {
                return false;
            }
            read(text, fields);
            return true;
        } catch (ScheduleProblem problem) {
            return false;
        }
    }

    /** Reader of a day-of-week field: besides numbers and names {@code nL}, {@code n#k}. */
    private static final class WeekDayValues extends FieldValues {

        private int last;
        private long nth;

        private WeekDayValues(String text) {
            super(CronField.DAY_OF_WEEK, text);
        }

        static WeekDays parse(String text) {
            if (text.equals("?")) {
                return WeekDays.ANY;
            }
            WeekDayValues values = new WeekDayValues(text);
            values.read();
            return values.unrestricted()
                    ? WeekDays.ANY
                    : new WeekDays(false, (int) values.mask(), values.last, values.nth);
        }

        @Override
        boolean special(String item) {
            int hash = item.indexOf('#');
            if (hash >= 0) {
                int k = number(item.substring(hash + 1));
                if (k < 1 || k > 5) {
                    throw field.problem(
                            item, "needs a number from 1 to 5 after #, such as FRI#2 for the second Friday");
                }
                nth |= 1L << (7 * (k - 1) + normal(value(item.substring(0, hash), item)));
                return true;
            }
            char end = Character.toUpperCase(item.charAt(item.length() - 1));
            if (end != 'L' || field.named(item) != CronField.NOT_A_NAME) {
                return false;
            }
            if (item.length() == 1) {
                throw field.problem(item, "needs a day, such as 5L for the last Friday of the month; Saturday is 6");
            }
            last |= 1 << normal(value(item.substring(0, item.length() - 1), item));
            return true;
        }
    }
}
