package dev.rowlock.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection that sends whatever bytes it is given, which no HTTP client would, and reads what is answered. */
final class Wire implements AutoCloseable {

    /** Nothing that a server does takes as long. */
    private static final int PATIENCE_MILLIS = 25_000;

    private static final int LARGEST_HEAD = 64 << 10;

    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    Wire(int port) {
        this.port = port;
    }

    /**
     * Sends these bytes and reads one answer; of one that goes on without an end, the beginning.
     *
     * @param head whether the answer has no body whatever its headers say
     * @throws java.net.SocketTimeoutException nothing came back
     */
    Reply ask(byte[] request, boolean head) throws IOException {
        long since = System.nanoTime();
        boolean fresh = socket == null;
        try {
            open().getOutputStream().write(request);
        } catch (SocketException e) {
            if (!fresh) {
                hangUp(); // it was closed while nothing was asked over it
                return ask(request, head);
            }
            // The server may refuse what it has not read to its end: its answer is there.
        }
        Reply reply = read(head, since);
        if (reply.status() == 0 && !fresh) {
            hangUp();
            return ask(request, head);
        }
        if (reply.goesOn() || reply.status() == 0 || reply.header("Connection").equalsIgnoreCase("close")) {
            hangUp();
        }
        return reply;
    }

    private Socket open() throws IOException {
        Socket known = socket;
        if (known == null) {
            known = new Socket(InetAddress.getLoopbackAddress(), port);
            known.setSoTimeout(PATIENCE_MILLIS);
            known.setTcpNoDelay(true);
            socket = known;
            in = new BufferedInputStream(known.getInputStream());
        }
        return known;
    }

    private Reply read(boolean head, long since) throws IOException {
        try {
            while (true) {
                @Nullable String status = line();
                if (status == null) {
                    return Reply.NONE;
                }
                int code = code(status);
                Map<String, List<String>> headers = headers();
                if (code >= 200) {
                    Reply begun = new Reply(code, headers, "", System.nanoTime() - since);
                    boolean empty = head || begun.goesOn() || code == 204 || code == 304;
                    return empty ? begun : new Reply(code, headers, body(headers), System.nanoTime() - since);
                }
            }
        } catch (SocketException e) {
            return Reply.NONE;
        }
    }

    private static int code(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9] .*")) {
            throw new IOException("no status line: " + line);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, List<String>> headers() throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("no header: " + line);
            }
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    private String body(Map<String, List<String>> headers) throws IOException {
        InputStream from = stream();
        byte[] bytes;
        if (headers.containsKey("transfer-encoding")) {
            bytes = chunks();
        } else if (headers.containsKey("content-length")) {
            int length = Integer.parseInt(headers.get("content-length").get(0));
            bytes = from.readNBytes(length);
            if (bytes.length < length) {
                throw new IOException("the answer ends after " + bytes.length + " of " + length + " bytes");
            }
        } else {
            bytes = from.readAllBytes();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(String.valueOf(line()).strip(), 16);
            all.write(stream().readNBytes(size));
            line();
            if (size == 0) {
                return all.toByteArray();
            }
        }
    }

    /** Null at the end of the stream. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (line.size() < LARGEST_HEAD) {
            int next = stream().read();
            if (next < 0) {
                return line.size() == 0 ? null : line.toString(StandardCharsets.ISO_8859_1);
            }
            if (next == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1).replaceFirst("\r$", "");
            }
            line.write(next);
        }
        throw new IOException("a line without an end");
    }

    private InputStream stream() throws IOException {
        InputStream known = in;
        if (known == null) {
            throw new IOException("not connected");
        }
        return known;
    }

    @Override
    public void close() {
        hangUp();
    }

    /** Ends the connection; the next request makes another. */
    void hangUp() {
        Socket known = socket;
        socket = null;
        in = null;
        if (known != null) {
            try {
                known.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException("a socket cannot be closed", e);
            }
        }
    }
}
