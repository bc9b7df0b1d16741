package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.ClientPace;
import dev.rowlock.http.Patience;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.Numbers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that take for ever over their body or their answer, while others want the memory that is held for them. */
@Tag("database")
@Timeout(120)
class SlowClientsTest {

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(1), 4 << 20);
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final int SHARE = 64 << 20;

    @RegisterExtension
    static final Api api = new Api(new RequestMemory(SHARE, Duration.ofSeconds(10)), PATIENCE);

    /** Waits longer for slow clients than others wait for memory. */
    @RegisterExtension
    static final Api patient =
            new Api(new RequestMemory(SHARE, Duration.ofSeconds(100)), new Patience(Duration.ofSeconds(100), 4 << 20));

    @Test
    void those_that_send_their_bodies_byte_by_byte_are_told_so_and_keep_nobody_out() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            CountDownLatch begun = new CountDownLatch(6 * 3);
            for (int i = 0; i < 6; i++) {
                Socket socket = connect();
                slow.add(socket);
                send(socket, "PUT /api/v1/jobs/default/slow HTTP/1.1", "Transfer-Encoding: chunked");
                new Thread(() -> trickle(socket, begun), "trickle").start();
            }
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

            Reply other = api.put(
                    "/jobs/default/other",
                    "{\"schedule\": \"@manual\", \"command\": \"true #" + "x".repeat(50_000) + "\"}");

            assertThat(other.status()).as(other.text()).isEqualTo(201);
            for (Socket socket : slow) {
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 408")
                        .contains("did not arrive within");
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void one_that_does_not_read_its_output_is_cut_off_and_keeps_nobody_out() throws Exception {
        keepOutput(api);

        isCutOff("/tasks/7/output", 8_000_000);
        isCutOff("/tasks/7/output?follow=true", 8_000_000);
        assertThat(api.get("/tasks/7/output").text()).hasSize(8_000_000);
    }

    /** More than the kernel takes of it while nobody reads. */
    private static void keepOutput(Api of) {
        of.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                        + " outcome, launch_id, ended_at, last_fire_time, output_bytes) values (7, 1, 'default', 'j',"
                        + " 1, utc_timestamp(3), '', 1, 'SCHEDULE', 'SUCCEEDED', 'abc-7', utc_timestamp(3),"
                        + " utc_timestamp(3), 8000000)");
        of.update("insert into task_output (task_id, launch_id, total_bytes, cut_bytes, head, tail, written_at) values"
                + " (7, 'abc-7', 8000000, 0, repeat('h', 4000000), repeat('t', 4000000), utc_timestamp(3))");
    }

    @Test
    void one_that_does_not_read_its_page_is_cut_off_and_keeps_nobody_out() throws Exception {
        api.update("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select n, 'default', concat('j-', n), 1, json_object('namespace', 'default', 'name', concat('j-',"
                + " n), 'schedule', '@manual', 'command', concat('true #', repeat('€', 950))), false, utc_timestamp(3),"
                + " utc_timestamp(3) from " + Numbers.upTo(1_000));

        isCutOff("/jobs?limit=1000", 3_000_000);
        assertThat(api.get("/jobs?limit=1000").body().path("items")).hasSizeGreaterThan(500);
    }

    /** Its plan wants all the memory there is, while it reads nothing of an output that takes some. */
    @Test
    void one_that_plans_much_and_reads_nothing_holds_up_nobody_else() throws Exception {
        String viewer = patient.post("/tokens", "{\"name\": \"planner\", \"role\": \"viewer\"}")
                .body()
                .path("token")
                .asText();
        patient.put("/jobs/default/kept", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        byte[] plan = largePlan();
        keepOutput(patient);
        List<Socket> slow = new ArrayList<>();
        try {
            slow.add(connect(patient));
            send(patient, viewer, slow.get(0), "GET /api/v1/tasks/7/output HTTP/1.1");
            assertThat(slow.get(0).getInputStream().read()).isEqualTo('H');
            for (int i = 0; i < 3; i++) {
                Socket socket = connect(patient);
                slow.add(socket);
                send(patient, viewer, socket, "POST /api/v1/plan HTTP/1.1", "Content-Length: " + plan.length);
                socket.getOutputStream().write(plan);
            }

            for (String path : List.of("/jobs/default/kept", "/jobs?limit=10", "/forecast", "/audit")) {
                Reply reply = patient.get(path);
                assertThat(reply.status()).as(path + " " + reply.text()).isEqualTo(200);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static byte[] largePlan() {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            jobs.append(i == 0 ? "" : ",")
                    .append("{\"namespace\": \"lab\", \"name\": \"j" + i + "\", \"schedule\": \"@manual\","
                            + " \"command\": \"true\", \"env\": {\"A\": \"" + "€".repeat(500) + "\", \"B\": \""
                            + "€".repeat(500) + "\"}}");
        }
        return ("{\"jobs\": [" + jobs + "]}").getBytes(StandardCharsets.UTF_8);
    }

    /** While it reads nothing, another is served; and when its time is over, its connection is closed. */
    private static void isCutOff(String path, int atLeast) throws Exception {
        try (LogLines log = LogLines.ofAnyThread(ClientPace.class);
                Socket slow = connect()) {
            send(slow, "GET /api/v1" + path + " HTTP/1.1");
            assertThat(slow.getInputStream().read()).isEqualTo('H');
            assertThat(api.get(path).status()).isEqualTo(200);

            Until.holds(
                    Duration.ofSeconds(20),
                    "its end",
                    () -> log.texts().stream().anyMatch(line -> line.contains("its connection is closed")));
            assertThat(readable(slow)).isLessThan(atLeast);
        }
    }

    /** What was under way when its connection was closed. */
    private static int readable(Socket socket) {
        int read = 0;
        try {
            byte[] some = new byte[65_536];
            for (int n = 0; n >= 0; n = socket.getInputStream().read(some)) {
                read += n;
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        return read;
    }

    private static void trickle(Socket slow, CountDownLatch begun) {
        try {
            while (true) {
                slow.getOutputStream().write("1\r\n \r\n".getBytes(StandardCharsets.US_ASCII));
                begun.countDown();
                assertThat(NEVER.await(100, TimeUnit.MILLISECONDS)).isFalse();
            }
        } catch (IOException e) {
            begun.countDown(); // it was cut off
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Socket connect() throws IOException {
        return connect(api);
    }

    private static Socket connect(Api server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        return socket;
    }

    private static void send(Socket socket, String request, String... headers) throws IOException {
        send(api, Api.TOKEN, socket, request, headers);
    }

    private static void send(Api server, String token, Socket socket, String request, String... headers)
            throws IOException {
        String text = request + "\r\nHost: 127.0.0.1:" + server.port() + "\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: application/json\r\n"
                + String.join(
                        "",
                        java.util.Arrays.stream(headers).map(h -> h + "\r\n").toList()) + "\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
