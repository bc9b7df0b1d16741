package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may come in, and under which name. */
@Tag("database")
class TokenCheckTest {

    @RegisterExtension
    static final Api api = new Api();

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer wrong", "Basic YTpi", "Token a-token-for-tests-only"})
    void without_the_token_nothing_is_answered(String authorization) {
        List<String> headers = authorization.isEmpty() ? List.of() : List.of("Authorization", authorization);
        for (String path : List.of("/api/v1/jobs", "/api/v1/nothing", "/api/v1/tasks/1/output", "/api", "/api/v2")) {
            Reply reply = api.raw("GET", path, null, headers);
            assertThat(reply.status()).as(path).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
            assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
        }
        Reply post = api.raw("POST", "/api/v1/jobs", "{}", headers);
        assertThat(post.status()).isEqualTo(401);
    }

    @Test
    void the_token_of_the_node_s_settings_that_is_not_the_cluster_s_is_refused_with_the_reason() {
        Reply reply = api.call("GET", "/jobs", null, "Authorization", "Bearer " + Api.TOKEN_OF_THE_NODE);

        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.body().path("detail").asText())
                .contains("the cluster has another one", "scripts/rowlock admin-token replace");
        assertThat(api.call("GET", "/jobs", null, "Authorization", "Bearer x").text())
                .doesNotContain("another one");
    }

    @Test
    void the_scheme_of_the_token_may_be_written_in_any_case() {
        assertThat(api.call("GET", "/jobs", null, "Authorization", "bearer " + Api.TOKEN)
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/silences/1;x=%", "/api/v1/jobs/default/a;%4", "/api/v1/jobs/default/a;x=%zz"})
    void a_path_that_cannot_be_decoded_is_refused(String path) throws IOException {
        assertThat(exchange("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + api.port() + "\r\nAuthorization: Bearer "
                        + Api.TOKEN + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void health_needs_no_token() {
        assertThat(api.raw("GET", "/livez", null, List.of()).status()).isEqualTo(200);
        Reply ready = api.raw("GET", "/readyz", null, List.of());
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.body().path("checks").get(0).path("name").asText()).isEqualTo("database");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:PORT, 200",
        "localhost:PORT, 200",
        "LocalHost:PORT, 200",
        "[::1]:PORT, 200",
        "rowlock.example, 200",
        "rowlock.example:8443, 200",
        "evil.example:PORT, 421",
        "127.0.0.1, 421",
        "127.0.0.1:1, 421",
        "localhost.evil.example:PORT, 421",
        "10.0.0.1:PORT, 421"
    })
    void a_request_for_another_host_is_refused(String host, int status) throws IOException {
        String text = exchange("GET /livez HTTP/1.1\r\nHost: " + host.replace("PORT", "" + api.port())
                + "\r\nConnection: close\r\n\r\n");
        assertThat(text).startsWith("HTTP/1.1 " + status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void what_is_not_http_is_a_problem_document_too(String request) throws IOException {
        String text = exchange(request);
        assertThat(text).startsWith("HTTP/1.1 400").doesNotContain("Jetty", "<html");
    }

    private static String exchange(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
