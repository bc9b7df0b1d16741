package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class TelemetryEndpointTest {

    @RegisterExtension
    static final Api API = new Api();

    @Test
    void metrics_are_for_who_has_their_token() {
        Api.Reply reply = metrics("Bearer " + Api.TOKEN_OF_METRICS);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("# of nothing\n");
        assertThat(reply.header("Content-Type")).startsWith("text/plain");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(metrics("bearer " + Api.TOKEN_OF_METRICS).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer " + Api.TOKEN_OF_METRICS + "x",
                "Bearer ",
                "Basic " + Api.TOKEN_OF_METRICS,
                Api.TOKEN_OF_METRICS
            })
    void others_are_told_what_is_needed(String authorization) {
        Api.Reply reply = metrics(authorization);

        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
        assertThat(reply.body().path("detail").asText()).contains("a token of metrics is needed");
    }

    @Test
    void a_token_of_the_api_reads_them_unless_it_is_limited() {
        assertThat(metrics("Bearer " + Api.TOKEN).status()).isEqualTo(200);
        assertThat(metrics("Bearer " + API.token("sees-all", "viewer")).status())
                .isEqualTo(200);
        assertThat(metrics("Bearer " + API.token("sees-a", "viewer", "a")).status())
                .isEqualTo(401);
    }

    @Test
    void the_token_of_metrics_opens_nothing_else() {
        assertThat(API.call("GET", "/jobs", null, "Authorization", "Bearer " + Api.TOKEN_OF_METRICS)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void the_version_is_told_to_who_may_ask() {
        Api.Reply reply = API.get("/version");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().toString())
                .isEqualTo("{\"version\":\"1.2.3\",\"revision\":\"abc\",\"java\":\"17\",\"schemaVersion\":17,"
                        + "\"featureLevel\":1}");
        assertThat(API.raw("GET", "/api/v1/version", null, List.of()).status()).isEqualTo(401);
        assertThat(API.raw("GET", "/version", null, List.of()).status()).isEqualTo(404);
    }

    @Test
    void each_answer_has_the_id_of_its_request_or_one_of_its_own() {
        assertThat(requestId("a-1.b:2_3")).isEqualTo("a-1.b:2_3");
        assertThat(UUID.fromString(requestId("x".repeat(65)))).isNotNull();
        assertThat(UUID.fromString(requestId("{\"a\": 1}"))).isNotNull();
        assertThat(UUID.fromString(API.raw("GET", "/livez", null, List.of()).header("X-Request-Id")))
                .isNotNull();
    }

    private static String requestId(String sent) {
        return API.raw("GET", "/nowhere", null, List.of("X-Request-Id", sent)).header("X-Request-Id");
    }

    private static Api.Reply metrics(String authorization) {
        return API.raw("GET", "/metrics", null, List.of("Authorization", authorization));
    }
}
