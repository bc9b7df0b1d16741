package dev.rowlock.cli.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Steps beyond their field, which other crons take for the first value alone: {@code *}{@code /60} for 0. */
public final class Steps {

    private static final Pattern STEP = Pattern.compile("(\\*|[0-9]{1,2})(?:-[0-9]{1,2})?/([0-9]{1,4})");
    private static final int[] SIZES = {60, 24, 31, 12, 7};
    private static final int[] FIRST = {0, 0, 1, 1, 0};

    private Steps() {}

    /** Returns the schedule of five fields without such steps, and remarks on the change. */
    public static String within(String schedule, Draft draft) {
        String[] fields = schedule.split(" ", -1);
        if (fields.length != SIZES.length) {
            return schedule;
        }
        for (int i = 0; i < fields.length; i++) {
            List<String> items = new ArrayList<>();
            for (String item : fields[i].split(",", -1)) {
                Matcher step = STEP.matcher(item);
                boolean isBeyond = step.matches() && Integer.parseInt(step.group(2)) >= SIZES[i];
                items.add(!isBeyond ? item : step.group(1).equals("*") ? String.valueOf(FIRST[i]) : step.group(1));
            }
            fields[i] = String.join(",", items);
        }
        String within = String.join(" ", fields);
        if (!within.equals(schedule)) {
            draft.remark("the same as " + schedule + ": a step as large as its field leaves the first value alone");
        }
        return within;
    }
}
