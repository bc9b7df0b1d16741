package dev.rowlock.exec.process;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cleanup of what a dead session of this host left behind. */
public final class OrphanSweep {

    private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);
    private static final int PASSES = 500;

    private OrphanSweep() {}

    /**
     * Sends KILL to all processes with {@code ROWLOCK_SESSION=<sessionId>}, their descendants and their process
     * sessions, until nothing is left; takes about 10 ms if there is nothing. What still exists after five seconds
     * hangs in the kernel or belongs to another user: the log names it. Returns the number of processes that were sent
     * KILL.
     */
    public static int killSession(String sessionId) {
        ProcFs procFs = new ProcFs();
        ProcessSignals signals = new ProcessSignals(procFs);
        Set<Proc.Id> killed = new HashSet<>();
        Set<Proc.Id> known = new HashSet<>();
        List<Proc> left = List.of();
        for (int pass = 0; pass < PASSES; pass++) {
            left = ProcessTree.ofSession(procFs, sessionId, known);
            if (left.isEmpty()) {
                return killed.size();
            }
            for (Proc proc : left) {
                known.add(proc.id());
                signals.kill(proc);
                killed.add(proc.id());
            }
            awaitEnd(left.get(0));
        }
        LOG.error("Of session {} these processes could not be killed and may still be there: {}", sessionId, left);
        return killed.size();
    }

    /** Describes what {@link #killSession} found, for the log. */
    public static String said(int killed) {
        return switch (killed) {
            case 0 -> "it left no process running";
            case 1 -> "the process that it left running was killed";
            default -> "the " + killed + " processes that it left running were killed";
        };
    }

    /**
     * Waits for the end, which follows KILL within microseconds; what still exists after some milliseconds is checked
     * again.
     */
    private static void awaitEnd(Proc proc) {
        ProcessHandle.of(proc.pid())
                .ifPresent(handle -> handle.onExit()
                        .completeOnTimeout(handle, 10, TimeUnit.MILLISECONDS)
                        .join());
    }
}
