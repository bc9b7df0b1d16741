package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Making, seeing, rotating and deleting tokens. */
@Tag("database")
class TokenEndpointsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static int status(String token) {
        return api.as(token, "GET", "/jobs", null).status();
    }

    @Test
    void a_token_is_told_once_and_only_its_hash_is_stored() throws Exception {
        Reply made = api.post(
                "/tokens",
                "{\"name\": \"ci\", \"role\": \"editor\", \"namespaces\": [\"b\", \"a\"], \"expiresIn\": \"90d\"}");

        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/tokens/ci");
        String token = made.body().path("token").asText();
        assertThat(token).matches("rowlock_[a-z0-9]{12}_[A-Za-z0-9_-]{43}");
        Reply got = api.get("/tokens/ci");
        assertThat(got.body().path("role").asText()).isEqualTo("editor");
        assertThat(got.body().path("namespaces").toString()).isEqualTo("[\"a\",\"b\"]");
        assertThat(Duration.between(
                        Instant.parse(got.body().path("createdAt").asText()),
                        Instant.parse(got.body().path("expiresAt").asText())))
                .isBetween(
                        Duration.ofDays(90).minusSeconds(5), Duration.ofDays(90).plusSeconds(5));
        assertThat(got.body().path("lastUsedAt").isNull()).isTrue();
        String hash = Api.sha256(token);
        for (String text : List.of(got.text(), api.get("/tokens").text())) {
            assertThat(text).doesNotContain(token, hash, "\"token\"", "hash");
        }
        assertThat(api.one("select hash from api_token where name = 'ci'")).isEqualTo(hash);
        assertThat(api.rows("select * from api_token, (select group_concat(was, became) from audit) a")
                        .toString())
                .doesNotContain(token);
        assertThat(status(token)).isEqualTo(200);
        assertThat(api.get("/tokens").body().path("items").findValuesAsText("name"))
                .containsExactly("admin", "ci");
    }

    @Test
    void a_deleted_token_works_no_longer() {
        String token = api.token("gone", "viewer");
        assertThat(status(token)).isEqualTo(200);

        assertThat(api.call("DELETE", "/tokens/gone", null).status()).isEqualTo(204);

        assertThat(status(token)).isEqualTo(401);
        assertThat(api.get("/tokens/gone").status()).isEqualTo(404);
        assertThat(api.call("DELETE", "/tokens/gone", null).status()).isEqualTo(404);
    }

    @Test
    void during_the_overlap_of_a_rotation_both_work() {
        String before = api.token("r", "operator", "a");
        Reply rotated = api.post("/tokens/r/rotate", "{\"overlap\": \"1h\"}");

        assertThat(rotated.status()).isEqualTo(200);
        String after = rotated.body().path("token").asText();
        assertThat(after).isNotEqualTo(before);
        assertThat(rotated.body().path("role").asText()).isEqualTo("operator");
        assertThat(rotated.body().path("previousWorksUntil").asText()).isNotEmpty();
        assertThat(status(before)).isEqualTo(200);
        assertThat(status(after)).isEqualTo(200);

        String last = api.post("/tokens/r/rotate", "{\"overlap\": \"0s\"}")
                .body()
                .path("token")
                .asText();
        assertThat(List.of(status(before), status(after), status(last))).containsExactly(401, 401, 200);
    }

    @Test
    void without_a_body_the_token_before_works_for_a_day() {
        api.token("r", "operator");
        JsonNode rotated = api.call("POST", "/tokens/r/rotate", null).body();
        Instant until = Instant.parse(rotated.path("previousWorksUntil").asText());
        assertThat(Duration.between(Instant.now(), until)).isBetween(Duration.ofHours(23), Duration.ofHours(25));
    }

    @Test
    void a_token_that_has_expired_is_refused_and_can_be_rotated_with_a_new_end() {
        String token = api.token("short", "viewer");
        api.update("update api_token set expires_at = utc_timestamp(3) - interval 1 second where name = 'short'");
        api.token("other", "viewer"); // what is known here is read again
        assertThat(status(token)).isEqualTo(401);

        Reply refused = api.post("/tokens/short/rotate", "{}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.fields()).containsExactly("expiresIn");
        String next = api.post("/tokens/short/rotate", "{\"expiresIn\": \"1h\"}")
                .body()
                .path("token")
                .asText();
        assertThat(List.of(status(token), status(next))).containsExactly(401, 200);
    }

    @Test
    void the_last_administrator_gets_no_end() throws Exception {
        String second = api.token("second", "admin");
        assertThat(api.as(second, "DELETE", "/tokens/admin", null).status()).isEqualTo(204);
        try {
            Reply refused = api.as(second, "POST", "/tokens/second/rotate", "{\"expiresIn\": \"60s\"}");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body().path("detail").asText()).contains("is the last one", "leave out its end");
            assertThat(api.as(second, "POST", "/tokens/second/rotate", "{\"overlap\": \"1m\"}")
                            .status())
                    .isEqualTo(200);
        } finally {
            api.restoreAdmin();
        }
    }

    /** Else nobody could make another; and no node that starts makes that of the settings again. */
    @Test
    void the_last_administrator_cannot_be_deleted() throws Exception {
        api.token("limited", "admin", "a");
        api.post("/tokens", "{\"name\": \"ends\", \"role\": \"admin\", \"expiresIn\": \"1d\"}");
        Reply refused = api.call("DELETE", "/tokens/admin", null);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asText()).contains("is the last one");

        String second = api.token("second", "admin");
        assertThat(api.as(second, "DELETE", "/tokens/admin", null).status()).isEqualTo(204);
        try {
            assertThat(status(Api.TOKEN)).isEqualTo(401);
            assertThat(api.as(second, "GET", "/tokens/admin", null).status()).isEqualTo(404);
            assertThat(api.as(second, "DELETE", "/tokens/second", null).status())
                    .isEqualTo(409);
            api.update("insert ignore into api_token (name, hash, created_at) values ('admin', 'x', utc_timestamp(3))");
            assertThat(api.one("select count(*) from api_token where name = 'admin' and hash = ''"))
                    .as("a node of any version finds the name taken")
                    .isEqualTo("1");
        } finally {
            api.restoreAdmin();
            api.as(second, "POST", "/tokens", "{\"name\": \"z\", \"role\": \"viewer\"}"); // so it is read again
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                              | 422 | name,role
            {"name": "a b", "role": "viewer"}                                               | 422 | name
            {"name": "x", "role": "root"}                                                   | 422 | role
            {"name": "x", "role": "Viewer"}                                                 | 422 | role
            {"name": "x", "role": "viewer", "namespaces": []}                               | 422 | namespaces
            {"name": "x", "role": "viewer", "namespaces": "a"}                              | 422 | namespaces
            {"name": "x", "role": "viewer", "namespaces": ["a", "a b"]}                     | 422 | namespaces[1]
            {"name": "x", "role": "viewer", "expiresIn": "tomorrow"}                        | 422 | expiresIn
            {"name": "x", "role": "viewer", "expiresIn": "0s"}                              | 422 | expiresIn
            {"name": "x", "role": "viewer", "expiresAt": "2020-01-01T00:00:00Z"}            | 422 | expiresAt
            {"name": "x", "role": "viewer", "expiresIn": "1d", "expiresAt": "2090-01-01T00:00:00Z"} | 422 | expiresAt
            {"name": "x", "role": "viewer", "namespace": "a"}                               | 422 | namespace
            {"name": "admin", "role": "viewer"}                                             | 409 |
            """)
    void what_is_no_token_is_refused_with_the_field(String body, int status, String fields) {
        Reply reply = api.post("/tokens", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.fields()).containsExactlyInAnyOrder(fields == null ? new String[0] : fields.split(","));
        assertThat(api.one("select count(*) from api_token")).isEqualTo("1");
    }

    @Test
    void a_name_is_given_once() {
        api.token("twice", "viewer");
        Reply again = api.post("/tokens", "{\"name\": \"twice\", \"role\": \"viewer\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body().path("detail").asText()).contains("token twice exists");
    }

    @Test
    void the_token_that_nodes_keep_is_replaced_there() {
        Reply refused = api.post("/tokens/admin/rotate", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asText()).contains("admin-token replace");
        assertThat(api.post("/tokens/admin/rotate", "{\"overlap\": \"-1h\"}").status())
                .isEqualTo(422);
    }

    /** Its caller was let in before, and would be told of everything for an hour. */
    @Test
    void a_stream_of_events_ends_when_its_token_is_deleted() throws Exception {
        String token = api.token("watcher", "viewer");
        HttpURLConnection stream =
                (HttpURLConnection) new URL("http://127.0.0.1:" + api.port() + "/api/v1/events").openConnection();
        stream.setReadTimeout(60_000);
        stream.setRequestProperty("Authorization", "Bearer " + token);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("retry: 2000");
            api.call("DELETE", "/tokens/watcher", null);
            api.put("/jobs/default/unseen", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
            assertThat(lines.lines().toList().toString()).doesNotContain("unseen");
        } finally {
            stream.disconnect();
        }
    }

    /** It has a token without limits by the columns' defaults. */
    @Test
    void what_a_node_of_the_version_before_writes_is_an_administrator() {
        api.update(
                "insert into api_token (name, hash, created_at) values ('old', sha2('text', 256), utc_timestamp(3))");
        api.token("other", "viewer");
        assertThat(api.as("text", "GET", "/tokens", null).status()).isEqualTo(200);
    }
}
