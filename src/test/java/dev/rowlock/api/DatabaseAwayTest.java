package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.HttpServer.ApiServices;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.http.Patience;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.nodes.Until;
import dev.rowlock.report.ReadinessChecks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DatabaseAwayTest {

    private static ApiServices services(Database database, ReadinessChecks readiness) {
        return Api.services(
                database,
                new DatabaseClock(System::nanoTime, Uptime::millis),
                new PretendedTasks(),
                RequestMemory.ofThisProcess(),
                () -> {},
                Optional::empty,
                readiness);
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void health_is_answered_and_requests_are_asked_to_come_again_while_the_database_was_never_reached()
            throws Exception {
        DatabaseAddress nowhere = new DatabaseAddress("jdbc:mysql://127.0.0.1:" + closedPort() + "/x", "u", "p");
        try (Database database = Database.pooled(new Servers(nowhere), 2, Duration.ofMillis(300));
                HttpServer server = new HttpServer(
                        new HttpServer.HttpSettings("127.0.0.1", 0, null, List.of(), 1000, 8, 100, Patience.STANDARD),
                        services(
                                database,
                                () -> List.of(new ReadinessChecks.Check("database", false, "it was never reached"))))) {
            server.start();
            assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
            HttpResponse<String> ready = get(server, "/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("it was never reached");

            HttpRequest stranger = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/readyz"))
                    .header("X-Forwarded-For", "10.0.0.9")
                    .build();
            HttpResponse<String> told = HttpClient.newHttpClient().send(stranger, BodyHandlers.ofString());
            assertThat(told.statusCode()).isEqualTo(503);
            assertThat(told.body())
                    .as("what a stranger is told")
                    .doesNotContain("it was never reached")
                    .doesNotContain("database")
                    .contains("\"ready\":false", "ask on its host");

            HttpResponse<String> jobs = get(server, "/api/v1/jobs");
            assertThat(jobs.statusCode()).isEqualTo(503);
            assertThat(jobs.headers().firstValue("Retry-After")).isPresent();
            assertThat(jobs.body()).contains("nothing was changed");
        }
    }

    /** They wait for the database, and have a share of the threads as other requests without a known caller. */
    @Test
    void tokens_that_cannot_be_looked_up_for_the_metrics_hold_few_threads() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Database database = Database.pooled(
                        new Servers(new DatabaseAddress(
                                "jdbc:mysql://127.0.0.1:" + silent.getLocalPort() + "/x", "u", "p")),
                        2,
                        Duration.ofSeconds(10));
                HttpServer server = new HttpServer(
                        new HttpServer.HttpSettings("127.0.0.1", 0, null, List.of(), 1000, 8, 100, Patience.STANDARD),
                        services(database, List::of))) {
            server.start();
            List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                asked.add(client.sendAsync(request(server, "/metrics"), BodyHandlers.ofString()));
            }
            Until.holds(
                    Duration.ofSeconds(30),
                    "the refusal of nearly all: a few may wait for the database, and others when these gave up",
                    () -> asked.stream().filter(DatabaseAwayTest::isRefused).count() >= 14);
            assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
            assertThat(asked).filteredOn(DatabaseAwayTest::isRefused).allSatisfy(one -> {
                assertThat(one.get().statusCode()).isEqualTo(503);
                assertThat(one.get().headers().firstValue("Retry-After")).contains("1");
            });
        }
    }

    private static boolean isRefused(CompletableFuture<HttpResponse<String>> asked) {
        return asked.isDone() && asked.join().body().contains("requests without a token");
    }

    @Test
    void what_hangs_neither_holds_up_readyz_nor_the_closing_of_the_server() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        DatabaseAddress nowhere = new DatabaseAddress("jdbc:mysql://127.0.0.1:" + closedPort() + "/x", "u", "p");
        try (Database database = Database.pooled(new Servers(nowhere), 2, Duration.ofMillis(300));
                HttpServer server = new HttpServer(
                        new HttpServer.HttpSettings("127.0.0.1", 0, null, List.of(), 1000, 8, 100, Patience.STANDARD),
                        services(database, () -> {
                            asked.countDown();
                            return answeredAfter(never);
                        }))) {
            server.start();
            HttpResponse<String> ready = get(server, "/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("not said within");
            asked.await();
        }
        never.countDown();
    }

    @Test
    void a_request_that_was_on_its_way_when_the_server_stops_is_not_taken_for_one_to_another_host() throws Exception {
        DatabaseAddress nowhere = new DatabaseAddress("jdbc:mysql://127.0.0.1:" + closedPort() + "/x", "u", "p");
        try (Database database = Database.pooled(new Servers(nowhere), 2, Duration.ofMillis(300));
                HttpServer server = new HttpServer(
                        new HttpServer.HttpSettings("127.0.0.1", 0, null, List.of(), 1000, 8, 100, Patience.STANDARD),
                        services(database, List::of))) {
            server.start();
            int port = server.port();
            try (Socket begun = new Socket(InetAddress.getLoopbackAddress(), port)) {
                begun.getOutputStream()
                        .write(("GET /livez HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                get(server, "/livez"); // whatever arrived before this has been read by now
                Thread closing = new Thread(server::close);
                closing.start();
                while (server.port() == port) {
                    Thread.onSpinWait();
                }
                begun.getOutputStream().write("Connection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(begun.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(answer).startsWith("HTTP/1.1 200");
                closing.join();
            }
        }
    }

    /** As a driver does that waits for a server: it does not heed interrupts. */
    private static List<ReadinessChecks.Check> answeredAfter(CountDownLatch latch) {
        boolean over = false;
        while (!over) {
            try {
                latch.await();
                over = true;
            } catch (InterruptedException e) {
                over = false;
            }
        }
        return List.of();
    }

    private static HttpResponse<String> get(HttpServer server, String path) throws Exception {
        return HttpClient.newHttpClient().send(request(server, path), BodyHandlers.ofString());
    }

    private static HttpRequest request(HttpServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer x")
                .build();
    }
}
