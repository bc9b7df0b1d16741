package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.support.NodeProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Requests to one node, of faults and probes: nobody judges the answers here. */
final class Asking {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    /** @param status 0: nobody answered in time */
    record Answer(int status, String body) {

        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new IllegalStateException("not JSON: " + body, e);
            }
        }
    }

    Answer ask(NodeProcess node, String method, String path, String body, Duration patience, String... headers)
            throws InterruptedException {
        try {
            HttpResponse<String> answer = http.send(
                    request(node, method, path, body, patience, headers), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            return new Answer(0, String.valueOf(e.getMessage()));
        }
    }

    /** Nobody waits for the answer. */
    CompletableFuture<?> send(NodeProcess node, String method, String path, String body, Duration patience) {
        return http.sendAsync(request(node, method, path, body, patience), HttpResponse.BodyHandlers.discarding());
    }

    private static HttpRequest request(
            NodeProcess node, String method, String path, String body, Duration patience, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node.url() + path))
                .timeout(patience)
                .header("Authorization", "Bearer " + node.token())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        return headers.length == 0 ? request.build() : request.headers(headers).build();
    }
}
