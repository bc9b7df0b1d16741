package dev.rowlock.node;

import java.time.Duration;

/**
 * Result of a pass.
 *
 * @param rest how long nothing needs to be done; zero: there is more to do at once
 */
public record Pass(Duration rest) {

    /** There is more to do at once. */
    public static final Pass MORE = new Pass(Duration.ZERO);

    /** Returns a pass after which the loop rests, unless it is woken; a negative rest is none. */
    public static Pass rest(Duration rest) {
        return rest.isNegative() ? MORE : new Pass(rest);
    }

    public boolean more() {
        return rest.isZero();
    }
}
