package dev.rowlock.store.task;

import dev.rowlock.policy.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a scan leaves out because other nodes run it. Where all tasks may run here it adds nothing to a statement.
 *
 * <p>Selectors are left out by number, not asked for, so that a scan also finds those that this node has not heard of
 * yet. What would make the statement too long is found, and whoever asks goes on behind it.
 */
public final class Selected {

    private Selected() {}

    /** A further condition on an idle {@code task t}: this node may prepare it. */
    static String idle(Placement placement) {
        String whenDue = placement.nobodys().isEmpty()
                ? ""
                : " and (t.due_at <= utc_timestamp(6) or " + noneOf(placement.nobodys()) + ")";
        return and(placement.others()) + whenDue;
    }

    /** A further condition on a prepared {@code task t}: this node may take it over. */
    static String prepared(Placement placement) {
        List<Integer> foreign = new ArrayList<>(placement.nobodys());
        foreign.addAll(placement.others());
        return and(foreign);
    }

    private static String and(Collection<Integer> selectors) {
        return selectors.isEmpty() ? "" : " and " + noneOf(selectors);
    }

    private static String noneOf(Collection<Integer> selectors) {
        return selectors.stream()
                .sorted()
                .limit(LeftOut.MOST)
                .map(String::valueOf)
                .collect(Collectors.joining(",", "t.selector not in (", ")"));
    }
}
