package dev.rowlock.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Ports on loopback for servers of a test. They lie below those that Linux gives to outgoing connections, so that no
 * connection takes one while its server is down.
 */
public final class FreePorts {

    private static final int LOWEST = 25_000;
    private static final int COUNT = 7_000;

    private FreePorts() {}

    /** A port that nobody listens at. */
    public static int one() {
        return first(FreePorts::isFree);
    }

    /** A port that satisfies {@code fits}, from which a test reckons others of its own. */
    public static int first(IntPredicate fits) {
        return ThreadLocalRandom.current()
                .ints(LOWEST, LOWEST + COUNT)
                .filter(fits)
                .findFirst()
                .orElseThrow();
    }

    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
