package dev.rowlock.exec;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Kills what a dead session of this host left behind. */
public final class OrphanSweep {

    private static final int ROUNDS = 500;

    private OrphanSweep() {}

    /**
     * KILL to everything that carries {@code ROWLOCK_SESSION=<sessionId>}, and to its descendants and process sessions, until nothing is
     * left; about 10 ms, if nothing is. Returns how many processes were killed. Throws {@link IllegalStateException} if some are still
     * there after five seconds.
     */
    public static int killSession(String sessionId) {
        ProcFs procFs = new ProcFs();
        Signals signals = new Signals(procFs);
        Set<Proc.Id> killed = new HashSet<>();
        Set<Proc.Id> known = new HashSet<>();
        List<Proc> left = List.of();
        for (int round = 0; round < ROUNDS; round++) {
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
        throw new IllegalStateException("of session " + sessionId + " these processes cannot be killed: " + left);
    }

    /** KILL is carried out within microseconds; what is not gone after some milliseconds is looked at again. */
    private static void awaitEnd(Proc proc) {
        ProcessHandle.of(proc.pid())
                .ifPresent(handle -> handle.onExit()
                        .completeOnTimeout(handle, 10, TimeUnit.MILLISECONDS)
                        .join());
    }
}
