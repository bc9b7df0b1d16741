package dev.rowlock.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Guess at the meaning of refused fields, by the habits of other crons. */
final class CronGuess {

    private static final Pattern STEP = Pattern.compile("(\\*|[0-9]{1,2})(?:-[0-9]{1,2})?/([0-9]{1,4})");
    private static final int MANY = 24;

    private final String[] fields;
    private final Predicate<String> isReadable;

    private CronGuess(String[] fields, Predicate<String> isReadable) {
        this.fields = fields;
        this.isReadable = isReadable;
    }

    /** Returns the end of a sentence; empty if nothing similar can be read. */
    static String of(String[] fields, Predicate<String> isReadable) {
        return new CronGuess(fields, isReadable).guess();
    }

    private String guess() {
        String text = String.join(" ", fields);
        String plain = text.replaceAll("[\"'`\u2018\u2019\u201c\u201d]", "").strip();
        if (!plain.equals(text) && isReadable.test(plain)) {
            return "; did you mean " + Quoted.of(plain) + ", without the quotes?";
        }
        String within = Arrays.stream(fields)
                .map(CronGuess::within)
                .reduce((a, b) -> a + " " + b)
                .orElse("");
        if (!within.equals(text) && isReadable.test(within)) {
            return "; did you mean " + Quoted.of(within) + "?";
        }
        boolean hasYearLast = fields.length == 6 && (fields[4].equals("?") || fields[5].matches("(?:19|20)[0-9]{2}.*"));
        if (hasYearLast && isReadable.test("0 " + text)) {
            return "; six fields have seconds first: with the year last write seven, " + Quoted.of("0 " + text);
        }
        return "";
    }

    /** Replaces a step longer than any field by the first value alone, as other crons take it. */
    private static String within(String field) {
        List<String> items = new ArrayList<>();
        for (String item : field.split(",", -1)) {
            Matcher step = STEP.matcher(item);
            boolean isBeyond = step.matches() && Integer.parseInt(step.group(2)) >= MANY;
            items.add(!isBeyond ? item : step.group(1).equals("*") ? "0" : step.group(1));
        }
        return String.join(",", items);
    }
}
