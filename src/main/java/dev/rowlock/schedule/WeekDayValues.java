package dev.rowlock.schedule;

/** Reader of a day-of-week field: besides numbers and names {@code nL}, {@code n#k}. */
final class WeekDayValues extends FieldValues {

    private int last;
    private long nth;

    private WeekDayValues(String text) {
        super(Field.DAY_OF_WEEK, text);
    }

    static WeekDays parse(String text) {
        if (text.equals("?")) {
            return WeekDays.ANY;
        }
        WeekDayValues values = new WeekDayValues(text);
        values.read();
        return values.unrestricted() ? WeekDays.ANY : new WeekDays(false, (int) values.mask(), values.last, values.nth);
    }

    @Override
    boolean special(String item) {
        int hash = item.indexOf('#');
        if (hash >= 0) {
            int k = number(item.substring(hash + 1));
            if (k < 1 || k > 5) {
                throw field.problem(item, "needs a number from 1 to 5 after #, such as FRI#2 for the second Friday");
            }
            nth |= 1L << (7 * (k - 1) + normal(value(item.substring(0, hash), item)));
            return true;
        }
        char end = Character.toUpperCase(item.charAt(item.length() - 1));
        if (end != 'L' || field.named(item) != Field.NOT_A_NAME) {
            return false;
        }
        if (item.length() == 1) {
            throw field.problem(item, "needs a day, such as 5L for the last Friday of the month; Saturday is 6");
        }
        last |= 1 << normal(value(item.substring(0, item.length() - 1), item));
        return true;
    }
}
