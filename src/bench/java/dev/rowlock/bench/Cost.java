package dev.rowlock.bench;

/**
 * What was spent: by the server as it counts it, and in processor seconds of the server and of this JVM.
 *
 * @param lockMillis the time that statements waited for row locks
 */
record Cost(
        double statements,
        double fsyncs,
        double logBytes,
        double lockWaits,
        double lockMillis,
        double deadlocks,
        double serverCpu,
        double javaCpu) {

    Cost since(Cost before) {
        return new Cost(
                statements - before.statements,
                fsyncs - before.fsyncs,
                logBytes - before.logBytes,
                lockWaits - before.lockWaits,
                lockMillis - before.lockMillis,
                deadlocks - before.deadlocks,
                serverCpu - before.serverCpu,
                javaCpu - before.javaCpu);
    }

    /** Per fire. */
    Line per(double fires) {
        return Line.of("statements_per_fire", statements / fires)
                .with("fsyncs_per_fire", fsyncs / fires)
                .with("server_us_per_fire", serverCpu * 1e6 / fires)
                .with("java_us_per_fire", javaCpu * 1e6 / fires)
                .with("log_bytes_per_fire", logBytes / fires)
                .with("lock_waits", (long) lockWaits)
                .with("deadlocks", (long) deadlocks);
    }
}
