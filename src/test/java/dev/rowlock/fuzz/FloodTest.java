package dev.rowlock.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** More of everything than a node can serve, while others want to know whether it lives. */
@Order(1)
@Tag("database")
@Tag("slow")
class FloodTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 3_000;
    /** What a node keeps open of them. */
    private static final int KEPT = 1_000;

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final List<Socket> sockets = new ArrayList<>();
    private NodeProcess node;

    @BeforeEach
    void start() throws Exception {
        node = NodeProcess.start(dir.resolve("node"), NodeProcess.on(database)).awaitReady(SOON);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        node.close();
    }

    private Socket connect(String beginning) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(node.url()).getPort());
        socket.setSoTimeout((int) SOON.toMillis());
        sockets.add(socket);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private String head(String line, String... headers) {
        return line + " HTTP/1.1\r\nHost: " + URI.create(node.url()).getAuthority() + "\r\nAuthorization: Bearer "
                + node.token() + "\r\nContent-Type: application/json\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    /** Within a second; one of three times, as the machine has other things to do. */
    private void isAlive() throws IOException {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            fastest = Math.min(fastest, askForLife());
        }
        assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofSeconds(1));
    }

    /** Over a connection of its own, as whoever watches the node would ask; answers the nanoseconds that it took. */
    private long askForLife() throws IOException {
        long since = System.nanoTime();
        String answer;
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(node.url()).getPort())) {
            socket.getOutputStream()
                    .write(head("GET /livez", "Connection: close").getBytes(StandardCharsets.US_ASCII));
            answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
        assertThat(answer).startsWith("HTTP/1.1 200");
        return System.nanoTime() - since;
    }

    @Test
    void thousands_of_idle_connections_keep_nobody_out_and_leave_nothing_behind() throws Exception {
        isAlive();
        int before = Footprint.of(node.pid()).files();
        for (int i = 0; i < CONNECTIONS; i++) {
            connect(i % 2 == 0 ? "" : "GET /api/v1/jobs HTTP/1.1\r\nX-Slow: ");
            if (i % 500 == 0) {
                isAlive();
            }
        }
        isAlive();
        assertThat(node.send("PUT", "/api/v1/jobs/default/a", "{\"schedule\": \"@manual\", \"command\": \"true\"}")
                        .statusCode())
                .isEqualTo(201);
        Until.holds(
                SOON,
                "the end of the oldest connections",
                () -> Footprint.of(node.pid()).files() < before + KEPT + 50);
        assertThat(node.log()).contains("there are 1000 connections");

        for (Socket socket : sockets) {
            socket.close();
        }
        Until.holds(SOON, "no connections", () -> Footprint.of(node.pid()).files() < before + 50);
    }

    @Test
    void huge_and_slow_bodies_are_refused_and_keep_nobody_out() throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slow.add(connect(head("PUT /api/v1/jobs/default/slow", "Transfer-Encoding: chunked") + "1\r\n{\r\n"));
        }
        Socket huge = connect(head("PUT /api/v1/jobs/default/huge", "Content-Length: 1000000000"));
        byte[] some = new byte[1 << 20];
        try {
            for (int i = 0; i < 20; i++) {
                huge.getOutputStream().write(some);
            }
        } catch (IOException e) {
            assertThat(e).as("it was cut off").hasMessageMatching("(?i).*(reset|broken pipe).*");
        }
        isAlive();
        for (Socket socket : slow) {
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).containsPattern("HTTP/1.1 (408|503)");
        }
        isAlive();
        assertThat(node.get("/api/v1/jobs").body()).contains("\"items\":[]");
        assertThat(node.log()).doesNotContain(" ERROR ");
    }
}
