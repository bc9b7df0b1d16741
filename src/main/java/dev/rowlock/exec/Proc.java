package dev.rowlock.exec;

/**
 * A process as {@code /proc/<pid>/stat} shows it.
 *
 * @param name what the kernel calls it
 * @param session process session id
 * @param startTicks when it started, in clock ticks since boot; with the pid it names a process for good
 */
record Proc(int pid, String name, char state, int parent, int session, int threads, long startTicks) {

    /** The name of a process that outlives the reuse of its pid. */
    record Id(int pid, long startTicks) {}

    Id id() {
        return new Id(pid, startTicks);
    }

    /** Ended, but not yet collected by its parent. */
    boolean isDead() {
        return state == 'X' || (state == 'Z' && threads <= 1);
    }

    @Override
    public String toString() {
        return name + " (pid " + pid + ", state " + state + ")";
    }
}
