package dev.rowlock.exec.process;

import java.util.Optional;

/**
 * Sender of TERM and KILL to processes, also to those that are not children, and never to one that has reused a pid.
 */
public class ProcessSignals {

    private final ProcFs procFs;

    public ProcessSignals(ProcFs procFs) {
        this.procFs = procFs;
    }

    /** Sends TERM; returns false if the process is gone or belongs to someone else. */
    public boolean term(Proc proc) {
        return handle(proc).map(ProcessHandle::destroy).orElse(false);
    }

    /** Sends KILL; returns false if the process is gone or belongs to someone else. */
    public boolean kill(Proc proc) {
        return handle(proc).map(ProcessHandle::destroyForcibly).orElse(false);
    }

    /**
     * Returns the JDK's handle, which remembers the start time that it saw when it was made, and looks again before it
     * sends.
     */
    private Optional<ProcessHandle> handle(Proc proc) {
        return ProcessHandle.of(proc.pid()).filter(handle -> {
            Proc now = procFs.process(proc.pid());
            return now != null && now.id().equals(proc.id());
        });
    }
}
