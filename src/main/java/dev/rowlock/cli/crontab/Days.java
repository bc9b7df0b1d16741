package dev.rowlock.cli.crontab;

import org.jspecify.annotations.Nullable;

/** What cron makes of a day of the month and a day of the week together, where Rowlock has another rule. */
final class Days {

    private Days() {}

    /** Why a schedule would mean something else here; null: it means the same. */
    static @Nullable String otherMeaning(String schedule) {
        String[] fields = schedule.split(" ", -1);
        if (fields.length != 5) {
            return null;
        }
        String ofMonth = fields[2];
        String ofWeek = fields[4];
        boolean bothRestrict = restricts(ofMonth) && restricts(ofWeek);
        return bothRestrict && (ofMonth.startsWith("*") || ofWeek.startsWith("*"))
                ? "cron runs it on days that match both " + ofMonth + " and " + ofWeek + ", as one of them begins with"
                        + " a star; here either would do. Put * in one and let the command test the other, as in"
                        + " [ \"$(date +%u)\" = 2 ] && …"
                : null;
    }

    /** What people often take for something else, though both agree; null: nothing. */
    static @Nullable String remark(String schedule) {
        String[] fields = schedule.split(" ", -1);
        return fields.length == 5 && restricts(fields[2]) && restricts(fields[4])
                ? "runs on days that match " + fields[2] + ", and on those that match " + fields[4]
                        + ": cron does the same"
                : null;
    }

    private static boolean restricts(String days) {
        return !days.equals("*") && !days.equals("*/1");
    }
}
