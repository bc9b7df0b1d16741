package dev.rowlock.freeze;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Freezes that cover a job at one instant, or covered it when something of it came due: the last to end counts, and
 * {@code SKIP} wins over {@code HOLD}.
 */
public record CoveringFreezes(List<Freeze> all) {

    private static final Comparator<Freeze> BY_END =
            Comparator.comparing(Freeze::until).thenComparing(Freeze::id, Comparator.reverseOrder());

    /** Returns these; empty: there is none. */
    static Optional<CoveringFreezes> of(Stream<Freeze> covering) {
        return Optional.of(covering.toList()).filter(all -> !all.isEmpty()).map(CoveringFreezes::new);
    }

    /** Returns the one that ends last. */
    public Freeze last() {
        return Collections.max(all, BY_END);
    }

    public Instant until() {
        return last().until();
    }

    /** Returns the one that skips what came due at this instant; empty: that is held. */
    public Optional<Freeze> skips(Instant due) {
        return all.stream()
                .filter(freeze -> freeze.then() == FreezeEffect.SKIP && freeze.isInForce(due))
                .max(BY_END);
    }

    /** Returns whether what came due at this instant was covered already. */
    public boolean covered(Instant due) {
        return all.stream().anyMatch(freeze -> !due.isBefore(freeze.from()));
    }
}
