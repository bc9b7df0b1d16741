package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.db.schema.Migrations;
import dev.rowlock.support.TestCertificates;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that takes no connection in plain text. */
class DatabaseTlsTest {

    @TempDir
    static Path dir;

    static TestCertificates authority;
    static EmbeddedDatabase server;
    static Path stranger;

    @BeforeAll
    static void start() throws Exception {
        authority = new TestCertificates(dir.resolve("certificates"));
        TestCertificates.Pair pair = authority.forHost("localhost");
        server = EmbeddedDatabase.start(
                dir.resolve("database"), List.of("--ssl=1", "--ssl-cert=" + pair.chain(), "--ssl-key=" + pair.key()));
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("set global require_secure_transport = on");
        }
        stranger = new TestCertificates(dir.resolve("stranger")).trustStore();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static DatabaseAddress address(String parameters) {
        String url = server.url().replace("127.0.0.1", "localhost").replaceFirst("[?].*", "?") + parameters;
        return new DatabaseAddress(url, server.user(), server.password());
    }

    /** Which cipher protects the connection. */
    private static String cipher(DatabaseAddress address) throws Exception {
        try (Connection connection = new Server(address).connect(Duration.ofSeconds(10));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show session status like 'ssl_cipher'")) {
            row.next();
            return row.getString(2);
        }
    }

    private static String refusal(String parameters) {
        return refusal(address(parameters));
    }

    private static String refusal(DatabaseAddress address) {
        Throwable failure = catchThrowableOfType(
                ConnectFailure.class,
                () -> new Server(address).connect(Duration.ofSeconds(10)).close());
        assertThat(failure).as(address.url()).isNotNull();
        return failure.getMessage();
    }

    private static String trusting(Path store) {
        return "&trustCertificateKeyStoreUrl=file:" + store
                + "&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=changeit";
    }

    @Test
    void every_mode_but_disabled_gets_in_and_is_encrypted() throws Exception {
        String ours = trusting(authority.trustStore());
        for (String parameters : List.of(
                "",
                "sslMode=PREFERRED",
                "sslMode=REQUIRED",
                "sslMode=VERIFY_CA" + ours,
                "sslMode=VERIFY_IDENTITY" + ours)) {
            assertThat(cipher(address(parameters))).as(parameters).startsWith("TLS");
        }
    }

    @Test
    void a_url_that_forbids_tls_is_told_what_to_change() {
        assertThat(refusal("sslMode=DISABLED"))
                .contains("lets nobody in without TLS", "sslMode=DISABLED", "take sslMode=REQUIRED, or VERIFY_IDENTITY")
                .contains("localhost:");
    }

    @Test
    void a_certificate_of_an_authority_that_is_not_trusted_is_refused_where_the_url_says_so() {
        for (String mode : List.of("VERIFY_CA", "VERIFY_IDENTITY")) {
            assertThat(refusal("sslMode=" + mode + trusting(stranger)))
                    .contains("its certificate is not accepted", "trustCertificateKeyStoreUrl");
        }
    }

    @Test
    void a_certificate_for_another_host_is_refused_where_the_url_says_so() throws Exception {
        String ours = trusting(authority.trustStore());
        String url = server.url().replaceFirst("[?].*", "");
        DatabaseAddress other =
                new DatabaseAddress(url + "?sslMode=VERIFY_IDENTITY" + ours, server.user(), server.password());
        assertThat(refusal(other)).contains("its certificate is not accepted");
    }

    @Test
    void all_of_a_node_s_ways_into_the_database_are_encrypted() throws Exception {
        Servers servers = new Servers(address("sslMode=VERIFY_IDENTITY" + trusting(authority.trustStore())));
        Migrations.run(servers);
        try (Database pool = Database.pooled(servers, 2, Duration.ofSeconds(5));
                Database single = Database.single(servers, Duration.ofSeconds(5))) {
            for (Database database : List.of(pool, single)) {
                String cipher = database.autoCommit(
                        "asking",
                        handle -> handle.createQuery("show session status like 'ssl_cipher'")
                                .map((row, context) -> row.getString(2))
                                .one());
                assertThat(cipher).startsWith("TLS");
            }
        }
    }
}
