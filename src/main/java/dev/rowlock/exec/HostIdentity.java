package dev.rowlock.exec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which process on which machine this is.
 *
 * @param hostName for people
 * @param bootId a UUID; the same for two processes only if a process id means the same to both: made of the kernel's boot id and the
 *     process id namespace, so that two containers on one machine differ
 * @param startTime when the process started, in clock ticks since boot (field 22 of {@code /proc/<pid>/stat})
 */
public record HostIdentity(String hostName, String bootId, long pid, long startTime) {

    /** Of this JVM. Throws {@link UncheckedIOException} where there is no {@code /proc}. */
    public static HostIdentity current() {
        int pid = Math.toIntExact(ProcessHandle.current().pid());
        Proc self = new ProcFs().process(pid);
        if (self == null) {
            throw new UncheckedIOException(new IOException("cannot read /proc/" + pid + "/stat"));
        }
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String space = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            UUID id = UUID.nameUUIDFromBytes((boot + " " + space).getBytes(StandardCharsets.US_ASCII));
            return new HostIdentity(host, id.toString(), pid, self.startTicks());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what machine this is from /proc", e);
        }
    }

    /**
     * Whether the process with that id and start time is there and not a zombie. Meaningful only where the boot id is the same as
     * {@link #current()}'s.
     */
    public static boolean processIsAlive(long pid, long startTime) {
        Proc proc = new ProcFs().process(Math.toIntExact(pid));
        return proc != null && !proc.isDead() && proc.startTicks() == startTime;
    }
}
