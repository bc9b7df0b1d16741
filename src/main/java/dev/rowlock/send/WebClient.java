package dev.rowlock.send;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One request of HTTP/1.1 over one connection, to an address that was checked. The JDK's clients look a host up again
 * when they connect, and so could be led elsewhere. Redirects are not followed; of the answer, only its beginning is
 * read.
 */
final class WebClient {

    private static final int MOST_READ = 4096;
    private static final int MOST_TOLD = 200;
    /** Shorter parts of a URL are words, or can be guessed. */
    private static final int SHORTEST_SECRET = 6;

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: [^\r\n]*)?");

    private final Destinations destinations;
    private final Duration timeout;
    private final LongSupplier nanos;

    /** @param timeout of a request as a whole, but for the name server */
    WebClient(Destinations destinations, Duration timeout, LongSupplier nanos) {
        this.destinations = destinations;
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /** Done if the answer is a 2xx. */
    void send(String method, URI url, Map<String, String> headers, byte[] body) throws NotSent {
        boolean tls = "https".equalsIgnoreCase(url.getScheme());
        String host = url.getHost();
        int port = url.getPort() > 0 ? url.getPort() : tls ? 443 : 80;
        List<InetAddress> addresses = destinations.of(host);
        long deadline = nanos.getAsLong() + timeout.toNanos();
        try (Socket plain = connected(addresses, port, deadline)) {
            Socket socket = tls ? secured(plain, host, port, deadline) : plain;
            socket.getOutputStream().write(request(method, url, headers, body));
            socket.getOutputStream().flush();
            judge(read(socket, deadline), url);
        } catch (SocketTimeoutException e) {
            throw new NotSent(host + " did not answer within " + timeout.toSeconds() + " s", e);
        } catch (IOException e) {
            throw new NotSent(host + ": " + e, e);
        }
    }

    private Socket connected(List<InetAddress> addresses, int port, long deadline) throws IOException {
        IOException problem = new IOException("no address");
        for (InetAddress address : addresses) {
            Socket socket = new Socket();
            try {
                socket.setSendBufferSize(256 << 10); // a message fits, so writing never waits for the receiver
                socket.connect(new InetSocketAddress(address, port), left(deadline));
                return socket;
            } catch (IOException e) {
                socket.close();
                problem = e;
            }
        }
        throw problem;
    }

    private Socket secured(Socket plain, String host, int port, long deadline) throws IOException {
        plain.setSoTimeout(left(deadline));
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static byte[] request(String method, URI url, Map<String, String> headers, byte[] body) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(path).append(query).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(url.getRawAuthority()).append("\r\n");
        head.append("User-Agent: Rowlock\r\nConnection: close\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body.length > 0 || method.equals("POST")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    /** The beginning of the answer: until it ends, or is as long as anybody reads, or says all that matters. */
    private String read(Socket socket, long deadline) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[1024];
        InputStream in = socket.getInputStream();
        while (read.size() < MOST_READ && !isTaken(text(read))) {
            socket.setSoTimeout(left(deadline));
            int n = in.read(buffer, 0, Math.min(buffer.length, MOST_READ - read.size()));
            if (n < 0) {
                break;
            }
            read.write(buffer, 0, n);
        }
        return text(read);
    }

    private static String text(ByteArrayOutputStream read) {
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    private static boolean isTaken(String answer) {
        String last = withoutInterim(answer);
        return last.contains("\r\n") && status(last) / 100 == 2;
    }

    private void judge(String answer, URI url) throws NotSent {
        String last = withoutInterim(answer);
        int status = status(last);
        if (status / 100 == 2) {
            return;
        }
        if (status < 0) {
            throw new NotSent(url.getHost() + " gave no answer of HTTP");
        }
        if (status / 100 == 3) {
            throw new NotSent(url.getHost() + " answered " + status
                    + ", a redirect, which is not followed; name the URL that it leads to");
        }
        int body = last.indexOf("\r\n\r\n");
        String told = body < 0
                ? ""
                : withoutSecrets(last.substring(body + 4), url)
                        .replaceAll("[^\\x20-\\x7e]+", " ")
                        .strip();
        throw new NotSent(url.getHost() + " answered " + status
                + (told.isEmpty() ? "" : ": " + told.substring(0, Math.min(MOST_TOLD, told.length()))));
    }

    /** Servers like to repeat a path that they do not know, and it may be what lets somebody write there. */
    private static String withoutSecrets(String text, URI url) {
        String left = text;
        for (String part : (url.getPath() + "/" + url.getRawPath() + "/" + url.getQuery() + "&" + url.getRawQuery())
                .split("[/?&=]", -1)) {
            left = part.length() < SHORTEST_SECRET ? left : left.replace(part, "***");
        }
        return left;
    }

    /** What comes before the answer (1xx) says nothing. */
    private static String withoutInterim(String answer) {
        String left = answer;
        while (status(left) / 100 == 1 && left.contains("\r\n\r\n")) {
            left = left.substring(left.indexOf("\r\n\r\n") + 4);
        }
        return left;
    }

    /** -1: it is no status line. */
    private static int status(String answer) {
        int end = answer.indexOf("\r\n");
        Matcher line = STATUS.matcher(end < 0 ? "" : answer.substring(0, end).toUpperCase(Locale.ROOT));
        return line.matches() ? Integer.parseInt(line.group(1)) : -1;
    }

    private int left(long deadline) throws SocketTimeoutException {
        long millis = (deadline - nanos.getAsLong()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("time is up");
        }
        return (int) millis;
    }
}
