package dev.rowlock.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Listener on a free port of this host that serves each client in a thread of its own, until it is closed. */
final class LoopbackServer implements AutoCloseable {

    private final ServerSocket listener;
    private final Serving serving;

    /** Serves one client. That it goes away in the middle is the end of it. */
    interface Serving {

        void serve(Socket client) throws IOException, InterruptedException;
    }

    LoopbackServer(Serving serving) throws IOException {
        this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        this.serving = serving;
        daemon(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = listener.accept();
                daemon(() -> serve(client));
            }
        } catch (IOException e) {
            // closed: this is the end of it
        }
    }

    private void serve(Socket client) {
        try (client) {
            serving.serve(client);
        } catch (IOException | InterruptedException e) {
            // the client has gone, as clients may
        }
    }

    static void daemon(Runnable work) {
        Thread thread = new Thread(work, "loopback-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
