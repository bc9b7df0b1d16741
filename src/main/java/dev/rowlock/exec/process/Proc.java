package dev.rowlock.exec.process;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Process as {@code /proc/<pid>/stat} shows it.
 *
 * @param name what the kernel calls it
 * @param session process session id
 * @param startTicks when it started, in clock ticks since boot; with the pid it names a process for good
 */
public record Proc(int pid, String name, char state, int parent, int session, int threads, long startTicks) {

    /** Identity of a process that outlives the reuse of its pid. */
    public record Id(int pid, long startTicks) {}

    public Id id() {
        return new Id(pid, startTicks);
    }

    /** Returns whether the process has ended, although its parent may not have collected it. */
    public boolean isDead() {
        return state == 'X' || (state == 'Z' && threads <= 1);
    }

    /** Returns the names of these, or of the first of them, for people. */
    public static String names(List<Proc> processes) {
        String first = processes.stream().limit(5).map(Proc::toString).collect(Collectors.joining(", "));
        return processes.size() <= 5 ? first : first + " and " + (processes.size() - 5) + " more";
    }

    @Override
    public String toString() {
        return name + " (pid " + pid + ", state " + state + ")";
    }
}
