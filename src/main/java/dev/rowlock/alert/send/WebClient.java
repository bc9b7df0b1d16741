package dev.rowlock.alert.send;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Client of HTTP/1.1 with one connection for each request, to an address that was checked. A request and its
 * connection, handshake included, end at a deadline. Redirects are not followed; of the answer, only its beginning is
 * read. Nothing of its library is loaded before the first request. Thread-safe.
 */
final class WebClient implements AutoCloseable {

    private static final int MOST_READ = 4096;
    private static final int MOST_TOLD = 200;
    private static final int MOST_THREADS = 8;
    /** Minimum length of a secret part of a URL: shorter ones are words, or can be guessed. */
    private static final int SHORTEST_SECRET = 6;

    private final Destinations destinations;
    private final Duration timeout;

    private @Nullable HttpClient client;
    private boolean closed;

    /** @param timeout of a request as a whole, but for the name server */
    WebClient(Destinations destinations, Duration timeout) {
        this.destinations = destinations;
        this.timeout = timeout;
    }

    /** Sends a request; returns if the answer is a 2xx. */
    void send(String method, URI url, Map<String, String> headers, byte[] body) throws NotSent {
        Request request = client().newRequest(url)
                .method(method)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .headers(fields -> {
                    fields.put(HttpHeader.CONNECTION, "close");
                    headers.forEach(fields::put);
                });
        if (body.length > 0) {
            request.body(new BytesRequestContent("application/json", body));
        }
        AnswerListener answer = new AnswerListener(request);
        request.send(answer);
        judge(answer, url);
    }

    private synchronized HttpClient client() throws NotSent {
        if (closed) {
            throw new NotSent("the node is stopping");
        }
        HttpClient started = client;
        if (started == null) {
            started = made();
            try {
                started.start();
            } catch (Exception e) {
                throw new NotSent("the client of HTTP cannot be started: " + e, e);
            }
            // What they would send again needs a password that nobody has.
            started.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
            started.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
            started.getContentDecoderFactories().clear();
            client = started;
        }
        return started;
    }

    private HttpClient made() {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 1);
        threads.setName("rowlock-web");
        threads.setDaemon(true);
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setScheduler(new ScheduledExecutorScheduler("rowlock-web-deadlines", true));
        connector.setSslContextFactory(asJavaTrusts());
        HttpClient made = new HttpClient(new HttpClientTransportOverHTTP(connector));
        made.setFollowRedirects(false);
        made.setHttpCookieStore(new HttpCookieStore.Empty());
        made.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "Rowlock"));
        made.setSocketAddressResolver((host, port, context, promise) -> resolve(host, port, promise));
        made.setConnectTimeout(Math.max(1, timeout.toMillis() / 2)); // there may be another address
        made.setIdleTimeout(timeout.toMillis());
        made.setDestinationIdleTimeout(timeout.toMillis());
        made.addBean(new Lifetime(made, timeout));
        return made;
    }

    /** Trusts what Java trusts, for certificates of the host. Protocols and ciphers are Java's choice. */
    private static SslContextFactory.Client asJavaTrusts() {
        SslContextFactory.Client tls = new SslContextFactory.Client();
        tls.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setExcludeProtocols();
        tls.setExcludeCipherSuites();
        return tls;
    }

    /** Resolves a host when connecting, so that the checked answer of a name server is used, and no other. */
    private void resolve(String host, int port, Promise<List<InetSocketAddress>> promise) {
        try {
            promise.succeeded(destinations.of(host).stream()
                    .map(address -> new InetSocketAddress(address, port))
                    .toList());
        } catch (NotSent e) {
            promise.failed(e);
        }
    }

    /** End of every connection at the deadline of its request, however slowly its handshake goes on. */
    private record Lifetime(HttpClient client, Duration timeout) implements Connection.Listener {

        @Override
        public void onOpened(Connection connection) {
            client.getScheduler()
                    .schedule(
                            () -> connection.getEndPoint().close(new TimeoutException("time is up")),
                            timeout.toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    /** Beginning of an answer: all of it that anybody reads. */
    private static final class AnswerListener implements Response.Listener {

        private final Request request;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final CompletableFuture<Integer> status = new CompletableFuture<>();
        /** Status of the first line; 0: there was none. The library's own for a broken answer is not used. */
        private volatile int begun;

        AnswerListener(Request request) {
            this.request = request;
        }

        /** Completes at a 2xx, which says all that matters; ignores what comes before the answer (1xx). */
        @Override
        public void onBegin(Response response) {
            begun = response.getStatus() / 100 == 1 ? 0 : response.getStatus();
            if (begun / 100 == 2) {
                status.complete(begun);
            }
        }

        @Override
        public void onContent(Response response, ByteBuffer content) {
            byte[] read = new byte[Math.min(content.remaining(), MOST_READ - body.size())];
            content.get(read);
            body.writeBytes(read);
            if (body.size() == MOST_READ) {
                status.complete(begun);
                var unused = request.abort(new IllegalStateException("nobody reads more"));
            }
        }

        @Override
        public void onComplete(Result result) {
            if (begun > 0) {
                status.complete(begun);
            } else {
                status.completeExceptionally(
                        result.getFailure() == null ? new TimeoutException() : result.getFailure());
            }
        }

        String text() {
            return body.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private void judge(AnswerListener answer, URI url) throws NotSent {
        int status = status(answer, url);
        if (status / 100 == 2) {
            return;
        }
        if (status / 100 == 3) {
            throw new NotSent(url.getHost() + " answered " + status
                    + ", a redirect, which is not followed; name the URL that it leads to");
        }
        String told = withoutSecrets(answer.text(), url)
                .replaceAll("[^\\x20-\\x7e]+", " ")
                .strip();
        throw new NotSent(url.getHost() + " answered " + status
                + (told.isEmpty() ? "" : ": " + told.substring(0, Math.min(MOST_TOLD, told.length()))));
    }

    private int status(AnswerListener answer, URI url) throws NotSent {
        try {
            return answer.status.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var unused = answer.request.abort(e);
            throw new NotSent("the node is stopping", e);
        } catch (ExecutionException e) {
            throw notSent(url.getHost(), e.getCause() == null ? e : e.getCause());
        }
    }

    private NotSent notSent(String host, Throwable failure) {
        if (failure instanceof NotSent refused) {
            return refused;
        }
        if (failure instanceof TimeoutException || failure instanceof SocketTimeoutException) {
            return new NotSent(host + " did not answer within " + timeout.toSeconds() + " s", failure);
        }
        if (failure instanceof HttpResponseException) {
            return new NotSent(host + " gave no answer of HTTP", failure);
        }
        return new NotSent(host + ": " + failure, failure);
    }

    /**
     * Removes secrets from an answer: servers like to repeat an unknown path, which may be what lets somebody write
     * there.
     */
    private static String withoutSecrets(String text, URI url) {
        String left = text;
        for (String part : (url.getPath() + "/" + url.getRawPath() + "/" + url.getQuery() + "&" + url.getRawQuery())
                .split("[/?&=]", -1)) {
            left = part.length() < SHORTEST_SECRET ? left : left.replace(part, "***");
        }
        return left;
    }

    /** Ends all requests. */
    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            LifeCycle.stop(client);
        }
    }
}
