package dev.rowlock.support;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A server that says a text to whoever connects, and then one byte after another, which never makes an end. */
public final class TricklingServer implements AutoCloseable {

    private final LoopbackServer listener;
    private final byte[] first;
    private final byte[] again;

    /**
     * @param first said at once
     * @param again said byte by byte, ten a second, over and over
     */
    public TricklingServer(String first, String again) throws IOException {
        this.first = first.getBytes(StandardCharsets.ISO_8859_1);
        this.again = again.getBytes(StandardCharsets.ISO_8859_1);
        this.listener = new LoopbackServer(this::trickle);
    }

    public int port() {
        return listener.port();
    }

    private void trickle(Socket client) throws IOException, InterruptedException {
        client.getOutputStream().write(first);
        for (int i = 0; ; i = (i + 1) % again.length) {
            TimeUnit.MILLISECONDS.sleep(100); // its pace: there is nothing to wait for
            client.getOutputStream().write(again[i]);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
