package dev.rowlock.exec;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Service manager that has started this process, if it is systemd, which is notified by sd_notify(3). The C library is
 * called, as Java 17 has no datagram socket of this kind, and as systemd listens to the main process of a unit alone
 * ({@code NotifyAccess=main}): what a helper program could say, any command could say.
 */
public final class Supervisor {

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    /** Time that a unit gives a service to stop, unless it says otherwise. */
    private static final Duration USUAL = Duration.ofSeconds(90);

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    /** Offset of the name in {@code struct sockaddr_un}, after the family. */
    private static final int FAMILY = 2;

    private static final int LONGEST_NAME = 107;

    private final @Nullable String socket;
    private final boolean isSystemd;

    private Supervisor(@Nullable String socket, boolean isSystemd) {
        this.socket = socket;
        this.isSystemd = isSystemd;
    }

    /** Returns the supervisor of a process with this environment and process id. */
    public static Supervisor of(Map<String, String> environment, long pid) {
        String socket = environment.get("NOTIFY_SOCKET");
        return new Supervisor(
                socket == null || socket.isEmpty() ? null : socket,
                Long.toString(pid).equals(environment.get("SYSTEMD_EXEC_PID")));
    }

    /** Returns no supervisor. */
    public static Supervisor none() {
        return new Supervisor(null, false);
    }

    /**
     * Returns why a stop may not get the longest time that it takes, for operators; empty if nothing is known of that.
     */
    public Optional<String> problem(Duration stop) {
        boolean isThere = isSystemd || socket != null;
        if (!isThere || stop.compareTo(USUAL) <= 0 || (socket != null && UnixSockets.PROBLEM == null)) {
            return Optional.empty();
        }
        return Optional.of("a stop may take " + stop.toSeconds()
                + " s by shutdown.grace, and systemd cannot be asked for"
                + " that time, "
                + (socket == null ? "as the unit has no NotifyAccess=main" : "as " + UnixSockets.PROBLEM)
                + ": set TimeoutStopSec of the unit to it, or systemd ends what still runs after the "
                + USUAL.toSeconds() + " s that are usual");
    }

    /** Announces that this process stops, and asks for the time that it may take, whatever the unit allows. */
    public void stopping(Duration stop) {
        if (socket != null) {
            tell(socket, "STOPPING=1\nEXTEND_TIMEOUT_USEC=" + stop.toMillis() * 1000);
        }
    }

    private static void tell(String socket, String message) {
        if (UnixSockets.PROBLEM != null) {
            LOG.warn("systemd is not told of the stop, and may end it early: {}", UnixSockets.PROBLEM);
            return;
        }
        byte[] name = socket.getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_NAME) {
            LOG.warn("systemd is not told of the stop: NOTIFY_SOCKET is too long, {}", socket);
            return;
        }
        if (name[0] == '@') {
            name[0] = 0; // it is in no directory
        }
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        try (Memory address = new Memory(FAMILY + name.length)) {
            address.setShort(0, (short) AF_UNIX);
            address.write(FAMILY, name, 0, name.length);
            int descriptor = UnixSockets.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
            try {
                UnixSockets.sendto(descriptor, text, text.length, MSG_NOSIGNAL, address, FAMILY + name.length);
            } finally {
                UnixSockets.close(descriptor);
            }
        } catch (LastErrorException e) {
            LOG.warn("systemd is not told of the stop, and may end it early: {}: {}", socket, e.getMessage());
        }
    }

    /** Sockets of the C library. */
    private static final class UnixSockets {

        static final @Nullable String PROBLEM = link();

        private UnixSockets() {}

        private static @Nullable String link() {
            try {
                PosixSpawn.prepareJna();
                Native.register(UnixSockets.class, NativeLibrary.getProcess());
                return null;
            } catch (Error | RuntimeException e) { // JNA throws plain errors too
                return "the C library cannot be called: " + e;
            }
        }

        static native int socket(int domain, int type, int protocol) throws LastErrorException;

        static native long sendto(
                int descriptor, byte[] text, long length, int flags, Pointer address, int addressLength)
                throws LastErrorException;

        static native int close(int descriptor) throws LastErrorException;
    }
}
