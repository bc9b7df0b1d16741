package dev.rowlock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.rowlock.api.Api;
import dev.rowlock.api.HttpServer;
import dev.rowlock.api.PretendedTasks;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.TestCertificates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with real connections, while the files of the certificate change. */
class HttpTlsTest {

    @TempDir
    Path dir;

    private TestCertificates authority;
    private Path certificate;
    private Path key;
    private SSLContext trust;
    private HttpTls tls;
    private Database database;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        authority = new TestCertificates(dir.resolve("made"));
        certificate = dir.resolve("fullchain.pem");
        key = dir.resolve("privkey.pem");
        install(authority.ec("first"));
        trust = authority.trusting();
        tls = HttpTls.load(certificate, key, Clock.systemUTC());
        DatabaseAddress nowhere = new DatabaseAddress("jdbc:mysql://127.0.0.1:1/x", "u", "p");
        database = Database.pooled(new Servers(nowhere), 2, Duration.ofMillis(300));
        server = new HttpServer(
                new HttpServer.HttpSettings("127.0.0.1", 0, tls, List.of(), 1000, 8, 100, Patience.STANDARD),
                Api.services(
                        database,
                        new DatabaseClock(System::nanoTime, Uptime::millis),
                        new PretendedTasks(),
                        RequestMemory.ofThisProcess(),
                        () -> {},
                        Optional::empty,
                        List::of));
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
        database.close();
    }

    private void install(TestCertificates.Pair pair) throws IOException {
        install(pair.chain(), certificate);
        install(pair.key(), key);
    }

    /** As certbot does: another file under the same name. */
    private void install(Path source, Path target) throws IOException {
        Path fresh = Files.copy(source, dir.resolve("fresh"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** One connection, which speaks HTTP as long as it is wanted. */
    private final class Client implements AutoCloseable {

        private final SSLSocket socket;
        private final BufferedReader answers;

        Client(String... protocols) throws IOException {
            socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", server.port());
            socket.setSoTimeout(20_000);
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            var parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        String shown() throws IOException {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }

        /** The status line and the body of an answer. */
        String get(String path, String host) throws IOException {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String status = answers.readLine();
            int length = 0;
            for (String line = answers.readLine(); !line.isEmpty(); line = answers.readLine()) {
                if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(line.substring(15).strip());
                }
            }
            char[] body = new char[length];
            for (int read = 0; read < length; ) {
                read += answers.read(body, read, length - read);
            }
            return status + " " + new String(body);
        }

        String live() throws IOException {
            return get("/livez", "127.0.0.1:" + server.port());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private String shown() throws IOException {
        try (Client client = new Client()) {
            assertThat(client.live()).contains("200", "\"live\":true");
            return client.shown();
        }
    }

    @Test
    void tls_1_2_and_1_3_are_spoken_and_nothing_older_or_plain() throws Exception {
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            try (Client client = new Client(protocol)) {
                assertThat(client.socket.getSession().getProtocol()).isEqualTo(protocol);
                assertThat(client.live()).contains("200");
            }
        }
        assertThatThrownBy(() -> new Client("TLSv1.1")).isInstanceOf(SSLException.class);
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            plain.setSoTimeout(20_000);
            plain.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = plain.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1.1 200");
        }
    }

    @Test
    void a_host_without_a_port_means_the_standard_port_of_https() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.get("/livez", "127.0.0.1")).contains("421"); // it listens on another port
            assertThat(client.get("/livez", "elsewhere.example:" + server.port()))
                    .contains("421");
            assertThat(client.live()).contains("200");
        }
    }

    @Test
    void a_renewed_pair_is_shown_without_a_restart_and_connections_survive_that() throws Exception {
        try (Client early = new Client()) {
            assertThat(early.live()).contains("200");

            install(authority.rsa("second"));
            Until.holds(Duration.ofSeconds(30), "the second certificate", () -> shown().equals("CN=second"));

            assertThat(early.shown()).isEqualTo("CN=first");
            assertThat(early.live()).contains("200");
        }
        install(authority.ec("third"));
        Until.holds(Duration.ofSeconds(30), "the third certificate", () -> shown().equals("CN=third"));
    }

    @Test
    void half_a_renewal_leaves_the_last_good_pair_and_is_complained_of_once() throws Exception {
        TestCertificates.Pair second = authority.ec("second");
        try (LogLines log = LogLines.of(HttpTls.class)) {
            install(second.chain(), certificate); // its key is still on its way
            tls.look();
            tls.look();
            Files.writeString(key, Files.readString(second.key()).substring(0, 50));
            tls.look();
            assertThat(shown()).isEqualTo("CN=first");
            Files.delete(key);
            tls.look();
            assertThat(shown()).isEqualTo("CN=first");
            assertThat(log.events(line -> line.getLevel() == Level.WARN))
                    .extracting(Object::toString)
                    .singleElement()
                    .asString()
                    .contains("http.tls.key: " + key + " is not the key of", "stays in use");

            install(second.key(), key);
            tls.look();
            assertThat(shown()).isEqualTo("CN=second");
            assertThat(log.texts()).last().asString().contains("now that of CN=second", "valid until");

            Files.delete(certificate);
            tls.look();
            assertThat(log.events(line -> line.getLevel() == Level.WARN)).hasSize(2);
            assertThat(shown()).isEqualTo("CN=second");
        }
    }

    @Test
    void the_same_files_are_not_read_again() throws Exception {
        Files.setLastModifiedTime(key, Files.getLastModifiedTime(key));
        try (LogLines log = LogLines.of(HttpTls.class)) {
            tls.look();
            tls.look();
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void an_expired_certificate_is_used_and_complained_of_once_and_one_that_expires_soon_before() {
        Instant end = ServerCertificate.read(certificate, key).validUntil();
        Instant[] now = {end.minus(Duration.ofDays(10))};
        Clock clock = new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now[0];
            }
        };
        try (LogLines log = LogLines.of(HttpTls.class)) {
            HttpTls watched = HttpTls.load(certificate, key, clock);
            watched.look();
            assertThat(log.texts()).isEmpty();
            now[0] = end.minus(Duration.ofDays(6));
            watched.look();
            watched.look();
            assertThat(log.texts()).singleElement().asString().contains(certificate + " expires on " + end);
            now[0] = end;
            watched.look();
            watched.look();
            assertThat(log.texts()).hasSize(2).last().asString().contains(certificate + " has expired on " + end);

            HttpTls.load(certificate, key, clock);
            assertThat(log.texts()).hasSize(3).last().asString().contains("has expired");
        }
    }
}
