package dev.rowlock.chaos;

import java.util.Locale;

/** What can go wrong. Kinds of one lane come one after the other; lanes know nothing of each other. */
enum FaultKind {
    /** SIGKILL of the JVM. */
    KILL(Lane.NODES, 500, 8000),
    /** SIGKILL of JVM and guard: commands stay behind until somebody cleans up. */
    KILL_WITH_GUARD(Lane.NODES, 500, 8000),
    /** JVM, guard and all commands die at once, as if on another host: nobody can see it. */
    POWER_LOSS(Lane.NODES, 500, 9000),
    /** SIGKILL of the guard alone. */
    KILL_GUARD(Lane.NODES, 100, 1000),
    /** SIGSTOP of the JVM for a time around fence and timeout, then SIGCONT. */
    FREEZE(Lane.NODES, 300, 9000),
    /** SIGTERM, and started again when it has ended. */
    RESTART(Lane.NODES, 100, 2000),

    DELAY(Lane.NETWORK, 1000, 6000),
    CUT(Lane.NETWORK, 100, 200),
    BLACKHOLE_TO_SERVER(Lane.NETWORK, 500, 8000),
    BLACKHOLE_TO_CLIENT(Lane.NETWORK, 500, 8000),
    AWAY(Lane.NETWORK, 500, 9000),
    /** The connection dies when the server has answered a commit, before the node sees it. */
    CUT_AFTER_COMMIT(Lane.NETWORK, 2000, 5000),
    CUT_BEFORE_COMMIT(Lane.NETWORK, 2000, 5000),

    DATABASE_KILL(Lane.DATABASE, 300, 8000),
    DATABASE_READ_ONLY(Lane.DATABASE, 500, 7000),
    LOCK_WAIT(Lane.DATABASE, 500, 6000),
    DEADLOCKS(Lane.DATABASE, 1000, 5000),

    DISK_FULL(Lane.HOST, 2000, 8000),
    CLOCK(Lane.HOST, 2000, 8000);

    /** One thing at a time. */
    enum Lane {
        NODES(1500, 6000),
        NETWORK(2000, 7000),
        DATABASE(5000, 12_000),
        HOST(2000, 6000);

        /** How long nothing happens between two faults. */
        final int minGapMillis;

        final int maxGapMillis;

        Lane(int minGapMillis, int maxGapMillis) {
            this.minGapMillis = minGapMillis;
            this.maxGapMillis = maxGapMillis;
        }
    }

    final Lane lane;
    final int minMillis;
    final int maxMillis;

    FaultKind(Lane lane, int minMillis, int maxMillis) {
        this.lane = lane;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
