package dev.rowlock.schedule;

import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * Reader of a field item by item, which collects the values. What only the day fields know is handled by
 * {@link #special}.
 */
class FieldValues {

    /** Random values of Jenkins and its kin, with a range and a step. */
    private static final Pattern RANDOM = Pattern.compile("[HhRr](?:\\([^)]*\\))?(?:/.*)?");

    final CronField field;
    /** Values found: bit n stands for n. */
    private final BitSet bits = new BitSet();

    private final String text;
    /** Set if an item allows every value: {@code *} or <code>*&#47;1</code>. */
    private boolean unrestricted;

    FieldValues(CronField field, String text) {
        this.field = field;
        this.text = text;
    }

    /** Reads the whole field. */
    final void read() {
        for (String item : text.split(",", -1)) {
            if (item.isEmpty()) {
                throw field.problem(text, "has an empty item; remove the extra comma, or the blank next to it");
            }
            readItem(item);
        }
    }

    /** Reads what only this field knows; returns false if there is nothing of the kind in the item. */
    boolean special(String item) {
        return false;
    }

    final boolean unrestricted() {
        return unrestricted;
    }

    final boolean startsWithStar() {
        return text.startsWith("*");
    }

    /** Returns the values, which are not parsed any further. */
    final BitSet bits() {
        return bits;
    }

    /** Returns the values of a field that has none beyond 63. */
    final long mask() {
        return bits.isEmpty() ? 0 : bits.toLongArray()[0];
    }

    private void readItem(String item) {
        if (special(item)) {
            return;
        }
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int step = slash < 0 ? 1 : step(item, item.substring(slash + 1));
        if (range.equals("*")) {
            unrestricted |= step == 1;
            add(field.min, field.max, step);
            return;
        }
        int dash = range.indexOf('-');
        if (dash >= 0) {
            readRange(item, range.substring(0, dash), range.substring(dash + 1), step);
        } else if (slash >= 0) {
            readOpenRange(item, range, step);
        } else {
            int value = normal(value(range, item));
            add(value, value, 1);
        }
    }

    private void readOpenRange(String item, String start, int step) {
        int value = value(start, item);
        if (value > field.max) {
            throw field.problem(item, "starts at Sunday as 7, where the week ends; write 0" + item.substring(1));
        }
        add(value, field.max, step);
    }

    private void readRange(String item, String first, String last, int step) {
        int from = value(first, item);
        int to = value(last, item);
        boolean named = field.named(first) != CronField.NOT_A_NAME && field.named(last) != CronField.NOT_A_NAME;
        if (from <= to) {
            add(from, to, step);
        } else if (named) {
            add(from, to + field.size(), step);
        } else {
            throw field.problem(item, "runs backwards; " + forwards(normal(from), to));
        }
    }

    private String forwards(int from, int to) {
        return field.names.isEmpty()
                ? "write " + to + "-" + from + ", or two ranges: " + run(from, field.max) + "," + run(field.min, to)
                : "ranges of names may: did you mean \"" + field.shortName(from) + "-" + field.shortName(to) + "\"?";
    }

    private static String run(int from, int to) {
        return from == to ? Integer.toString(from) : from + "-" + to;
    }

    private int step(String item, String digits) {
        int step = number(digits);
        if (step < 1) {
            throw field.problem(
                    item, "has no step after the slash; allowed are whole numbers from 1 to " + (field.size() - 1));
        }
        if (step >= field.size()) {
            throw field.problem(
                    item,
                    "has a step as large as the field or larger; allowed are 1 to " + (field.size() - 1)
                            + "; for a single value write it alone");
        }
        return step;
    }

    /** Reads a number or a name in range; Sunday may come out as 7. */
    final int value(String text, String item) {
        int named = field.named(text);
        if (named != CronField.NOT_A_NAME) {
            return named;
        }
        int value = number(text);
        if (value < 0) {
            throw field.problem(text.isEmpty() ? item : text, notAValue(text, item));
        }
        if (value < field.min || value > (field == CronField.DAY_OF_WEEK ? 7 : field.max)) {
            throw field.problem(text, "is out of range; allowed are " + field.allowed());
        }
        return value;
    }

    private String notAValue(String text, String item) {
        String allowed = "; allowed are " + field.allowed();
        if (text.isEmpty()) {
            return (item.startsWith("-") ? "has a sign; write the number alone" : "lacks a value") + allowed;
        }
        if (item.contains("~") || RANDOM.matcher(item).matches()) {
            return "stands for a random value elsewhere: write one value, and let jitter spread the starts" + allowed;
        }
        char first = text.charAt(0);
        if (first == '+') {
            return "has a sign; write the number alone" + allowed;
        }
        if (first == '?') {
            return "stands for a value only in the day fields, alone; write *";
        }
        if (text.chars().allMatch(Character::isDigit)) {
            return "is not written with the digits 0 to 9, or is too long" + allowed;
        }
        String within = text.equals(item) ? "" : " (in " + Quoted.of(item) + ")";
        return (field.names.isEmpty() ? "is not a number" : "is neither a number nor a name") + within + allowed;
    }

    /** Parses a whole number of at most four of the digits 0 to 9; otherwise returns -1. */
    static int number(String text) {
        if (text.isEmpty() || text.length() > 4) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /** Returns a value with Sunday as 0. */
    final int normal(int value) {
        return field == CronField.DAY_OF_WEEK ? value % 7 : value;
    }

    private void add(int from, int to, int step) {
        for (int value = from; value <= to; value += step) {
            bits.set(field.min + (value - field.min) % field.size());
        }
    }
}
