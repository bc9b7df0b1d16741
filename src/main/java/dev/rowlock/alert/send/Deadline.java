package dev.rowlock.alert.send;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Deadline of an exchange over the network. It creates the sockets of the exchange and closes them once time is up, so
 * that whatever waits on one of them fails; a limit on each single read would let a slow peer go on forever.
 */
final class Deadline extends SocketFactory implements AutoCloseable {

    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    Deadline(Duration time) {
        var unused = end.completeOnTimeout(true, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether time was up before the exchange was over. */
    boolean isOver() {
        return end.getNow(false);
    }

    /** Ends the exchange. */
    @Override
    public void close() {
        end.complete(false);
    }

    @Override
    public Socket createSocket() {
        Socket socket = new Socket();
        var unused = end.thenRun(() -> close(socket));
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
    }

    private Socket connected(InetSocketAddress to, @Nullable InetSocketAddress from) throws IOException {
        Socket socket = createSocket();
        socket.bind(from);
        socket.connect(to);
        return socket;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket cannot be closed", e);
        }
    }
}
