package dev.rowlock.offence.node;

/** Time that is injected is no offence. */
final class InjectedClock {
    private InjectedClock() {}

    static java.time.Instant now(java.time.Clock clock) {
        return java.time.Instant.now(clock);
    }
}
