package dev.rowlock.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text without the white space that a formatter is free to put elsewhere: what is left of it stands between two
 * words. Knows where each character was.
 */
final class FoldedText {

    private final String folded;
    private final int[] places;

    private FoldedText(String folded, int[] places) {
        this.folded = folded;
        this.places = places;
    }

    static FoldedText of(String text) {
        StringBuilder folded = new StringBuilder();
        int[] places = new int[text.length()];
        boolean apart = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                apart = true;
                continue;
            }
            if (apart && !folded.isEmpty() && isWord(c) && isWord(folded.charAt(folded.length() - 1))) {
                places[folded.length()] = i - 1;
                folded.append(' ');
            }
            apart = false;
            places[folded.length()] = i;
            folded.append(c);
        }
        return new FoldedText(folded.toString(), Arrays.copyOf(places, folded.length()));
    }

    /** Finds a text, which is folded too; it neither begins nor ends within a word. */
    List<Span> find(String text) {
        String wanted = of(text).folded;
        List<Span> found = new ArrayList<>();
        int from = wanted.isEmpty() ? -1 : folded.indexOf(wanted);
        while (from >= 0) {
            int end = from + wanted.length();
            if (!isWithinWord(from) && !isWithinWord(end)) {
                found.add(new Span(places[from], places[end - 1] + 1));
            }
            from = folded.indexOf(wanted, from + 1);
        }
        return found;
    }

    private boolean isWithinWord(int place) {
        return place > 0 && place < folded.length() && isWord(folded.charAt(place - 1)) && isWord(folded.charAt(place));
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    /** A part of the text as it was. */
    record Span(int from, int to) {

        /** Tells the first and the last line of it, counted from 1. */
        int[] lines(String text) {
            int first = 1
                    + (int) text.substring(0, from)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            int last = first
                    + (int) text.substring(from, to)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            return new int[] {first, last};
        }
    }
}
