package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.support.FreePorts;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A MySQL of our own that takes no connection in plain text, if MySQL is what the tests run on. */
@Tag("database")
class MySqlTlsTest {

    @RegisterExtension
    static final TestDatabase database = TestDatabase.withoutTables();

    private static final int PORT = FreePorts.one();

    @TempDir
    Path dir;

    private static String server(String command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("scripts/mysql-for-tests", command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ROWLOCK_TEST_MYSQL_PORT", Integer.toString(PORT));
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command).isZero();
        return said.strip();
    }

    private static boolean isMySql() {
        return !String.valueOf(new Rows(database).one("select version()")).contains("Maria");
    }

    @AfterEach
    void wipe() throws Exception {
        if (isMySql()) {
            server("wipe");
        }
    }

    @Test
    void every_mode_does_what_the_documentation_says() throws Exception {
        assumeTrue(isMySql(), "the tests do not run on MySQL");
        String url = server("start");
        Path authority;
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create database secured");
            statement.execute("create user keyed identified by 'p'");
            statement.execute("grant all on secured.* to keyed");
            assertThat(refusal(new DatabaseAddress(url + "secured?sslMode=DISABLED", "keyed", "p")))
                    .contains(
                            "Public Key Retrieval is not allowed", "take sslMode=REQUIRED", "allowPublicKeyRetrieval");
            statement.execute("set global require_secure_transport = on");
            try (ResultSet row = statement.executeQuery("select concat(@@datadir, @@ssl_ca)")) {
                row.next();
                authority = Path.of(row.getString(1));
            }
        }
        String trusting = "&trustCertificateKeyStoreUrl=file:" + store(authority)
                + "&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=changeit";

        for (String mode : List.of("", "sslMode=PREFERRED", "sslMode=REQUIRED", "sslMode=VERIFY_CA" + trusting)) {
            assertThat(cipher(url, mode)).as(mode).startsWith("TLS");
        }
        assertThat(refusal(url, "sslMode=DISABLED&allowPublicKeyRetrieval=true"))
                .contains("lets nobody in without TLS", "take sslMode=REQUIRED, or VERIFY_IDENTITY");
        assertThat(refusal(url, "sslMode=VERIFY_CA")).contains("its certificate is not accepted");
        // What MySQL makes for itself is for no host.
        assertThat(refusal(url, "sslMode=VERIFY_IDENTITY" + trusting)).contains("its certificate is not accepted");
    }

    private static DatabaseAddress address(String url, String parameters) {
        return new DatabaseAddress(url + "secured?" + parameters, "root", "");
    }

    private static String cipher(String url, String parameters) throws Exception {
        try (Connection connection = new Server(address(url, parameters)).connect(Duration.ofSeconds(10));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show session status like 'ssl_cipher'")) {
            row.next();
            return row.getString(2);
        }
    }

    private static String refusal(String url, String parameters) {
        return refusal(address(url, parameters));
    }

    private static String refusal(DatabaseAddress address) {
        Throwable failure = catchThrowableOfType(
                ConnectFailure.class,
                () -> new Server(address).connect(Duration.ofSeconds(10)).close());
        assertThat(failure).as(address.url()).isNotNull();
        return failure.getMessage();
    }

    private Path store(Path authority) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream certificate = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        }
        Path file = dir.resolve("authority.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "changeit".toCharArray());
        }
        return file;
    }
}
