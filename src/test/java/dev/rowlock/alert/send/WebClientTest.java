package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.Receiver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WebClientTest {

    private static final Destinations HERE = new Destinations(List.of("127.0.0.1"), InetAddress::getAllByName);

    private static final WebClient client = new WebClient(HERE, Duration.ofSeconds(10));

    @Test
    void what_was_not_taken_is_said_in_few_words() throws IOException {
        try (Receiver receiver = new Receiver()) {
            receiver.answer(500, "no\nroom " + "x".repeat(100_000));
            assertThatThrownBy(
                            () -> client.send("POST", URI.create(receiver.url("/a?b=c")), Map.of(), new byte[] {'{'}))
                    .hasMessageStartingWith("127.0.0.1 answered 500: no room x")
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
            assertThat(receiver.requests().get(0).path()).isEqualTo("/a?b=c");
            assertThat(receiver.requests().get(0).body()).isEqualTo("{");
        }
    }

    @Test
    void an_answer_that_repeats_the_url_does_not_tell_it() throws IOException {
        try (Receiver receiver = new Receiver()) {
            receiver.answer(404, "Cannot POST /services/T0AB/hidden%20one?key=s3cretkey; not 'hidden one'");
            URI url = URI.create(receiver.url("/services/T0AB/hidden%20one?key=s3cretkey"));
            assertThatThrownBy(() -> client.send("POST", url, Map.of(), new byte[0]))
                    .hasMessageContaining("answered 404: Cannot POST /***/T0AB/***?key=***; not '***'");
        }
    }

    @Test
    void a_server_that_does_not_answer_costs_no_more_than_its_time() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            WebClient hasty = new WebClient(HERE, Duration.ofMillis(300));
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            assertThatThrownBy(() -> hasty.send("GET", url, Map.of(), new byte[0]))
                    .hasMessageContaining("did not answer");
        }
    }

    @Test
    void a_server_that_answers_byte_by_byte_costs_no_more_either() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CountDownLatch done = new CountDownLatch(1);
            Thread drip = new Thread(() -> drip(slow, done));
            drip.start();
            WebClient hasty = new WebClient(HERE, Duration.ofMillis(500));
            URI url = URI.create("http://127.0.0.1:" + slow.getLocalPort() + "/");
            assertThatThrownBy(() -> hasty.send("GET", url, Map.of(), new byte[0]))
                    .hasMessageContaining("did not answer");
            done.countDown();
            drip.join();
        }
    }

    private static void drip(ServerSocket server, CountDownLatch done) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write("HTTP/1.1 200 ".getBytes(StandardCharsets.ISO_8859_1));
            while (!done.await(50, TimeUnit.MILLISECONDS)) {
                socket.getOutputStream().write('O');
            }
        } catch (IOException e) {
            done.countDown(); // the client has gone, as it should
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A TLS server that sends a byte of its first record now and then. */
    @Test
    void a_handshake_that_goes_on_byte_by_byte_costs_no_more_either_and_leaves_no_connection() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                WebClient hasty = new WebClient(HERE, Duration.ofMillis(500))) {
            CompletableFuture<Boolean> cut = CompletableFuture.supplyAsync(() -> isCutWhileDripping(slow));
            URI url = URI.create("https://127.0.0.1:" + slow.getLocalPort() + "/");
            assertThatThrownBy(() -> hasty.send("GET", url, Map.of(), new byte[0]))
                    .hasMessageContaining("did not answer");
            assertThat(cut.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Whether the client ends the connection within 20 s, which is much less than all takes. */
    private static boolean isCutWhileDripping(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.setSoTimeout(50);
            socket.getOutputStream().write(new byte[] {0x16, 3, 3, 0x0f, (byte) 0xa0, 2, 0, 0x0f, (byte) 0x9c});
            for (int i = 0; i < 400; i++) {
                socket.getOutputStream().write(0);
                try {
                    while (socket.getInputStream().read() >= 0) {
                        socket.getOutputStream().flush();
                    }
                    return true;
                } catch (SocketTimeoutException e) {
                    socket.getOutputStream().flush();
                }
            }
            return false;
        } catch (IOException e) {
            return true; // reset
        }
    }

    @Test
    void what_is_no_http_is_said_to_be_none() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
                try (Socket socket = server.accept()) {
                    readHead(socket);
                    socket.getOutputStream().write("SSH-2.0-OpenSSH_9.2\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            assertThatThrownBy(() -> client.send("GET", url, Map.of(), new byte[0]))
                    .hasMessageContaining("127.0.0.1 gave no answer of HTTP");
            answering.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void an_answer_without_a_challenge_is_told_as_it_is_and_nothing_is_sent_again() throws IOException {
        try (Receiver receiver = new Receiver()) {
            receiver.answer(401, "who are you");
            assertThatThrownBy(() -> client.send("POST", URI.create(receiver.url("/a")), Map.of(), new byte[] {'{'}))
                    .hasMessageContaining("answered 401: who are you");
            receiver.answer(407, "");
            assertThatThrownBy(() -> client.send("POST", URI.create(receiver.url("/a")), Map.of(), new byte[] {'{'}))
                    .hasMessageContaining("answered 407");
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    private static void readHead(Socket socket) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        String line = lines.readLine();
        while (line != null && !line.isEmpty()) {
            line = lines.readLine();
        }
    }

    @Test
    void interim_answers_are_passed_over() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    readHead(socket);
                    socket.getOutputStream()
                            .write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
                                    .getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            answering.start();
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            client.send("GET", url, Map.of(), new byte[0]);
            answering.join();
        }
    }
}
