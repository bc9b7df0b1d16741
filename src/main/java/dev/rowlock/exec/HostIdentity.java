package dev.rowlock.exec;

import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * Identity of this process and its machine.
 *
 * @param hostName for people
 * @param bootId a UUID; the same for two processes only if each can see and end what the other started. Made of the
 *     kernel's boot id, namespaces and user, so that containers and users on one machine differ, and of host name and
 *     network cards, so that a clone of a virtual machine differs
 * @param startTime when the process started, in clock ticks since boot (field 22 of {@code /proc/<pid>/stat})
 */
public record HostIdentity(String hostName, String bootId, long pid, long startTime) {

    private static final Path NETWORK = Path.of("/sys/class/net");

    /** Presence of a process on this host. */
    public enum ProcessExistence {
        /** The process exists. */
        ALIVE,
        /** The kernel says that there is no such process, or that its id belongs to a later one. */
        GONE,
        /** A process with this id exists, but whether it is the same one cannot be seen. */
        UNKNOWN
    }

    /** Returns the identity of this JVM. Throws {@link UncheckedIOException} without {@code /proc}. */
    public static HostIdentity current() {
        return of(Path.of("/proc"));
    }

    static HostIdentity of(Path proc) {
        int pid = Math.toIntExact(ProcessHandle.current().pid());
        Proc self = new ProcFs().process(pid);
        if (self == null) {
            throw new UncheckedIOException(new IOException("cannot read /proc/" + pid + "/stat"));
        }
        try {
            String host = Files.readString(proc.resolve("sys/kernel/hostname")).strip();
            List<String> marks = new ArrayList<>(List.of(
                    Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip(),
                    namespace(proc.resolve("self/ns/pid")),
                    namespace(proc.resolve("self/ns/user")),
                    String.valueOf(Files.getAttribute(proc.resolve("self"), "unix:uid")),
                    host));
            marks.addAll(networkCards());
            UUID id = UUID.nameUUIDFromBytes(String.join(" ", marks).getBytes(StandardCharsets.UTF_8));
            return new HostIdentity(host, id.toString(), pid, self.startTicks());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what machine this is from /proc", e);
        }
    }

    /**
     * Returns a namespace. A kernel without namespaces of this kind has no link; a process whose link may not be read
     * counts as alone in its own.
     */
    private static String namespace(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException e) {
            return "no " + link.getFileName();
        } catch (AccessDeniedException e) {
            return UUID.randomUUID().toString();
        }
    }

    /** Returns the addresses of network devices; others come and go with containers and tunnels. */
    private static List<String> networkCards() throws IOException {
        List<String> addresses = new ArrayList<>();
        if (Files.isDirectory(NETWORK)) {
            try (DirectoryStream<Path> cards = Files.newDirectoryStream(NETWORK)) {
                for (Path card : cards) {
                    Path address = card.resolve("address");
                    if (Files.exists(card.resolve("device")) && Files.isReadable(address)) {
                        addresses.add(Files.readString(address).strip());
                    }
                }
            }
        }
        Collections.sort(addresses);
        return addresses;
    }

    /** Returns whether a process exists and is no zombie. Only for processes with the boot id of {@link #current()}. */
    public static ProcessExistence presenceOf(long pid, long startTime) {
        return ProcessPresence.ofThisHost().of(Math.toIntExact(pid), startTime);
    }
}
