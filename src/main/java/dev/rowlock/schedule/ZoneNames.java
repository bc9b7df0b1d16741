package dev.rowlock.schedule;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Names of time zones of the IANA database, for a person who got one slightly wrong. */
final class ZoneNames {

    /** Minimum length: shorter names are all similar. */
    private static final int MIN_LENGTH = 5;

    private ZoneNames() {}

    /**
     * Returns the name most likely meant: in other letters, without its continent, or with a letter or two wrong in one
     * place.
     */
    static Optional<String> nearest(String text) {
        String wanted = text.toLowerCase(Locale.ROOT).replace(' ', '_');
        return first(name -> name.equals(wanted))
                .or(() -> first(name -> wanted.length() >= MIN_LENGTH && name.endsWith("/" + wanted)))
                .or(() -> first(name -> wanted.length() >= MIN_LENGTH && isLike(name, wanted)));
    }

    private static Optional<String> first(Predicate<String> fits) {
        return Zones.names().stream()
                .filter(id -> fits.test(id.toLowerCase(Locale.ROOT)))
                .min((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
    }

    /** Returns whether all but two letters are a common beginning and a common end. */
    private static boolean isLike(String a, String b) {
        int shorter = Math.min(a.length(), b.length());
        int start = 0;
        while (start < shorter && a.charAt(start) == b.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && a.charAt(a.length() - 1 - end) == b.charAt(b.length() - 1 - end)) {
            end++;
        }
        return Math.max(a.length(), b.length()) - start - end <= 2;
    }
}
