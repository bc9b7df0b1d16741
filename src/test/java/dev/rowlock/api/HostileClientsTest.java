package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.ConnectionLimit;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that want nothing but to keep others out. */
@Tag("database")
@Tag("slow")
@Timeout(300)
class HostileClientsTest {

    /** Whatever holds a thread would hold it for as long as the server waits for a client: 30 s. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private static final Duration SOON = Duration.ofSeconds(100);

    /** More than the server has threads. */
    private static final int MANY = 60;

    @RegisterExtension
    static final Api api = new Api();

    private final List<SocketChannel> clients = new ArrayList<>();

    /** The first answer takes as long as the contract takes to be read. */
    @BeforeEach
    void warmUp() {
        assertThat(api.get("/jobs").status()).isEqualTo(200);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    /** One that does not wait for the server, and takes in as little as possible. */
    private SocketChannel client() throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), api.port()));
        client.configureBlocking(false);
        clients.add(client);
        return client;
    }

    private static String request(String line, String... headers) {
        return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + api.port() + "\r\n"
                + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList()) + "\r\n";
    }

    private static void send(SocketChannel client, String text) throws IOException {
        client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Sends requests until the server takes no more of them, as its answers are not read. */
    private void stuff(List<SocketChannel> all, String request) throws Exception {
        byte[] text = request.repeat(100).getBytes(StandardCharsets.US_ASCII);
        List<ByteBuffer> left = new ArrayList<>();
        all.forEach(client -> left.add(ByteBuffer.wrap(text)));
        long[] moved = {System.nanoTime()};
        Until.holds(SOON, "requests that are not taken any more", () -> {
            for (int i = 0; i < all.size(); i++) {
                ByteBuffer rest = left.get(i);
                if (!rest.hasRemaining()) {
                    rest.rewind();
                }
                if (taken(all.get(i), rest) > 0) {
                    moved[0] = System.nanoTime();
                }
            }
            return System.nanoTime() - moved[0] > 500_000_000;
        });
    }

    /** How much of it the server takes; nothing once it has cut the client off. */
    private static int taken(SocketChannel client, ByteBuffer rest) {
        try {
            return client.write(rest);
        } catch (IOException e) {
            return 0;
        }
    }

    private static void isAlive() {
        long since = System.nanoTime();
        assertThat(api.raw("GET", "/livez", null, List.of()).status()).isEqualTo(200);
        assertThat(api.raw("GET", "/readyz", null, List.of()).status()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(AT_ONCE);
    }

    /** The answers repeat the path, so that few of them are enough. */
    @ParameterizedTest
    @ValueSource(strings = {"/nowhere/", "/api/v1/nowhere/"})
    void those_that_read_no_answers_hold_no_threads(String path) throws Exception {
        List<SocketChannel> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(client());
        }
        stuff(all, request("GET " + path + "x".repeat(6_000), "Authorization: Bearer " + Api.TOKEN));

        isAlive();
        assertThat(api.get("/jobs").status()).isEqualTo(200);
    }

    /** Each part is more than the kernel takes at once of a client that reads nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"/ui/x/vendor/yaml.js", "/", "/signin/callback?code=x"})
    void those_that_do_not_read_what_everybody_may_ask_for_keep_nobody_from_asking_for_the_health(String path)
            throws Exception {
        List<SocketChannel> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(client());
        }
        stuff(all, request("GET " + path));

        isAlive();
        Until.holds(SOON, "an answer", () -> api.get("/jobs").status() == 200);
    }

    @Test
    void those_that_sign_in_slowly_keep_nobody_from_signing_in() throws Exception {
        for (int i = 0; i < MANY; i++) {
            send(
                    client(),
                    request("POST /api/v1/session", "Content-Type: application/json", "Content-Length: 4000") + "{");
        }
        isAlive();
        Reply in = api.raw(
                "POST",
                "/api/v1/session",
                "{\"token\": \"" + Api.TOKEN + "\"}",
                List.of("Content-Type", "application/json"));
        assertThat(in.status()).as(in.text()).isEqualTo(200);
    }

    @Test
    void one_that_signs_in_byte_by_byte_is_told_so() throws Exception {
        SocketChannel client = client();
        send(client, request("POST /api/v1/session", "Content-Type: application/json", "Content-Length: 4000"));
        ByteBuffer answer = ByteBuffer.allocate(10_000);
        Until.holds(SOON, "the end of the connection", () -> {
            try {
                send(client, "{");
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
            }
            return client.read(answer) < 0;
        });
        assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 408")
                .contains("application/problem+json")
                .contains("did not arrive within");
    }

    @Test
    void those_that_do_not_read_the_contract_keep_nobody_from_asking_for_the_health() throws Exception {
        for (int i = 0; i < MANY; i++) {
            send(client(), request("GET /openapi.yaml").repeat(40));
        }
        isAlive();
        Until.holds(
                SOON,
                "a contract that can be read again",
                () -> api.raw("GET", "/openapi.yaml", null, List.of()).status() == 200);
    }

    @Test
    void those_that_sign_in_slowly_keep_nobody_out_who_has_a_token() throws Exception {
        for (int i = 0; i < MANY; i++) {
            send(
                    client(),
                    request("POST /api/v1/session", "Content-Type: application/json", "Transfer-Encoding: chunked")
                            + "1\r\n{\r\n");
        }
        isAlive();
        Reply made = api.put("/jobs/default/a", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
    }

    /** Streams, output that is followed of a task which has not begun, and whatever else takes a thread for long. */
    @Test
    void one_caller_who_takes_all_there_is_leaves_enough_for_others() throws Exception {
        long task = api.put("/jobs/default/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}")
                                .status()
                        < 300
                ? api.post("/jobs/default/j/run", "{}").body().path("id").asLong()
                : 0;
        String greedy = api.post("/tokens", "{\"name\": \"greedy\", \"role\": \"viewer\"}")
                .body()
                .path("token")
                .asText();
        for (int i = 0; i < MANY; i++) {
            String path = i % 2 == 0 ? "/events" : "/tasks/" + task + "/output?follow=true";
            send(client(), request("GET /api/v1" + path, "Authorization: Bearer " + greedy));
        }
        Until.holds(
                SOON,
                "all that one caller may have",
                () -> api.as(greedy, "GET", "/events", null).status() == 429);

        isAlive();
        assertThat(api.get("/jobs").status()).isEqualTo(200);
        assertThat(api.get("/tasks/" + task + "/output").status()).isEqualTo(200);
        SocketChannel follows = client();
        send(
                follows,
                request("GET /api/v1/tasks/" + task + "/output?follow=true", "Authorization: Bearer " + Api.TOKEN));
        assertBegins(follows, "HTTP/1.1 200");
        SocketChannel listens = client();
        send(listens, request("GET /api/v1/events", "Authorization: Bearer " + Api.TOKEN));
        assertBegins(listens, "HTTP/1.1 200");
    }

    private static void assertBegins(SocketChannel client, String answer) throws Exception {
        ByteBuffer read = ByteBuffer.allocate(10_000);
        Until.holds(SOON, "an answer", () -> client.read(read) != 0);
        assertThat(new String(read.array(), 0, read.position(), StandardCharsets.US_ASCII))
                .startsWith(answer);
    }

    @Test
    void connections_that_are_idle_give_way_to_others() throws Exception {
        SocketChannel events = client();
        send(events, request("GET /api/v1/events", "Authorization: Bearer " + Api.TOKEN));
        Until.holds(SOON, "the beginning of a stream", () -> events.read(ByteBuffer.allocate(1_000)) > 0);
        try (LogLines log = LogLines.ofAnyThread(ConnectionLimit.class)) {
            for (int i = 0; i < 2 * Api.CONNECTIONS; i++) {
                send(client(), i % 2 == 0 ? "" : "GET /livez HTTP/1.1\r\nHost:");
            }
            isAlive();
            List<SocketChannel> idle = clients.subList(1, clients.size());
            Until.holds(
                    SOON,
                    "the end of those above the limit",
                    () -> idle.stream().filter(HostileClientsTest::isClosed).count() > Api.CONNECTIONS);
            assertThat(idle.stream().filter(HostileClientsTest::isClosed).count())
                    .isLessThan(Api.CONNECTIONS + 10);
            assertThat(isClosed(idle.get(0))).isTrue();
            assertThat(isClosed(idle.get(idle.size() - 1))).isFalse();
            assertThat(isClosed(events)).as("what is served").isFalse();
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("there are " + Api.CONNECTIONS + " connections");
        }
    }

    /** Else a client, or a proxy, takes the body for the beginning of the next answer. */
    @Test
    void what_the_server_itself_refuses_ends_the_connection() throws Exception {
        SocketChannel client = client();
        send(client, request("HEAD /api/v1/jobs/a%00b"));
        ByteBuffer answer = ByteBuffer.allocate(10_000);
        Until.holds(SOON, "the end of the connection", () -> client.read(answer) < 0);
        assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 400")
                .contains("Connection: close");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEFORE", "AFTER", "NONSENSE"})
    void what_is_no_method_is_refused(String method) {
        assertThat(api.raw(method, "/nowhere", null, List.of()).status()).isIn(404, 405);
        assertThat(api.call(method, "/jobs", null).status()).isIn(404, 405);
    }

    private static boolean isClosed(SocketChannel client) {
        try {
            return client.read(ByteBuffer.allocate(10_000)) < 0;
        } catch (IOException e) {
            return true; // reset
        }
    }
}
