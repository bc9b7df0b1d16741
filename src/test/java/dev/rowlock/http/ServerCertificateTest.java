package dev.rowlock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rowlock.support.TestCertificates;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys in the files that people have. */
class ServerCertificateTest {

    @TempDir
    static Path dir;

    static TestCertificates authority;
    static TestCertificates.Pair ec;
    static TestCertificates.Pair rsa;

    @BeforeAll
    static void make() throws IOException {
        authority = new TestCertificates(dir);
        ec = authority.ec("ec");
        rsa = authority.rsa("rsa");
    }

    @Test
    void a_key_of_another_form_than_pkcs8_is_refused_with_the_command_that_converts_it() throws IOException {
        for (TestCertificates.Pair pair : List.of(ec, rsa)) {
            Path old = dir.resolve("old.key");
            TestCertificates.openssl("pkey", "-in", pair.key().toString(), "-traditional", "-out", old.toString());
            assertThat(Files.readString(old)).containsPattern("BEGIN (EC|RSA) PRIVATE KEY");

            String remedy = "openssl pkcs8 -topk8 -nocrypt -in " + old + " -out NEW";
            assertThat(problem(pair.chain(), old)).contains(" PRIVATE KEY; convert it to PKCS#8 with \"" + remedy);
            Path fresh = dir.resolve("new.key");
            TestCertificates.openssl("pkcs8", "-topk8", "-nocrypt", "-in", old.toString(), "-out", fresh.toString());
            assertThat(number(ServerCertificate.read(pair.chain(), fresh)))
                    .isEqualTo(number(ServerCertificate.read(pair.chain(), pair.key())));
        }
    }

    @Test
    void a_key_may_share_its_file_with_the_certificates() throws IOException {
        Path both = dir.resolve("both.pem");
        Files.writeString(both, Files.readString(ec.key()) + Files.readString(ec.chain()));

        ServerCertificate read = ServerCertificate.read(both, both);
        ServerCertificate same = ServerCertificate.read(ec.chain(), ec.key());
        assertThat(read.chain()).isEqualTo(same.chain());
        assertThat(number(read)).isEqualTo(number(same));
    }

    @Test
    void a_certificate_may_have_a_label_of_older_tools() throws IOException {
        Path labelled = dir.resolve("labelled.pem");
        Files.writeString(labelled, Files.readString(ec.chain()).replace(" CERTIFICATE-", " X509 CERTIFICATE-"));

        assertThat(ServerCertificate.read(labelled, ec.key()).chain())
                .isEqualTo(ServerCertificate.read(ec.chain(), ec.key()).chain());
    }

    @Test
    void the_chain_is_put_in_order() throws IOException {
        List<String> parts = Arrays.asList(Files.readString(ec.chain()).split("(?<=END CERTIFICATE-----\n)"));
        Path turned = dir.resolve("turned.pem");
        Files.writeString(turned, "What others wrote into it.\n" + parts.get(1) + parts.get(0));

        assertThat(ServerCertificate.read(turned, ec.key()).chain())
                .isEqualTo(ServerCertificate.read(ec.chain(), ec.key()).chain());
        assertThat(ServerCertificate.read(turned, ec.key()).subject()).isEqualTo("CN=ec");
    }

    @Test
    void what_cannot_be_used_is_named_with_its_setting_and_the_remedy() throws IOException {
        Path missing = dir.resolve("missing.pem");
        assertThat(problem(missing, ec.key())).isEqualTo("http.tls.certificate: there is no file " + missing);
        assertThat(problem(ec.chain(), missing)).isEqualTo("http.tls.key: there is no file " + missing);
        assertThat(problem(ec.chain(), dir)).startsWith("http.tls.key: " + dir + " cannot be read: ");

        Path cut = dir.resolve("cut.pem");
        String whole = Files.readString(ec.chain());
        Files.writeString(cut, whole.substring(0, 200));
        assertThat(problem(cut, ec.key())).contains(cut + " holds no certificate in PEM form");
        assertThat(problem(ec.chain(), ec.chain())).contains("http.tls.key: ", " holds no private key in PEM form");
        Files.writeString(cut, whole.replaceFirst("\n(?!-)[^\n]{20}", "\n")); // twenty characters are lost
        assertThat(problem(cut, ec.key()))
                .startsWith("http.tls.certificate: " + cut + " holds a certificate that cannot be read: ");

        assertThat(problem(ec.chain(), rsa.key()))
                .isEqualTo("http.tls.key: " + rsa.key() + " is not the key of " + ec.chain()
                        + ", whose certificate is for CN=ec and needs its EC key");
        assertThat(problem(ec.chain(), authority.ec("other").key())).contains("is not the key of");
    }

    @Test
    void a_key_under_a_passphrase_is_told_from_a_damaged_one() throws IOException {
        Path locked = dir.resolve("locked.key");
        String in = rsa.key().toString();
        TestCertificates.openssl("pkey", "-in", in, "-aes256", "-passout", "pass:x", "-out", locked.toString());
        assertThat(problem(rsa.chain(), locked)).contains("is encrypted", "openssl pkey");
        TestCertificates.openssl(
                "rsa", "-in", in, "-aes256", "-passout", "pass:x", "-traditional", "-out", locked.toString());
        assertThat(Files.readString(locked)).contains("Proc-Type");
        assertThat(problem(rsa.chain(), locked)).contains("is encrypted", "openssl pkey");
    }

    @Test
    void a_key_that_the_node_may_not_read_names_its_user() throws IOException {
        Path closed = Files.copy(ec.key(), dir.resolve("closed.key"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(closed), "root reads everything");
        assertThat(problem(ec.chain(), closed)).contains("permission denied for the user");
    }

    @Test
    void kinds_of_keys_that_tls_cannot_use_are_named() throws IOException {
        Path key = dir.resolve("ed.key");
        Path certificate = dir.resolve("ed.pem");
        TestCertificates.openssl(
                "req",
                "-x509",
                "-newkey",
                "ed25519",
                "-nodes",
                "-subj",
                "/CN=ed",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString());
        assertThat(problem(certificate, key)).contains("Ed", "take one with an EC or RSA key");
    }

    /** The secret: how the key was written makes no difference. */
    private static BigInteger number(ServerCertificate read) {
        return read.key() instanceof ECPrivateKey ec ? ec.getS() : ((RSAPrivateKey) read.key()).getPrivateExponent();
    }

    private static String problem(Path certificate, Path key) {
        TlsProblem problem = catchThrowableOfType(TlsProblem.class, () -> ServerCertificate.read(certificate, key));
        assertThat(problem).isNotNull();
        return problem.getMessage();
    }
}
