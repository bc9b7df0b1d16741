package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever tries tokens is slowed down by address, whatever it says its address is, and holds nothing meanwhile. */
@Tag("database")
@Timeout(120)
class GuessingTest {

    /** More than the server answers at once, so that those that were held would keep others out. */
    private static final int MANY = 100;

    @RegisterExtension
    static final Api api = new Api();

    private static Reply guess(int n) {
        return api.raw(
                "GET",
                "/api/v1/jobs",
                null,
                List.of(
                        "Authorization",
                        "Bearer guess-" + n,
                        "X-Forwarded-For",
                        "10.0.0." + n,
                        "X-Real-IP",
                        "10.0.1." + n,
                        "Forwarded",
                        "for=10.0.2." + n));
    }

    @Test
    void another_address_in_a_header_is_not_another_client_and_nobody_waits() {
        String told = api.token("known", "viewer");
        assertThat(api.as(told, "GET", "/jobs", null).status()).isEqualTo(200);
        long since = System.nanoTime();
        int refused = 0;
        for (int n = 0; n < MANY; n++) {
            Reply reply = guess(n);
            assertThat(reply.status()).isIn(401, 429);
            if (reply.status() == 429) {
                refused++;
                assertThat(reply.header("Retry-After")).matches("[1-9][0-9]*");
                assertThat(reply.text()).doesNotContain("guess-");
            }
        }
        // One more is forgiven every few seconds, and a machine may be slow.
        assertThat(refused).isGreaterThan(MANY / 2);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(60));

        assertThat(api.as(told, "GET", "/jobs", null).status()).isEqualTo(200);
        assertThat(api.raw("GET", "/livez", null, List.of()).status()).isEqualTo(200);
    }

    @Test
    void the_audit_tells_the_address_that_a_request_came_from() {
        Reply made = api.put(
                "/jobs/default/j",
                "{\"schedule\": \"@manual\", \"command\": \"true\"}",
                "X-Forwarded-For",
                "10.9.8.7",
                "Forwarded",
                "for=10.9.8.7");
        assertThat(made.status()).isEqualTo(201);
        assertThat(api.one("select group_concat(distinct address) from audit where name = 'j'"))
                .isEqualTo("127.0.0.1");
    }
}
