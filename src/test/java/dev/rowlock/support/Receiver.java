package dev.rowlock.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** A server on this host that takes messages, and answers as a test says. */
public final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private volatile int status = 204;
    private volatile String body = "";

    /** What was sent. */
    public record Request(String method, String path, Map<String, String> headers, String body) {

        public JsonNode json() {
            try {
                return new ObjectMapper().readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException(body, e);
            }
        }

        public String subject() {
            return json().path("data").path("subject").asText();
        }
    }

    public Receiver() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /** One that speaks HTTPS alone. */
    public Receiver(SSLContext certificate) throws IOException {
        this(secured(certificate));
    }

    private Receiver(HttpServer server) {
        this.server = server;
        server.createContext("/", this::take);
        server.start();
    }

    private static HttpServer secured(SSLContext certificate) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate));
        return server;
    }

    /** From now on, each request is answered so. */
    public void answer(int code, String text) {
        status = code;
        body = text;
    }

    public String url(String path) {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort() + path;
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public List<String> subjects() {
        return requests().stream().map(Request::subject).toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> headers = new LinkedHashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(new Request(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, sent));
            byte[] answer = body.getBytes(StandardCharsets.UTF_8);
            if (status / 100 == 3) {
                exchange.getResponseHeaders().add("Location", body);
            }
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
