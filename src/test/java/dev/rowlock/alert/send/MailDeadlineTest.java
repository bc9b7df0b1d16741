package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.support.TricklingServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a mail server may take that says something all the time, so that no single read of it is slow. */
@Timeout(30)
class MailDeadlineTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Message MESSAGE =
            new Message("msg_1", Instant.EPOCH, "subject", "text", JsonNodeFactory.instance.objectNode());

    @ParameterizedTest
    @CsvSource({"'', '220-still thinking\n'", "'220 here\r\n', '250-SIZE\n'", "'220 here\r\n250 here\r\n', '250-yes\n'"
    })
    void a_server_that_never_ends_what_it_says_is_left_in_time(String first, String again) throws Exception {
        try (TricklingServer server = new TricklingServer(first, again)) {
            refused(server, MailServer.Security.NONE);
        }
    }

    /** A record of TLS that is announced as 4,000 bytes long. */
    @ParameterizedTest
    @EnumSource(names = {"TLS", "STARTTLS"})
    void so_is_one_whose_handshake_does_not_end(MailServer.Security security) throws Exception {
        String offer =
                security == MailServer.Security.TLS ? "" : "220 here\r\n250-here\r\n250 STARTTLS\r\n220 go on\r\n";
        try (TricklingServer server = new TricklingServer(offer, "\u0016\u0003\u0003\u000f\u00a0\u0002\u0000")) {
            refused(server, security);
        }
    }

    /** It would be sent once more, though the server has it. */
    @Test
    void what_the_server_has_taken_is_sent_however_slowly_it_says_good_bye() throws Exception {
        String taken = "220 here\r\n250 here\r\n250 from\r\n250 to\r\n354 go on\r\n250 taken\r\n";
        try (TricklingServer server = new TricklingServer(taken, "221-bye\n")) {
            mail(server, MailServer.Security.NONE).send(List.of("ops@example.com"), MESSAGE);
        }
    }

    private static void refused(TricklingServer server, MailServer.Security security) {
        long begun = System.nanoTime();
        assertThatThrownBy(() -> mail(server, security).send(List.of("ops@example.com"), MESSAGE))
                .isInstanceOf(NotSent.class)
                .hasMessage("mail server 127.0.0.1: it took longer than 1 s");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    private static Mail mail(TricklingServer server, MailServer.Security security) {
        MailServer address = new MailServer("127.0.0.1", server.port(), security, null, null, "rowlock@example.com");
        return new Mail(address, TIMEOUT);
    }
}
