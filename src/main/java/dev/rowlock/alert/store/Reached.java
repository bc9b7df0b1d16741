package dev.rowlock.alert.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.store.RunFeed.RunPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Progress of deadlines and ages, each on its own: however many tasks or jobs pass one at the same moment, a look takes
 * a bounded number of them, and the next one continues after the last.
 */
final class Reached {

    /** Rows read at once. */
    static final int MOST = 500;

    private final Map<String, RunPosition> before = new TreeMap<>();
    private final Map<String, RunPosition> after = new TreeMap<>();
    private boolean more;

    /** @param text as {@link #text} has written it; null: nothing was reached yet */
    static Reached parse(@Nullable String text) {
        Reached reached = new Reached();
        if (text != null) {
            NamedDefinitions.parse(text)
                    .properties()
                    .forEach(entry -> reached.before.put(
                            entry.getKey(), RunPosition.parse(entry.getValue().asText())));
        }
        return reached;
    }

    /**
     * Continues with one deadline or age.
     *
     * @param span what to look at: from its start, if it was never looked at, to its end
     * @param next reads those behind a position, in order
     * @param place where one of them stands
     */
    <T> List<T> go(
            String what,
            Duration time,
            Period span,
            Function<RunPosition, List<T>> next,
            Function<T, RunPosition> place) {
        String key = what + " " + time.toMillis();
        Period own = span.minus(time);
        RunPosition from = own.from(before.get(key));
        List<T> found = next.apply(from);
        boolean all = found.size() < MOST;
        more |= !all;
        after.put(key, all ? end(own.until()) : place.apply(found.get(found.size() - 1)));
        return found;
    }

    /**
     * Period of time.
     *
     * @param farthest what lies before it is told to nobody any more
     */
    record Period(Instant farthest, Instant start, Instant until) {

        private Period minus(Duration time) {
            return new Period(farthest.minus(time), start.minus(time), until.minus(time));
        }

        private RunPosition from(@Nullable RunPosition reached) {
            if (reached == null) {
                return end(start);
            }
            if (reached.at().isAfter(until)) {
                return end(until); // the clock was set back
            }
            return reached.at().isBefore(farthest) ? end(farthest) : reached;
        }
    }

    private static RunPosition end(Instant t) {
        return new RunPosition(t, Long.MAX_VALUE);
    }

    /** Returns whether there is more to read at once. */
    boolean isBehind() {
        return more;
    }

    /** Returns the progress to keep, without deadlines and ages that no rule has any more. */
    String text() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        after.forEach((key, position) -> json.put(key, position.text()));
        return json.toString();
    }
}
