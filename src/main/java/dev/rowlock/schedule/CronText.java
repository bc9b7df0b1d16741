package dev.rowlock.schedule;

import java.util.StringJoiner;

/**
 * Writes a cron expression in the one form of all its spellings: the fewest fields that say it, ascending values, ranges where three or
 * more follow each other, days of the week by name. A minute or hour field that was written with a leading star keeps one, since a clock
 * change asks for it.
 */
final class CronText {

    private CronText() {}

    static String of(CronExpression cron) {
        StringJoiner text = new StringJoiner(" ");
        boolean years = !cron.years().any();
        if (years || cron.seconds() != 1) {
            text.add(shortest(Field.SECOND, cron.seconds()));
        }
        text.add(numbers(Field.MINUTE, cron.minutes(), cron.minuteStar()));
        text.add(numbers(Field.HOUR, cron.hours(), cron.hourStar()));
        text.add(monthDays(cron.monthDays()));
        text.add(shortest(Field.MONTH, cron.months()));
        text.add(weekDays(cron.weekDays()));
        if (years) {
            text.add(years(cron.years()));
        }
        return text.toString();
    }

    /** The shortest form: a star, a star with a step, or a list. */
    static String shortest(Field field, long mask) {
        for (int step = 1; step < field.size(); step++) {
            if (mask == everyNth(field, step)) {
                return step == 1 ? "*" : "*/" + step;
            }
        }
        return list(field, mask);
    }

    /** Beginning with a star exactly if asked for. */
    private static String numbers(Field field, long mask, boolean star) {
        if (!star) {
            return list(field, mask);
        }
        String shortest = shortest(field, mask);
        return shortest.startsWith("*") ? shortest : starred(field, mask);
    }

    /** A list that begins with a star step, such as <code>*&#47;20,5</code>: the smallest step whose values are all in the mask. */
    private static String starred(Field field, long mask) {
        for (int step = 1; step < field.size(); step++) {
            long steps = everyNth(field, step);
            if ((steps & ~mask) == 0) {
                return "*/" + step + "," + list(field, mask & ~steps);
            }
        }
        throw new IllegalStateException(field + " has no star in " + Long.toBinaryString(mask));
    }

    private static long everyNth(Field field, int step) {
        long mask = 0;
        for (int value = field.min; value <= field.max; value += step) {
            mask |= 1L << value;
        }
        return mask;
    }

    static String list(Field field, long mask) {
        StringJoiner items = new StringJoiner(",");
        addRuns(items, field, mask, 0);
        return items.toString();
    }

    /** Adds single values, and ranges of three or more; bit 0 stands for {@code base}. */
    private static void addRuns(StringJoiner items, Field field, long mask, int base) {
        long rest = mask;
        while (rest != 0) {
            int from = Long.numberOfTrailingZeros(rest);
            int length = Long.numberOfTrailingZeros(~(rest >>> from));
            if (length < 3) {
                length = 1;
                items.add(name(field, base + from));
            } else {
                items.add(name(field, base + from) + "-" + name(field, base + from + length - 1));
            }
            rest = length == 64 ? 0 : rest & ~(((1L << length) - 1) << from);
        }
    }

    private static String name(Field field, int value) {
        return field == Field.DAY_OF_WEEK ? field.shortName(value) : Integer.toString(value);
    }

    private static String monthDays(MonthDays days) {
        if (days.any()) {
            return "*";
        }
        StringJoiner items = new StringJoiner(",");
        addRuns(items, Field.DAY_OF_MONTH, days.days() & 0xFFFF_FFFFL, 0);
        for (int rest = days.nearest(); rest != 0; rest &= rest - 1) {
            items.add(Integer.numberOfTrailingZeros(rest) + "W");
        }
        for (int rest = days.beforeLast(); rest != 0; rest &= rest - 1) {
            int n = Integer.numberOfTrailingZeros(rest);
            items.add(n == 0 ? "L" : "L-" + n);
        }
        if (days.lastWeekday()) {
            items.add("LW");
        }
        return items.toString();
    }

    private static String weekDays(WeekDays days) {
        if (days.any()) {
            return "*";
        }
        StringJoiner items = new StringJoiner(",");
        addRuns(items, Field.DAY_OF_WEEK, days.days(), 0);
        for (int k = 1; k <= 5; k++) {
            for (int rest = days.nth(k); rest != 0; rest &= rest - 1) {
                items.add(name(Field.DAY_OF_WEEK, Integer.numberOfTrailingZeros(rest)) + "#" + k);
            }
        }
        for (int rest = days.last(); rest != 0; rest &= rest - 1) {
            items.add(name(Field.DAY_OF_WEEK, Integer.numberOfTrailingZeros(rest)) + "L");
        }
        return items.toString();
    }

    static String years(YearSet years) {
        StringJoiner items = new StringJoiner(",");
        int from = years.atOrAfter(YearSet.MIN);
        while (from != YearSet.NONE) {
            int to = years.years().nextClearBit(from) - 1;
            if (to - from < 2) {
                to = from;
                items.add(Integer.toString(from));
            } else {
                items.add(from + "-" + to);
            }
            from = years.atOrAfter(to + 1);
        }
        return items.toString();
    }
}
