package dev.rowlock.schedule;

import java.util.BitSet;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * Writer of a cron expression in the one form of all its spellings: the fewest fields that say it, ascending values,
 * ranges of three or more, days of the week by name. A minute or hour field keeps a leading star, as clock changes
 * depend on it.
 */
final class CronText {

    private CronText() {}

    static String of(CronExpression cron) {
        StringJoiner text = new StringJoiner(" ");
        boolean years = !cron.isEveryYear();
        if (years || cron.seconds() != 1) {
            text.add(shortest(CronField.SECOND, cron.seconds()));
        }
        text.add(numbers(CronField.MINUTE, cron.minutes(), cron.minuteStar()));
        text.add(numbers(CronField.HOUR, cron.hours(), cron.hourStar()));
        text.add(monthDays(cron.monthDays()));
        text.add(shortest(CronField.MONTH, cron.months()));
        text.add(weekDays(cron.weekDays()));
        if (years) {
            text.add(list(CronField.YEAR, cron.years()));
        }
        return text.toString();
    }

    /** Returns the shortest form: a star, a star with a step, or a list. */
    static String shortest(CronField field, long mask) {
        for (int step = 1; step < field.size(); step++) {
            if (mask == everyNth(field, step)) {
                return step == 1 ? "*" : "*/" + step;
            }
        }
        return list(field, mask);
    }

    /** Writes numbers, with a star at the beginning exactly if asked for. */
    private static String numbers(CronField field, long mask, boolean star) {
        if (!star) {
            return list(field, mask);
        }
        String shortest = shortest(field, mask);
        return shortest.startsWith("*") ? shortest : starred(field, mask);
    }

    /**
     * Returns a list that begins with the smallest star step whose values are all in the mask: <code>*&#47;20,5</code>.
     */
    private static String starred(CronField field, long mask) {
        for (int step = 1; step < field.size(); step++) {
            long steps = everyNth(field, step);
            if ((steps & ~mask) == 0) {
                return "*/" + step + "," + list(field, mask & ~steps);
            }
        }
        throw new IllegalStateException(field + " has no star in " + Long.toBinaryString(mask));
    }

    private static long everyNth(CronField field, int step) {
        long mask = 0;
        for (int value = field.min; value <= field.max; value += step) {
            mask |= 1L << value;
        }
        return mask;
    }

    static String list(CronField field, long mask) {
        return list(field, BitSet.valueOf(new long[] {mask}));
    }

    /** Lists single values, and ranges of three or more. */
    static String list(CronField field, BitSet values) {
        StringJoiner items = new StringJoiner(",");
        int from = values.nextSetBit(0);
        while (from >= 0) {
            int end = values.nextClearBit(from) - 1;
            int to = end - from < 2 ? from : end;
            items.add(name(field, from) + (to == from ? "" : "-" + name(field, to)));
            from = values.nextSetBit(to + 1);
        }
        return items.toString();
    }

    /** Returns the values of a mask. */
    static IntStream bits(int mask) {
        return IntStream.range(0, Integer.SIZE).filter(n -> (mask >>> n & 1) != 0);
    }

    private static String name(CronField field, int value) {
        return field == CronField.DAY_OF_WEEK ? field.shortName(value) : Integer.toString(value);
    }

    private static String monthDays(MonthDays days) {
        StringJoiner items = new StringJoiner(",").setEmptyValue("*");
        if (days.days() != 0) {
            items.add(list(CronField.DAY_OF_MONTH, Integer.toUnsignedLong(days.days())));
        }
        bits(days.nearest()).forEach(n -> items.add(n + "W"));
        bits(days.beforeLast()).forEach(n -> items.add(n == 0 ? "L" : "L-" + n));
        if (days.lastWeekday()) {
            items.add("LW");
        }
        bits(days.open()).forEach(n -> items.add(n + "B"));
        bits(days.openBeforeLast()).forEach(n -> items.add(n == 0 ? "LB" : "LB-" + n));
        return items.toString();
    }

    private static String weekDays(WeekDays days) {
        StringJoiner items = new StringJoiner(",").setEmptyValue("*");
        if (days.days() != 0) {
            items.add(list(CronField.DAY_OF_WEEK, days.days()));
        }
        for (int k = 1; k <= 5; k++) {
            String nth = "#" + k;
            bits(days.nth(k)).forEach(n -> items.add(name(CronField.DAY_OF_WEEK, n) + nth));
        }
        bits(days.last()).forEach(n -> items.add(name(CronField.DAY_OF_WEEK, n) + "L"));
        return items.toString();
    }
}
