package dev.rowlock.cli.crontab;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Days of the month and of the week together, where Rowlock has another rule than cron: where one of them begins with a
 * star, cron wants both.
 *
 * @param schedule one that means the same here; if there is none, as it was
 * @param lost why there is none; null: there is one
 * @param remark null: nothing has to be said
 */
record Days(
        String schedule, @Nullable String lost, @Nullable String remark) {

    private static final List<String> NAMES = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final Pattern ITEM = Pattern.compile("(?:(\\*)|(\\w+)(?:-(\\w+))?)(?:/([0-9]{1,4}))?");
    private static final int WEEK = 7;
    private static final int LONGEST_MONTH = 31;

    static Days of(String schedule) {
        String[] fields = schedule.split(" ", -1);
        if (fields.length != 5 || !restricts(fields[2]) || !restricts(fields[4])) {
            return new Days(schedule, null, null);
        }
        if (!fields[2].startsWith("*") && !fields[4].startsWith("*")) {
            return new Days(
                    schedule,
                    null,
                    "runs on days that match " + fields[2] + ", and on those that match " + fields[4]
                            + ": cron does the same");
        }
        BitSet ofMonth = values(fields[2], 1, LONGEST_MONTH);
        BitSet ofWeek = values(fields[4], 0, WEEK);
        if (ofWeek != null && ofWeek.get(WEEK)) {
            ofWeek.set(0);
            ofWeek.clear(WEEK);
        }
        String both = ofMonth == null || ofWeek == null ? null : both(ofMonth, ofWeek);
        if (both == null) {
            return new Days(schedule, why(fields[2], fields[4], ofWeek), null);
        }
        String[] days = both.split(" ", -1);
        return new Days(
                String.join(" ", fields[0], fields[1], days[0], fields[3], days[1]),
                null,
                "the days that match both " + fields[2] + " and " + fields[4] + ", as one of them begins with a star");
    }

    /** Returns the two fields for days that match both; null if there are none. */
    private static @Nullable String both(BitSet ofMonth, BitSet ofWeek) {
        if (ofMonth.cardinality() == LONGEST_MONTH) {
            return "* " + named(ofWeek, "");
        }
        if (ofWeek.cardinality() == WEEK) {
            return ofMonth.stream().mapToObj(String::valueOf).collect(Collectors.joining(",")) + " *";
        }
        int first = ofMonth.nextSetBit(1);
        boolean isWeek =
                ofMonth.cardinality() == WEEK && first % WEEK == 1 && ofMonth.nextClearBit(first) == first + WEEK;
        return isWeek ? "* " + named(ofWeek, "#" + (first / WEEK + 1)) : null;
    }

    private static String named(BitSet days, String which) {
        return days.stream().mapToObj(day -> NAMES.get(day) + which).collect(Collectors.joining(","));
    }

    private static String why(String ofMonth, String ofWeek, @Nullable BitSet days) {
        String test = days == null || days.cardinality() == 0
                ? "…"
                : "[ \"$(date +%u)\" = "
                        + days.stream()
                                .mapToObj(day -> String.valueOf(day == 0 ? WEEK : day))
                                .collect(Collectors.joining(" ] || [ \"$(date +%u)\" = "))
                        + " ]";
        return "cron runs it on days that match both " + ofMonth + " and " + ofWeek + ", as one of them begins with"
                + " a star; here either would do. Put * in place of " + ofWeek + " and let the command test it: if "
                + test + "; then …; fi";
    }

    /** Returns the values of a field; null if it is not understood. */
    private static @Nullable BitSet values(String field, int min, int max) {
        BitSet values = new BitSet();
        for (String item : field.split(",", -1)) {
            Matcher matcher = ITEM.matcher(item);
            if (!matcher.matches()) {
                return null;
            }
            boolean isStar = matcher.group(1) != null;
            int from = isStar ? min : number(matcher.group(2));
            int to = isStar ? max : matcher.group(3) == null ? from : number(matcher.group(3));
            int step = matcher.group(4) == null ? 1 : Integer.parseInt(matcher.group(4));
            if (from < min || to > max || from > to || step < 1) {
                return null;
            }
            for (int value = from; value <= to; value += step) {
                values.set(value);
            }
        }
        return values;
    }

    private static int number(String text) {
        if (text.matches("[0-9]{1,4}")) {
            return Integer.parseInt(text);
        }
        return text.length() < 3 ? -1 : NAMES.indexOf(text.substring(0, 3).toUpperCase(Locale.ROOT));
    }

    private static boolean restricts(String days) {
        return !days.equals("*") && !days.equals("*/1");
    }
}
