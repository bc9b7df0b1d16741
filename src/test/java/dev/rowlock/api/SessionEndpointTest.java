package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing in with a token, and what a cookie may do. */
@Tag("database")
class SessionEndpointTest {

    private static final String JOB = "{\"schedule\":\"@manual\",\"command\":\"true\"}";

    @RegisterExtension
    static final Api api = new Api();

    /** What a browser holds of somebody who is signed in. */
    private record Browser(String cookie, String csrf) {

        Reply call(String method, String path, @Nullable String body, String... headers) {
            List<String> all = new ArrayList<>(List.of(headers));
            all.addAll(List.of("Cookie", cookie));
            if (body != null) {
                all.addAll(List.of("Content-Type", "application/json"));
            }
            return api.raw(method, "/api/v1" + path, body, all);
        }
    }

    private static Reply signIn(String token, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return api.raw("POST", "/api/v1/session", "{\"token\":\"" + token + "\"}", all);
    }

    private static Browser browser(String token) {
        Reply reply = signIn(token);
        assertThat(reply.status()).isEqualTo(200);
        return new Browser(
                reply.header("Set-Cookie").split(";", 2)[0],
                reply.body().path("csrfToken").asText());
    }

    /** A token with this role in namespace {@code a}. */
    private static String token(String name, String role) {
        Reply reply =
                api.post("/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\",\"namespaces\":[\"a\"]}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.body().path("token").asText();
    }

    @Test
    void a_token_buys_a_cookie_that_scripts_and_other_sites_do_not_get() {
        Reply reply = signIn(Api.TOKEN);

        assertThat(reply.header("Set-Cookie"))
                .matches("rowlock=[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{22}; Path=/; Max-Age=604800; HttpOnly;"
                        + " SameSite=Strict");
        assertThat(signIn(Api.TOKEN, "X-Forwarded-Proto", "https").header("Set-Cookie"))
                .startsWith("__Host-rowlock=")
                .endsWith("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure");
        assertThat(reply.text()).doesNotContain(Api.TOKEN);
    }

    @Test
    void whoever_is_signed_in_is_told_who_that_is_and_how_long() {
        JsonNode admin = browser(Api.TOKEN).call("GET", "/session", null).body();
        assertThat(admin.path("name").asText()).isEqualTo("admin");
        assertThat(admin.path("role").asText()).isEqualTo("admin");
        assertThat(admin.get("namespaces").isNull()).isTrue();
        assertThat(admin.path("signedInBy").asText()).isEqualTo("TOKEN");
        assertThat(Duration.between(
                        Instant.parse(admin.path("signedInAt").asText()),
                        Instant.parse(admin.path("expiresAt").asText())))
                .isEqualTo(Duration.ofHours(12));
        assertThat(admin.path("csrfToken").asText()).matches("[0-9a-f]{64}");

        JsonNode viewer =
                browser(token("seer", "viewer")).call("GET", "/session", null).body();
        assertThat(viewer.path("role").asText()).isEqualTo("viewer");
        assertThat(viewer.path("namespaces")).hasSize(1);

        JsonNode bearer = api.get("/session").body();
        assertThat(bearer.path("name").asText()).isEqualTo("admin");
        assertThat(bearer.path("signedInBy").asText()).isEqualTo("BEARER");
        assertThat(bearer.get("csrfToken").isNull()).isTrue();
    }

    @Test
    void a_cookie_reads_and_changes_what_its_token_may_and_no_more() {
        Browser operator = browser(token("op", "operator"));
        assertThat(operator.call("GET", "/jobs", null).status()).isEqualTo(200);
        api.put("/jobs/a/j", JOB);
        api.put("/jobs/b/j", JOB);

        assertThat(operator.call("POST", "/jobs/a/j/run", "{}", "X-CSRF-Token", operator.csrf())
                        .status())
                .isBetween(200, 202);
        assertThat(operator.call("POST", "/jobs/b/j/run", "{}", "X-CSRF-Token", operator.csrf())
                        .status())
                .isEqualTo(403);
        assertThat(operator.call("PUT", "/jobs/a/j", JOB, "X-CSRF-Token", operator.csrf())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_change_by_cookie_needs_the_header_that_a_page_of_another_site_cannot_know() {
        Browser one = browser(Api.TOKEN);
        Browser other = browser(Api.TOKEN);

        Reply without = one.call("PUT", "/jobs/a/csrf", JOB);
        assertThat(without.status()).isEqualTo(403);
        assertThat(without.body().path("detail").asText())
                .contains("X-CSRF-Token is missing", "csrfToken", "GET /api/v1/session");
        assertThat(one.call("PUT", "/jobs/a/csrf", JOB, "X-CSRF-Token", other.csrf())
                        .body()
                        .path("detail")
                        .asText())
                .contains("X-CSRF-Token is not right");
        assertThat(one.call("DELETE", "/session", null).status()).isEqualTo(403);
        assertThat(api.get("/jobs/a/csrf").status()).isEqualTo(404);

        assertThat(one.call("PUT", "/jobs/a/csrf", JOB, "X-CSRF-Token", one.csrf())
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Sec-Fetch-Site, none, 403",
        "Sec-Fetch-Site, same-origin, 201",
        "Origin, https://evil.example, 403",
        "Origin, null, 403",
        "Origin, http://127.0.0.1:1, 403",
        "Origin, http://127.0.0.1:PORT, 201",
    })
    void a_change_by_cookie_comes_from_a_page_of_this_server(String header, String value, int status) {
        Browser browser = browser(Api.TOKEN);
        String sent = value.replace("PORT", Integer.toString(api.port()));

        Reply reply = browser.call("PUT", "/jobs/a/site", JOB, "X-CSRF-Token", browser.csrf(), header, sent);

        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        if (status == 403) {
            assertThat(reply.body().path("detail").asText()).contains(header, "page of this server");
        }
        assertThat(signIn(Api.TOKEN, header, sent).status()).isEqualTo(status == 403 ? 403 : 200);
        assertThat(api.call("PUT", "/jobs/a/site", JOB, header, sent).status())
                .as("a token is not sent by itself")
                .isLessThan(300);
    }

    @Test
    void signing_out_ends_the_cookie_and_nothing_else() {
        Browser one = browser(Api.TOKEN);
        Browser other = browser(Api.TOKEN);

        Reply out = one.call("DELETE", "/session", null, "X-CSRF-Token", one.csrf());

        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie")).startsWith("rowlock=; Path=/; Max-Age=0;");
        assertThat(one.call("GET", "/session", null).status()).isEqualTo(401);
        assertThat(other.call("GET", "/session", null).status()).isEqualTo(200);
        assertThat(api.call("DELETE", "/session", null).status()).isEqualTo(409);
    }

    @Test
    void who_signs_in_again_is_not_signed_in_twice() {
        Browser before = browser(Api.TOKEN);
        Reply again = signIn(Api.TOKEN, "Cookie", before.cookie());

        assertThat(again.header("Set-Cookie")).doesNotStartWith(before.cookie());
        assertThat(before.call("GET", "/session", null).status()).isEqualTo(401);
        assertThat(api.one("select count(*) from sign_in")).isEqualTo("1");
    }

    @Test
    void a_revoked_token_ends_what_was_signed_in_with_it_within_five_seconds() throws Exception {
        Browser browser = browser(token("gone", "editor"));
        assertThat(browser.call("GET", "/jobs", null).status()).isEqualTo(200);
        assertThat(api.call("DELETE", "/tokens/gone", null).status()).isEqualTo(204);

        Until.holds(
                Duration.ofSeconds(5),
                "the end of the sign-in",
                () -> browser.call("GET", "/jobs", null).status() == 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"token\":\"\"}", "{\"token\":7}", "{\"token\":null}", "{\"tokn\":\"x\"}"})
    void what_is_no_token_is_refused_by_name(String body) {
        Reply reply = api.raw("POST", "/api/v1/session", body, List.of("Content-Type", "application/json"));
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(body.contains("tokn") ? "tokn" : "token");
    }

    @Test
    void a_wrong_token_signs_nobody_in() {
        Reply reply = signIn("wrong");
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("Set-Cookie")).isEmpty();
        assertThat(api.raw("POST", "/api/v1/session", "{\"token\":\"x\"}", List.of())
                        .status())
                .as("a form of another site cannot send JSON")
                .isEqualTo(415);
        for (String cookie : List.of("rowlock=", "rowlock=x", "rowlock=" + "A".repeat(43) + "." + "A".repeat(22))) {
            assertThat(api.raw("GET", "/api/v1/session", null, List.of("Cookie", cookie))
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void a_wrong_token_is_not_mended_by_a_cookie() {
        Browser browser = browser(Api.TOKEN);
        assertThat(browser.call("GET", "/jobs", null, "Authorization", "Bearer wrong")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void without_a_provider_people_sign_in_with_tokens_only() {
        assertThat(api.raw("GET", "/signin", null, List.of()).text()).contains("{\"ways\":[\"TOKEN\"]}");
        for (String path : List.of("/signin/oidc", "/signin/callback?code=x&state=y")) {
            Reply reply = api.raw("GET", path, null, List.of());
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.body().path("detail").asText()).contains("oidc.issuer is not set");
        }
    }
}
