package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.rowlock.support.Receiver;
import dev.rowlock.support.SecuredMail;
import dev.rowlock.support.TestCertificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages go out under TLS to whom the operator's trust store vouches for, and to nobody else. */
@Timeout(120)
class SecuredSendingTest {

    /** Java's words depend on what the store has. */
    private static final String[] UNTRUSTED = {"trust anchors", "valid certification path"};

    @TempDir
    Path dir;

    private final GreenMail mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    private TestCertificates authority;
    private SSLContext certificate;

    @BeforeEach
    void start() throws Exception {
        authority = new TestCertificates(dir.resolve("ours"));
        certificate = authority.showing(authority.rsa("mail"));
        mail.start();
        mail.setUser("rowlock@example.com", "rowlock", "s3cret");
    }

    @AfterEach
    void stop() {
        mail.stop();
    }

    @ParameterizedTest
    @CsvSource({"TLS, true", "STARTTLS, false"})
    void e_mail_is_sent(String security, boolean fromTheBeginning) throws Exception {
        try (SecuredMail server = new SecuredMail(mail.getSmtp().getPort(), certificate, fromTheBeginning)) {
            assertThat(send(authority, "mail", security, "127.0.0.1", "" + server.port()))
                    .isEqualTo("sent");
        }
        assertThat(mail.getReceivedMessages()).hasSize(1);
        assertThat(mail.getReceivedMessages()[0].getSubject()).isEqualTo("[Rowlock] db/backup failed");
    }

    @ParameterizedTest
    @CsvSource({"TLS, true", "STARTTLS, false"})
    void e_mail_is_not_sent_to_a_server_that_nobody_vouches_for(String security, boolean fromTheBeginning)
            throws Exception {
        TestCertificates stranger = new TestCertificates(dir.resolve("stranger"));
        try (SecuredMail server = new SecuredMail(mail.getSmtp().getPort(), certificate, fromTheBeginning)) {
            assertThat(send(stranger, "mail", security, "127.0.0.1", "" + server.port()))
                    .startsWith("mail server 127.0.0.1")
                    .containsAnyOf(UNTRUSTED);
        }
        assertThat(mail.getReceivedMessages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"TLS, true", "STARTTLS, false"})
    void e_mail_is_not_sent_to_a_server_with_the_certificate_of_another(String security, boolean fromTheBeginning)
            throws Exception {
        SSLContext other = authority.showing(authority.forHost("mail.example.com"));
        try (SecuredMail server = new SecuredMail(mail.getSmtp().getPort(), other, fromTheBeginning)) {
            assertThat(send(authority, "mail", security, "127.0.0.1", "" + server.port()))
                    .startsWith("mail server 127.0.0.1")
                    .isNotEqualTo("sent");
        }
        assertThat(mail.getReceivedMessages()).isEmpty();
    }

    @Test
    void a_webhook_is_sent_to_whom_the_certificate_is_for_alone() throws Exception {
        TestCertificates stranger = new TestCertificates(dir.resolve("stranger"));
        SSLContext other = authority.showing(authority.forHost("hooks.example.com"));
        try (Receiver receiver = new Receiver(certificate);
                Receiver impostor = new Receiver(other)) {
            assertThat(send(authority, "webhook", receiver.url("/hook"))).isEqualTo("sent");
            assertThat(receiver.requests()).hasSize(1);
            assertThat(send(stranger, "webhook", receiver.url("/hook"))).containsAnyOf(UNTRUSTED);
            assertThat(receiver.requests()).hasSize(1);
            assertThat(send(authority, "webhook", impostor.url("/hook"))).contains("127.0.0.1");
            assertThat(impostor.requests()).isEmpty();
        }
    }

    private static String send(TestCertificates trusted, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djavax.net.ssl.trustStore=" + trusted.trustStore(),
                "-Djavax.net.ssl.trustStorePassword=changeit",
                "-cp",
                System.getProperty("java.class.path"),
                SendingProcess.class.getName()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        List<String> lines = said.strip().lines().toList();
        return lines.get(lines.size() - 1);
    }
}
