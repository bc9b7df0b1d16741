package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The expected signatures were made by the package {@code standardwebhooks} 1.1.1 of npm: {@code new
 * Webhook(secret).sign(id, date, body)}.
 */
class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final byte[] BODY = "{\"test\": 2432232314, \"name\": \"Zürich\"}".getBytes(StandardCharsets.UTF_8);
    private static final Instant AT = Instant.parse("2021-03-16T18:23:34.900Z");

    @Test
    void it_is_that_of_the_reference() {
        assertThat(Signature.headers("msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY, List.of(SECRET)))
                .containsEntry("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
                .containsEntry("webhook-timestamp", "1615919014")
                .containsEntry("webhook-signature", "v1,ZxuvybptquXcYdbuST2gjnub4zRVzF2mGrXFOHNRKmY=");
    }

    @Test
    void each_secret_signs() {
        assertThat(Signature.headers("msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY, List.of(SECRET, OTHER))
                        .get("webhook-signature"))
                .isEqualTo(
                        "v1,ZxuvybptquXcYdbuST2gjnub4zRVzF2mGrXFOHNRKmY= v1,d6u4kY78zBA/iy09ec37y1Upk0l0hwyHq2ueMlhdxX8=");
    }

    @Test
    void without_a_secret_there_is_no_signature() {
        assertThat(Signature.headers("msg_a", AT, BODY, List.of())).doesNotContainKey("webhook-signature");
    }
}
