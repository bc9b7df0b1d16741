package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.Patience;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many bodies that take their time: what they may take is bounded, and they keep nobody else out. */
@Tag("database")
@Timeout(120)
class ArrivingBodiesTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int LARGEST = 262_144;
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    /** Waits longer for slow clients than others wait for memory, of which there is little: 512 KiB for bodies. */
    @RegisterExtension
    static final Api patient =
            new Api(new RequestMemory(2 << 20, Duration.ofMillis(300)), new Patience(Duration.ofSeconds(100), LARGEST));

    /** A large body may take minutes, but not in silence. */
    @RegisterExtension
    static final Api hasty = new Api(RequestMemory.ofThisProcess(), new Patience(Duration.ofSeconds(1), 1_024));

    private final List<Socket> slow = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : slow) {
            socket.close();
        }
    }

    @Test
    void those_that_have_only_begun_take_nothing() throws Exception {
        begin(patient, "PUT /api/v1/jobs/default/slow", CHUNKED, "1\r\n{\r\n");
        begin(patient, "PUT /api/v1/jobs/default/slow", "Content-Length: " + LARGEST, "{");
        begin(patient, "POST /api/v1/plan", "Content-Length: 4000000", "{");
        begin(patient, "POST /api/v1/tasks/rerun", CHUNKED, "1\r\n{\r\n");

        assertThat(put("large", 200_000).status()).isEqualTo(201);
        assertThat(patient.post("/plan", "{\"jobs\": []}").status()).isEqualTo(200);
        assertStillAwaited();
    }

    @Test
    void a_long_one_that_is_on_its_way_takes_room_from_its_caller_alone() throws Exception {
        String most = " ".repeat(LARGEST - 1);
        begin(patient, "PUT /api/v1/jobs/default/slow", "Content-Length: " + LARGEST, most);
        Until.holds(
                SOON,
                "a large one that finds no room",
                () -> put("large", 200_000).status() == 429);

        Reply small = put("small", 8_000);
        assertThat(small.status()).as(small.text()).isEqualTo(201);
        Reply large = put("large", 200_000);
        assertThat(large.status()).isEqualTo(429);
        assertThat(large.header("Retry-After")).isNotEmpty();
        assertThat(large.text()).contains("large bodies").contains("wait for one to end");
        String other = patient.post("/tokens", "{\"name\": \"other\", \"role\": \"editor\"}")
                .body()
                .path("token")
                .asText();
        assertThat(patient.as(other, "PUT", "/jobs/default/others", definition(200_000))
                        .status())
                .isEqualTo(201);
        assertStillAwaited();

        close();
        Until.holds(
                SOON, "room that was given back", () -> put("large", 200_000).status() < 300);
    }

    @Test
    void one_that_sends_much_and_then_stops_is_not_waited_for() throws Exception {
        Socket socket =
                begin(hasty, "PUT /api/v1/jobs/default/slow", "Content-Length: " + LARGEST, " ".repeat(LARGEST - 1));
        socket.setSoTimeout((int) SOON.toMillis());

        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 408")
                .contains("did not arrive within");
    }

    /** A body of a deletion means nothing; what cannot be read is refused before anything is done all the same. */
    @ParameterizedTest
    @CsvSource({"chunked, zz", "'gzip, chunked', 1"})
    void nothing_is_deleted_by_a_request_that_does_not_arrive_whole(String coding, String length) throws Exception {
        assertThat(put("kept", 1_000).status()).isLessThan(300);

        String body = length + "\r\n{\r\n0\r\n\r\n";
        Socket socket = begin(patient, "DELETE /api/v1/jobs/default/kept", "Transfer-Encoding: " + coding, body);
        socket.setSoTimeout((int) SOON.toMillis());

        byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 400".length());
        assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 400");
        assertThat(patient.get("/jobs/default/kept").status()).isEqualTo(200);
    }

    private static Reply put(String name, int bytes) {
        return patient.put("/jobs/default/" + name, definition(bytes));
    }

    private static String definition(int bytes) {
        return " ".repeat(bytes - 100) + "{\"schedule\": \"@manual\", \"command\": \"true\"}";
    }

    private Socket begin(Api api, String request, String length, String beginning) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
        slow.add(socket);
        String head = request + " HTTP/1.1\r\nHost: 127.0.0.1:" + api.port() + "\r\nAuthorization: Bearer " + Api.TOKEN
                + "\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n";
        socket.getOutputStream().write((head + beginning).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** So it was not their end that made others pass. */
    private void assertStillAwaited() throws IOException {
        for (Socket socket : slow) {
            socket.setSoTimeout(1);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
