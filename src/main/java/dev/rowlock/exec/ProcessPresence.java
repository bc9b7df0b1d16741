package dev.rowlock.exec;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import dev.rowlock.exec.HostIdentity.ProcessExistence;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check whether a process exists. {@code /proc} may hide some ({@code hidepid}, {@code ProtectProc}), so what cannot be
 * seen is gone only if the kernel says so.
 */
final class ProcessPresence {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessPresence.class);
    private static final int ESRCH = 3;

    private final ProcFs procFs;
    private final IntPredicate surelyGone;

    /** @param surelyGone whether there is certainly no process of that id */
    ProcessPresence(ProcFs procFs, IntPredicate surelyGone) {
        this.procFs = procFs;
        this.surelyGone = surelyGone;
    }

    static ProcessPresence ofThisHost() {
        return new ProcessPresence(new ProcFs(), surelyGone());
    }

    ProcessExistence of(int pid, long startTicks) {
        Proc proc = procFs.process(pid);
        if (proc != null) {
            boolean same = !proc.isDead() && proc.startTicks() == startTicks;
            return same ? ProcessExistence.ALIVE : ProcessExistence.GONE;
        }
        return surelyGone.test(pid) ? ProcessExistence.GONE : ProcessExistence.UNKNOWN;
    }

    /**
     * Returns a test by the kernel; if that cannot be asked, what is missing from a /proc that hides nothing is gone.
     */
    static IntPredicate surelyGone() {
        return KillProbe.ANSWERS ? KillProbe::hasNone : pid -> procHidesNothing();
    }

    private static boolean procHidesNothing() {
        try {
            return hidesNothing(Files.readAllLines(Path.of("/proc/self/mounts"), StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.debug("how /proc is mounted is not known: {}", e.toString());
            return false;
        }
    }

    /** Returns whether what is mounted last on {@code /proc} shows all processes to everybody. */
    static boolean hidesNothing(List<String> mounts) {
        return mounts.stream()
                .map(line -> line.split(" ", 5))
                .filter(fields -> fields.length == 5 && fields[1].equals("/proc"))
                .reduce((first, second) -> second)
                .filter(fields -> fields[2].equals("proc"))
                .map(fields -> List.of(fields[3].split(",")))
                .filter(options -> options.stream()
                        .allMatch(option -> !option.startsWith("hidepid=")
                                || option.equals("hidepid=0")
                                || option.equals("hidepid=off")))
                .isPresent();
    }

    /**
     * Kernel's answer to kill(2) with signal 0, which sends nothing and tells whether there is a process to send to.
     */
    private static final class KillProbe {

        static final boolean ANSWERS = isLinked();

        private KillProbe() {}

        private static boolean isLinked() {
            try {
                PosixSpawn.prepareJna();
                Native.register(KillProbe.class, NativeLibrary.getProcess());
                return true;
            } catch (Error | RuntimeException e) { // JNA throws plain errors too
                LOG.debug("kill(2) cannot be called: {}", e.toString());
                return false;
            }
        }

        static boolean hasNone(int pid) {
            try {
                kill(pid, 0);
                return false;
            } catch (LastErrorException e) {
                return e.getErrorCode() == ESRCH;
            }
        }

        private static native int kill(int pid, int signal) throws LastErrorException;
    }
}
