package dev.rowlock.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How often pages that are kept up to date may read again, so that all of them together ask the database for little,
 * however many are open and whatever they show. For use by several threads.
 */
final class RefreshPace {

    /** Events take one more, and sign-ins a third of one: two in all. */
    private static final double STATEMENTS_PER_SECOND = 0.5;

    private static final long LEAST = 4;
    private static final long MOST = 60;
    /** While few views are open, none is older than so many seconds for each of them. */
    private static final long FOR_EACH = 10;
    /** More of them are not read at the slowest pace anyway. */
    private static final int VIEWS = 200;

    private final Map<String, View> views = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, View> eldest) {
            return size() > VIEWS;
        }
    };

    private long seconds = LEAST;

    /** @param statements that its answer took when it was last made */
    private record View(long statements, long askedNanos) {}

    /**
     * Somebody reads a view again.
     *
     * @return after how many seconds they may do so the next time, and how old the answer may be then: 4 to 60
     */
    synchronized long seconds(String view, long nowNanos) {
        View known = views.get(view);
        views.put(view, new View(known == null ? 0 : known.statements(), nowNanos));
        // Who goes on looking at one has asked again by then.
        long leftNanos = TimeUnit.SECONDS.toNanos(seconds + LEAST);
        views.values().removeIf(one -> nowNanos - one.askedNanos() > leftNanos);
        long statements = views.values().stream().mapToLong(View::statements).sum();
        long most = Math.min(MOST, FOR_EACH * views.size());
        seconds = Math.max(LEAST, Math.min(most, (long) Math.ceil(statements / STATEMENTS_PER_SECOND)));
        return seconds;
    }

    /** What an answer to it has taken; none: what it takes is not known, as others had asked for parts of it. */
    synchronized void cost(String view, long statements) {
        View known = views.get(view);
        if (known != null && statements > 0) {
            views.put(view, new View(statements, known.askedNanos()));
        }
    }
}
