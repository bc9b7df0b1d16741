package dev.rowlock.schedule;

import java.util.List;
import java.util.Locale;

/** Field of a cron expression: its name for people, its range, its names for values. */
enum CronField {
    SECOND("seconds", 0, 59, List.of()),
    MINUTE("minutes", 0, 59, List.of()),
    HOUR("hours", 0, 23, List.of()),
    DAY_OF_MONTH("day-of-month", 1, 31, List.of()),
    MONTH(
            "month",
            1,
            12,
            List.of(
                    "january",
                    "february",
                    "march",
                    "april",
                    "may",
                    "june",
                    "july",
                    "august",
                    "september",
                    "october",
                    "november",
                    "december")),
    /** Sunday is 0; 7 is read as Sunday too. */
    DAY_OF_WEEK(
            "day-of-week", 0, 6, List.of("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")),
    YEAR("year", 1970, 2099, List.of());

    static final int NOT_A_NAME = -1;

    final String label;
    final int min;
    final int max;
    /** Names in lower case; the first one stands for {@link #min}. */
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    final List<String> names;

    CronField(String label, int min, int max, List<String> names) {
        this.label = label;
        this.min = min;
        this.max = max;
        this.names = names;
    }

    int size() {
        return max - min + 1;
    }

    /** Returns the value of a name, in three letters or in full and in any case, or {@link #NOT_A_NAME}. */
    int named(String text) {
        if (text.length() >= 3 && !names.isEmpty()) {
            String name = text.toLowerCase(Locale.ROOT);
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).startsWith(name)
                        && (name.length() == 3 || name.length() == names.get(i).length())) {
                    return min + i;
                }
            }
        }
        return NOT_A_NAME;
    }

    /** Returns the name of a value in three letters; the number if it has none. */
    String shortName(int value) {
        return names.isEmpty()
                ? Integer.toString(value)
                : names.get(value - min).substring(0, 3).toUpperCase(Locale.ROOT);
    }

    /** Describes the allowed single values. */
    String allowed() {
        return switch (this) {
            case DAY_OF_WEEK -> "0–7 (0 and 7 are Sunday) or SUN–SAT";
            case MONTH -> "1–12 or JAN–DEC";
            default -> min + "–" + max;
        };
    }

    /** Creates a problem with a piece of this field. */
    ScheduleProblem problem(String text, String what) {
        return new ScheduleProblem(label + ": " + Quoted.of(text) + " " + what);
    }
}
