package dev.rowlock.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Stands before a mail server that knows no TLS, and speaks it for the server: from the beginning, or when asked to. */
public final class SecuredMail implements AutoCloseable {

    private final LoopbackServer listener;
    private final int server;
    private final SSLContext certificate;
    private final boolean fromTheBeginning;

    /** @param server the port of the mail server on this host */
    public SecuredMail(int server, SSLContext certificate, boolean fromTheBeginning) throws IOException {
        this.server = server;
        this.certificate = certificate;
        this.fromTheBeginning = fromTheBeginning;
        this.listener = new LoopbackServer(this::serve);
    }

    public int port() {
        return listener.port();
    }

    private void serve(Socket client) throws IOException {
        try (Socket mail = new Socket(InetAddress.getLoopbackAddress(), server)) {
            Socket secured = fromTheBeginning ? secured(client) : afterAsked(client, mail);
            LoopbackServer.daemon(() -> copy(mail, secured));
            copy(secured, mail);
        }
    }

    /** Says what the server greets with, offers TLS and nothing else, and goes on under it. */
    private Socket afterAsked(Socket client, Socket mail) throws IOException {
        say(client, lines(mail).readLine());
        BufferedReader asked = lines(client);
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            if (line.equalsIgnoreCase("STARTTLS")) {
                say(client, "220 go ahead");
                return secured(client);
            }
            say(client, line.startsWith("EHLO") ? "250-here\r\n250 STARTTLS" : "530 STARTTLS first");
        }
        throw new IOException("the client went away");
    }

    private Socket secured(Socket client) throws IOException {
        SSLSocket socket = (SSLSocket) certificate.getSocketFactory().createSocket(client, null, false);
        socket.setUseClientMode(false);
        socket.startHandshake();
        return socket;
    }

    private static BufferedReader lines(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static void say(Socket client, String line) throws IOException {
        client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            byte[] some = new byte[8_192];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                to.getOutputStream().write(some, 0, n);
            }
        } catch (IOException e) {
            // the other side has closed both
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
