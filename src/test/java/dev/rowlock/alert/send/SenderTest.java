package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.support.Receiver;
import jakarta.mail.internet.MimeMessage;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SenderTest {

    private static final Message MESSAGE = new Message(
            "msg_1",
            Instant.parse("2026-12-01T03:00:07.250Z"),
            "db/backup failed\nBcc: x@example.com",
            "Zürich <!channel> & co.\n",
            JsonNodeFactory.instance.objectNode().put("type", "job.failed"));

    @TempDir
    Path dir;

    @Test
    void e_mail_is_sent_with_its_id_and_date() throws Exception {
        GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        try {
            server.setUser("rowlock@example.com", "rowlock", "s3cret");
            MailServer with = new MailServer(
                    "127.0.0.1",
                    server.getSmtp().getPort(),
                    MailServer.Security.NONE,
                    "rowlock",
                    "s3cret",
                    "rowlock@example.com");
            AlertChannel channel = channel(AlertChannel.Type.EMAIL, "ops@example.com, dba@example.com");
            sender(with, Map.of()).send(channel, MESSAGE);

            assertThat(server.getReceivedMessages()).hasSize(2);
            MimeMessage mail = server.getReceivedMessages()[0];
            assertThat(mail.getSubject()).isEqualTo("[Rowlock] db/backup failed Bcc: x@example.com");
            assertThat(mail.getHeader("Bcc")).isNull();
            assertThat(mail.getHeader("Message-ID")).containsExactly("<msg_1@example.com>");
            assertThat(mail.getHeader("Date")).containsExactly("Tue, 1 Dec 2026 03:00:07 GMT");
            assertThat(mail.getContent().toString().strip()).isEqualTo("Zürich <!channel> & co.");
            assertThat(mail.getAllRecipients()).hasSize(2);
        } finally {
            server.stop();
        }
    }

    @Test
    void a_wrong_password_or_a_server_without_tls_is_said_and_the_password_is_not() {
        GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        try {
            server.setUser("rowlock@example.com", "rowlock", "s3cret");
            int port = server.getSmtp().getPort();
            AlertChannel channel = channel(AlertChannel.Type.EMAIL, "ops@example.com");
            MailServer wrong = new MailServer(
                    "127.0.0.1", port, MailServer.Security.NONE, "rowlock", "wr0ng", "rowlock@example.com");
            assertThatThrownBy(() -> sender(wrong, Map.of()).send(channel, MESSAGE))
                    .isInstanceOf(NotSent.class)
                    .message()
                    .startsWith("mail server 127.0.0.1: ")
                    .doesNotContain("wr0ng");
            MailServer secured =
                    new MailServer("127.0.0.1", port, MailServer.Security.STARTTLS, null, null, "rowlock@example.com");
            assertThatThrownBy(() -> sender(secured, Map.of()).send(channel, MESSAGE))
                    .isInstanceOf(NotSent.class)
                    .hasMessageContaining("STARTTLS");
            assertThat(server.getReceivedMessages()).isEmpty();
        } finally {
            server.stop();
        }
    }

    @Test
    void slack_gets_text_that_calls_nobody() throws Exception {
        try (Receiver receiver = new Receiver()) {
            receiver.answer(200, "ok");
            sender(null, Map.of()).send(channel(AlertChannel.Type.SLACK, receiver.url("/services/x")), MESSAGE);
            assertThat(receiver.requests().get(0).json().path("text").asText())
                    .contains("*db/backup failed")
                    .contains("&lt;!channel&gt; &amp; co.")
                    .doesNotContain("<!channel>");
        }
    }

    @Test
    void a_command_gets_the_message_and_only_those_of_the_configuration_run() throws Exception {
        Path out = dir.resolve("out");
        Sender sender = sender(
                null, Map.of("page", "cat > " + out + "; echo \" $ROWLOCK_ALERT_ID\" >> " + out, "broken", "exit 3"));
        sender.send(channel(AlertChannel.Type.COMMAND, "page"), MESSAGE);
        assertThat(out).hasContent("{\"type\":\"job.failed\"} msg_1\n");
        assertThatThrownBy(() -> sender.send(channel(AlertChannel.Type.COMMAND, "broken"), MESSAGE))
                .hasMessageContaining("exit code 3");
        AlertChannel unknown = channel(AlertChannel.Type.COMMAND, "id");
        assertThat(sender.lack(unknown)).contains("alerts.commands");
        assertThatThrownBy(() -> sender.send(unknown, MESSAGE)).isInstanceOf(NotSent.class);
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(out); // what it read is gone
        }
    }

    private Sender sender(@Nullable MailServer mail, Map<String, String> commands) {
        return new Sender(
                new Destinations(List.of("127.0.0.1"), InetAddress::getAllByName),
                mail,
                commands,
                new OperatorCommand(dir));
    }

    private static AlertChannel channel(AlertChannel.Type type, String destination) {
        return new AlertChannel(type, destination, "", List.of());
    }
}
