package dev.rowlock.cli.imports;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Comparison of the fire times of a shadow with the starts in a log.
 *
 * @param both how many are in both
 * @param onlyLogged starts without a fire time near them
 * @param onlyHere fire times without a start near them
 */
public record ShadowComparison(int both, List<Instant> onlyLogged, List<Instant> onlyHere) {

    /**
     * Puts each start beside the first fire time that it can belong to.
     *
     * @param logged sorted
     * @param here sorted
     * @param before how much earlier than the fire time a start may be
     * @param after how much later
     */
    public static ShadowComparison of(List<Instant> logged, List<Instant> here, Duration before, Duration after) {
        List<Instant> onlyLogged = new ArrayList<>();
        List<Instant> onlyHere = new ArrayList<>();
        int both = 0;
        int next = 0;
        for (Instant start : logged) {
            while (next < here.size() && here.get(next).plus(after).isBefore(start)) {
                onlyHere.add(here.get(next++));
            }
            if (next < here.size() && !start.isBefore(here.get(next).minus(before))) {
                both++;
                next++;
            } else {
                onlyLogged.add(start);
            }
        }
        onlyHere.addAll(here.subList(next, here.size()));
        return new ShadowComparison(both, onlyLogged, onlyHere);
    }
}
