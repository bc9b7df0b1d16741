package dev.rowlock.chaos;

import dev.rowlock.chaos.FaultKind.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Which fault comes when, for how long and to whom: a function of the seed. */
final class Plan {

    /** The first seconds belong to the jobs: something must run before it can be disturbed. */
    private static final int QUIET_START_MILLIS = 2000;

    private Plan() {}

    /**
     * One fault.
     *
     * @param atMillis since the start of the run
     * @param node which node, if the fault is about one
     * @param salt further choices of the fault
     */
    record Planned(FaultKind kind, long atMillis, long forMillis, int node, int salt) {

        long endMillis() {
            return atMillis + forMillis;
        }
    }

    /** The faults of one lane, in order; all of them end before the run does. */
    static List<Planned> of(Lane lane, long seed, Duration length, int nodes, Set<FaultKind> allowed) {
        List<FaultKind> kinds =
                allowed.stream().filter(kind -> kind.lane == lane).sorted().toList();
        List<Planned> plan = new ArrayList<>();
        if (kinds.isEmpty() || lane == Lane.WHOLE_RUN) {
            return plan;
        }
        Random random = new Random(seed * 31 + lane.name().hashCode());
        long at = QUIET_START_MILLIS;
        while (true) {
            at += between(random, lane.minGapMillis, lane.maxGapMillis);
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            long millis = between(random, kind.minMillis, kind.maxMillis);
            Planned next = new Planned(kind, at, millis, random.nextInt(nodes), random.nextInt(1000));
            if (next.endMillis() > length.toMillis()) {
                return plan;
            }
            plan.add(next);
            at = next.endMillis();
        }
    }

    private static long between(Random random, long min, long max) {
        return min + random.nextLong(max - min + 1);
    }
}
