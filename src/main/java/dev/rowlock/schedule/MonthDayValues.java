package dev.rowlock.schedule;

/**
 * Reader of a day-of-month field: besides numbers {@code L}, {@code L-n}, {@code LW}, {@code nW}, and by a calendar
 * {@code nB}, {@code LB}, {@code LB-n}.
 */
final class MonthDayValues extends FieldValues {

    private int beforeLast;
    private int nearest;
    private boolean lastWeekday;
    private int open;
    private int openBeforeLast;

    private MonthDayValues(String text) {
        super(CronField.DAY_OF_MONTH, text);
    }

    static MonthDays parse(String text) {
        if (text.equals("?")) {
            return MonthDays.ANY;
        }
        MonthDayValues values = new MonthDayValues(text);
        values.read();
        return values.unrestricted()
                ? MonthDays.ANY
                : new MonthDays(
                        false,
                        (int) values.mask(),
                        values.beforeLast,
                        values.nearest,
                        values.lastWeekday,
                        values.open,
                        values.openBeforeLast);
    }

    @Override
    boolean special(String item) {
        char first = Character.toUpperCase(item.charAt(0));
        char last = Character.toUpperCase(item.charAt(item.length() - 1));
        if (first == 'L') {
            readLast(item);
            return true;
        }
        if (last == 'W') {
            nearest |= 1 << value(item.substring(0, item.length() - 1), item);
            return true;
        }
        if (last == 'B') {
            open |= 1 << value(item.substring(0, item.length() - 1), item);
            return true;
        }
        if (last == 'L') {
            throw field.problem(item, "is not known here; allowed are L, L-n, LW, nW, nB, LB, LB-n" + remedy(item));
        }
        return false;
    }

    private void readLast(String item) {
        if (item.length() == 1) {
            beforeLast |= 1;
        } else if (item.equalsIgnoreCase("LW")) {
            lastWeekday = true;
        } else if (item.equalsIgnoreCase("LB")) {
            openBeforeLast |= 1;
        } else if (item.length() > 2 && Character.toUpperCase(item.charAt(1)) == 'B') {
            openBeforeLast |= 1 << daysBefore(item, 2);
        } else {
            beforeLast |= 1 << daysBefore(item, 1);
        }
    }

    private int daysBefore(String item, int dash) {
        int days = item.charAt(dash) == '-' ? number(item.substring(dash + 1)) : -1;
        if (days < 1 || days > 30) {
            throw field.problem(item, "is not known; allowed are L, L-1 to L-30, LW, LB, LB-1 to LB-30");
        }
        return days;
    }

    private static String remedy(String item) {
        return item.length() > 2 && item.charAt(item.length() - 2) == '-'
                ? "; did you mean " + Quoted.of("L-" + item.substring(0, item.length() - 2)) + "?"
                : "; nL belongs to the day-of-week field";
    }
}
