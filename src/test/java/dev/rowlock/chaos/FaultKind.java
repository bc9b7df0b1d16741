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
    CLOCK(Lane.HOST, 2000, 8000),

    // Lanes of their own, so that the plans of earlier seeds stay what they were.

    /** A trigger that raises errors of the server on writes of tasks or history. */
    SERVER_ERRORS(Lane.ERRORS, 4000, 9000),
    /** SIGSTOP of a node that holds the lock row of a stripe for a request. */
    FREEZE_IN_REQUEST(Lane.REQUESTS, 9000, 11_500),
    /** A paused job is run by hand, and the node that runs it is killed. */
    KILL_PAUSED_RUN(Lane.REQUESTS, 500, 3000),
    /**
     * Nodes with different timeouts; the patient one is frozen for longer than the others' timeout, and shorter than
     * its own fence.
     */
    MIXED_SETTINGS(Lane.SETTINGS, 6500, 7600),
    /** The file system below a job's working directory does not answer. */
    HUNG_DIRECTORY(Lane.DIRECTORY, 8000, 15_000),
    /** The database's clock steps, and comes back. */
    DATABASE_CLOCK(Lane.TIME, 3000, 9000),
    /** History is kept for a minute only, and there is much that is older. */
    RETENTION(Lane.WHOLE_RUN, 0, 0),

    // How long on top of what it takes to find a new primary and to watch the nodes find it: about 15 s.
    PRIMARY_KILL(Lane.GROUP, 500, 3000),
    PRIMARY_FREEZE(Lane.GROUP, 500, 40_000),
    /** A planned switch to another primary. */
    PRIMARY_SWITCH(Lane.GROUP, 500, 1000),

    // Of a Galera cluster, on top of what it takes to vote the member out and to watch the nodes go on.
    MEMBER_KILL(Lane.MEMBERS, 500, 8000),
    MEMBER_FREEZE(Lane.MEMBERS, 500, 30_000),
    /** The others do not reach it; nodes do. */
    MEMBER_CUT(Lane.MEMBERS, 500, 20_000),
    /** Stopped in good order. */
    MEMBER_LEAVE(Lane.MEMBERS, 500, 8000);

    /** One thing at a time. */
    enum Lane {
        NODES(1500, 6000),
        NETWORK(2000, 7000),
        DATABASE(5000, 12_000),
        HOST(2000, 6000),
        ERRORS(12_000, 25_000),
        REQUESTS(15_000, 30_000),
        SETTINGS(10_000, 25_000),
        DIRECTORY(15_000, 30_000),
        TIME(15_000, 40_000),
        /** What holds from the first to the last moment, and is not planned. */
        WHOLE_RUN(0, 0),
        /** Bringing a member back takes long, and is to be over before the next. */
        GROUP(50_000, 65_000),
        /** Likewise. */
        MEMBERS(25_000, 45_000);

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
