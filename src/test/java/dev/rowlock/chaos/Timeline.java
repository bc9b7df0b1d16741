package dev.rowlock.chaos;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What something was set to, as far as those who set it can know: a change comes into force at some moment between its
 * request and its answer. Times are on the scale of {@code /proc/uptime}. Thread-safe.
 */
final class Timeline<T> {

    private final List<Change<T>> changes = new ArrayList<>();

    private record Change<T>(T value, long asked, long certain) {}

    /** A value while nothing else may have been in force. */
    record Certain<T>(T value, long from, long until) {}

    /** @param first in force from the beginning */
    Timeline(T first) {
        changes.add(new Change<>(first, Long.MIN_VALUE, Long.MIN_VALUE));
    }

    /** From now on this may be in force. */
    synchronized void asked(T value, long uptimeMillis) {
        changes.add(new Change<>(value, uptimeMillis, Long.MAX_VALUE));
    }

    /** What was asked for last is in force now. */
    synchronized void certain(long uptimeMillis) {
        Change<T> last = changes.remove(changes.size() - 1);
        changes.add(new Change<>(last.value, last.asked, Math.min(last.certain, uptimeMillis)));
    }

    /** What was asked for last is in force now, if it is this; else nothing is known. */
    synchronized void seen(T value, long uptimeMillis) {
        if (last().equals(value)) {
            certain(uptimeMillis);
        }
    }

    /** What was in force for certain, and when: from its answer until something else was asked for. */
    synchronized List<Certain<T>> certain() {
        List<Certain<T>> all = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            long until = i + 1 < changes.size() ? changes.get(i + 1).asked : Long.MAX_VALUE;
            if (changes.get(i).certain < until) {
                all.add(new Certain<>(changes.get(i).value, changes.get(i).certain, until));
            }
        }
        return all;
    }

    synchronized T last() {
        return changes.get(changes.size() - 1).value;
    }

    /** All that may have been in force at some moment of this stretch, both ends included. */
    synchronized Set<T> possible(long from, long until) {
        Set<T> possible = new LinkedHashSet<>();
        for (int i = 0; i < changes.size(); i++) {
            boolean over = i + 1 < changes.size() && changes.get(i + 1).certain < from;
            if (changes.get(i).asked <= until && !over) {
                possible.add(changes.get(i).value);
            }
        }
        return possible;
    }
}
