package dev.rowlock.support;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** What systemd listens at: a datagram socket in a directory, or, with an {@code @} in front, in none. */
public final class NotifySocket implements AutoCloseable {

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int EAGAIN = 11;

    private final String name;
    private final int descriptor;

    static {
        Native.register(NotifySocket.class, NativeLibrary.getProcess());
    }

    private NotifySocket(String name) {
        this.name = name;
        this.descriptor = socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (name.startsWith("@")) {
            bytes[0] = 0;
        }
        try (Memory address = new Memory(2 + bytes.length)) {
            address.setShort(0, (short) AF_UNIX);
            address.write(2, bytes, 0, bytes.length);
            bind(descriptor, address, 2 + bytes.length);
        }
    }

    /** One in a directory. */
    public static NotifySocket at(Path path) {
        return new NotifySocket(path.toString());
    }

    /** One in none. */
    public static NotifySocket named(String name) {
        return new NotifySocket("@" + name);
    }

    /** The value of {@code NOTIFY_SOCKET}. */
    public String name() {
        return name;
    }

    /** What has arrived first and was not read yet. */
    public Optional<String> message() {
        byte[] bytes = new byte[4096];
        try {
            int length = (int) recv(descriptor, bytes, bytes.length, MSG_DONTWAIT);
            return Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8));
        } catch (LastErrorException e) {
            if (e.getErrorCode() != EAGAIN) {
                throw e;
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        close(descriptor);
    }

    private static native int socket(int domain, int type, int protocol) throws LastErrorException;

    private static native int bind(int descriptor, Pointer address, int length) throws LastErrorException;

    private static native long recv(int descriptor, byte[] to, long most, int flags) throws LastErrorException;

    private static native int close(int descriptor) throws LastErrorException;
}
