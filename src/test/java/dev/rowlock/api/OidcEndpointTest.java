package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Role;
import dev.rowlock.access.SignInStore;
import dev.rowlock.access.SignInStore.SignInLifetime;
import dev.rowlock.access.request.SignInRoutes;
import dev.rowlock.access.signin.IdentityProvider;
import dev.rowlock.access.signin.IdentityProvider.FinishedSignIn;
import dev.rowlock.access.signin.ProviderSettings;
import dev.rowlock.access.signin.ProviderSettings.GroupRole;
import dev.rowlock.access.signin.SignIns;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.Patience;
import dev.rowlock.support.FreePorts;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.ManualNanos;
import dev.rowlock.support.TestIssuer;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing in by an identity provider, with a provider of the tests' own at the other end. */
@Tag("database")
class OidcEndpointTest {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final TestIssuer issuer = issuer();
    private static final ManualNanos nanos = new ManualNanos();
    private static volatile Duration later = Duration.ZERO;

    private static final Clock CLOCK = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(later);
        }
    };

    @RegisterExtension
    static final Api api = new Api(signIns -> provider(issuer.url(), signIns));

    @BeforeEach
    void be_honest() {
        issuer.claims = token -> {};
        issuer.algorithm = "RS256";
        issuer.forged = false;
        later = Duration.ZERO;
    }

    @AfterAll
    static void stop() {
        issuer.close();
    }

    private static TestIssuer issuer() {
        try {
            return TestIssuer.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IdentityProvider provider(URI url, SignIns signIns) {
        return IdentityProvider.openIdConnect(
                new ProviderSettings(
                        url,
                        TestIssuer.CLIENT,
                        TestIssuer.SECRET,
                        URI.create("http://127.0.0.1:7575/signin/callback"),
                        List.of("profile"),
                        "groups",
                        Map.of(
                                "ops", new GroupRole(Role.OPERATOR, Set.of("a", "b")),
                                "ops-too", new GroupRole(Role.OPERATOR, Set.of("c")),
                                "ops-all", new GroupRole(Role.OPERATOR, Set.of()),
                                "seers", new GroupRole(Role.VIEWER, Set.of()),
                                "boss", new GroupRole(Role.ADMIN, Set.of()))),
                signIns,
                CLOCK,
                nanos);
    }

    private static Reply get(String path, String... headers) {
        return api.raw("GET", path, null, List.of(headers));
    }

    /** The name and value of the cookie that an answer sets; empty if it sets no such cookie. */
    private static String cookie(Reply reply, String name) {
        return reply.response().headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.split(";", 2)[0])
                .findFirst()
                .orElse("");
    }

    /** A sign-in as far as the browser being back. */
    private record Back(String query, String kept) {

        static Back now() {
            Reply begun = OidcEndpointTest.get("/signin/oidc");
            assertThat(begun.status()).as(begun.text()).isEqualTo(302);
            return new Back(issuer.signIn(begun.header("Location")), cookie(begun, "rowlock-signin"));
        }

        Reply finish() {
            return OidcEndpointTest.get("/signin/callback?" + query, "Cookie", kept);
        }
    }

    private static JsonNode whoIs(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return get("/api/v1/session", "Cookie", cookie(reply, "rowlock")).body();
    }

    private static void refused(Reply reply, int status, String... why) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.body().path("detail").asText()).contains(why);
        assertThat(cookie(reply, "rowlock")).isEmpty();
        assertThat(api.one("select count(*) from sign_in")).isEqualTo("0");
    }

    @Test
    void who_signs_in_there_is_signed_in_here_with_the_role_of_the_groups() {
        Reply begun = get("/signin/oidc?return=/jobs/a/b%3Fx%3D1");
        assertThat(begun.response().headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .matches("rowlock-signin=[A-Za-z0-9_-]+; Path=/; Max-Age=600; HttpOnly; SameSite=Lax");
        Map<String, String> sent =
                TestIssuer.parameters(URI.create(begun.header("Location")).getRawQuery());
        assertThat(sent)
                .containsEntry("redirect_uri", "http://127.0.0.1:7575/signin/callback")
                .containsEntry("scope", "profile openid");
        assertThat(List.of(sent.get("state"), sent.get("nonce"), sent.get("code_challenge")))
                .doesNotHaveDuplicates()
                .allMatch(text -> text.length() >= 43);
        assertThat(cookie(begun, "rowlock-signin")).doesNotContain(sent.get("state"), sent.get("nonce"));

        Reply done = new Back(issuer.signIn(begun.header("Location")), cookie(begun, "rowlock-signin")).finish();

        assertThat(done.header("Content-Type")).startsWith("text/html");
        assertThat(done.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(done.header("Content-Security-Policy")).contains("default-src 'none'");
        assertThat(done.text()).contains("url=/jobs/a/b?x=1\"", "href=\"/jobs/a/b?x=1\"");
        assertThat(done.response().headers().allValues("Set-Cookie"))
                .anyMatch(cookie -> cookie.matches("rowlock=.*; HttpOnly; SameSite=Strict"))
                .anyMatch(cookie -> cookie.startsWith("rowlock-signin=; Path=/; Max-Age=0;"));
        JsonNode who = whoIs(done);
        assertThat(who.path("name").asText()).isEqualTo("oidc:ann");
        assertThat(who.path("role").asText()).isEqualTo("operator");
        assertThat(who.path("namespaces")).extracting(JsonNode::asText).containsExactly("a", "b");
        assertThat(who.path("signedInBy").asText()).isEqualTo("OIDC");
        assertThat(get("/signin").text()).contains("OIDC");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "ops,ops-too      | operator | a b c",
                "ops,ops-all      | operator | null",
                "seers,ops        | operator | a b",
                "seers,boss,ops   | admin    | null",
                "seers,unheard-of | viewer   | null",
            })
    void of_several_groups_the_highest_role_counts(String groups, String role, @Nullable String namespaces) {
        issuer.claims = token -> {
            var claim = token.putArray("groups");
            List.of(groups.split(",")).forEach(claim::add);
        };
        JsonNode who = whoIs(Back.now().finish());

        assertThat(who.path("role").asText()).isEqualTo(role);
        if (namespaces == null) {
            assertThat(who.get("namespaces").isNull()).isTrue();
        } else {
            assertThat(who.path("namespaces")).extracting(JsonNode::asText).containsExactly(namespaces.split(" "));
        }
    }

    @Test
    void any_node_takes_the_second_step() {
        SignIns elsewhere =
                new SignIns(new SignInStore(api.database()), new SignInLifetime(NEVER, NEVER), System::nanoTime);
        IdentityProvider other = provider(issuer.url(), elsewhere);
        Back back = Back.now();

        FinishedSignIn done = other.finish(back.query(), back.kept().substring("rowlock-signin=".length()));
        assertThat(done.grant().name()).isEqualTo("oidc:ann");
        assertThat(done.returnTo()).isEqualTo("/");
    }

    @Test
    void an_answer_is_of_no_use_without_the_browser_that_began_or_with_another_state() {
        Back mine = Back.now();
        Back another = Back.now();

        refused(get("/signin/callback?" + mine.query()), 400, "not begun in this browser", "again");
        refused(new Back(mine.query(), another.kept()).finish(), 400, "the state that came back");
        refused(new Back(mine.query().replaceAll("&state=.*", ""), mine.kept()).finish(), 400, "again");
        refused(new Back("", mine.kept()).finish(), 400, "the state that came back");
        refused(new Back("code=%00&state=%ff", mine.kept()).finish(), 400, "again");
        refused(new Back(mine.query() + "&iss=https://evil.example", mine.kept()).finish(), 400, "another identity");
        refused(
                new Back(mine.query(), mine.kept().substring(0, mine.kept().length() - 3)).finish(),
                400,
                "not begun in this browser");
        assertThat(mine.finish().status())
                .as("nothing of that has cost the sign-in")
                .isEqualTo(200);
    }

    @Test
    void a_sign_in_that_takes_longer_than_ten_minutes_has_to_begin_again() {
        Back back = Back.now();
        later = Duration.ofSeconds(601);
        refused(back.finish(), 400, "more than ten minutes ago");
    }

    @Test
    void a_code_is_good_for_one_sign_in() {
        Back back = Back.now();
        assertThat(back.finish().status()).isEqualTo(200);
        api.update("delete from sign_in");

        try (LogLines log = LogLines.ofAnyThread(SignInRoutes.class)) {
            refused(back.finish(), 400, "gives no token: invalid_grant");
            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void a_code_of_somebody_else_is_not_redeemed_by_this_browser() {
        Back mine = Back.now();
        Back stolen = Back.now();
        String code = stolen.query().replaceAll("&.*", "");
        refused(new Back(mine.query().replaceAll("code=[^&]*", code), mine.kept()).finish(), 400, "invalid_grant");
    }

    static Consumer<ObjectNode> lie(String name) {
        long now = Instant.now().getEpochSecond();
        return switch (name) {
            case "nonce" -> token -> token.put("nonce", "another");
            case "no nonce" -> token -> token.remove("nonce");
            case "expired" -> token -> token.put("exp", now - 3600).put("iat", now - 7200);
            case "from tomorrow" -> token -> token.put("iat", now + 86_400).put("exp", now + 90_000);
            case "audience" -> token -> token.put("aud", "another-client");
            case "issuer" -> token -> token.put("iss", "https://evil.example");
            case "authorized party" -> token -> token.put("azp", "another-client");
            case "no subject" -> token -> token.remove("sub");
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonce",
                "no nonce",
                "expired",
                "from tomorrow",
                "audience",
                "issuer",
                "authorized party",
                "no subject"
            })
    void a_token_that_is_not_for_this_sign_in_is_refused(String lie) {
        issuer.claims = lie(lie);
        refused(Back.now().finish(), 400, "the ID token of the identity provider is not accepted");
    }

    @Test
    void a_token_that_the_provider_has_not_signed_is_refused() {
        issuer.algorithm = "none";
        refused(Back.now().finish(), 400, "the ID token of the identity provider is not accepted");
        issuer.algorithm = "RS256";
        issuer.forged = true;
        refused(Back.now().finish(), 400, "the ID token of the identity provider is not accepted");
        issuer.algorithm = "HS256";
        refused(Back.now().finish(), 400, "the ID token of the identity provider is not accepted");
    }

    @Test
    void a_new_key_of_the_provider_is_fetched_when_a_token_names_it() {
        whoIs(Back.now().finish());
        issuer.rotateKey();
        assertThat(whoIs(Back.now().finish()).path("name").asText()).isEqualTo("oidc:ann");
        int asked = issuer.asked();
        whoIs(Back.now().finish());
        assertThat(issuer.asked() - asked)
                .as("what is known is not asked for again")
                .isEqualTo(1);
    }

    @Test
    void who_has_no_group_with_a_role_is_told_so_on_a_page() {
        issuer.claims = token -> token.putArray("groups").add("staff").add("<b>cooks</b>");
        Back back = Back.now();
        Reply page = get("/signin/callback?" + back.query(), "Cookie", back.kept(), "Accept", "text/html,*/*");
        assertThat(page.status()).isEqualTo(403);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.text())
                .contains("You are oidc:ann, but none of your groups has a role here", "oidc.roles")
                .contains("staff, &lt;b&gt;cooks&lt;/b&gt;")
                .doesNotContain("<b>");

        refused(Back.now().finish(), 403, "none of your groups has a role", "staff");
        issuer.claims = token -> token.remove("groups");
        refused(Back.now().finish(), 403, "the ID token has no claim groups (oidc.groups-claim)");
        issuer.claims = token -> token.put("groups", 7);
        refused(Back.now().finish(), 403, "Your groups: none");
    }

    @Test
    void one_group_may_be_plain_text_and_a_name_is_made_printable() {
        issuer.claims = token -> token.put("groups", "seers").put("preferred_username", "a\nb" + "x".repeat(200));
        JsonNode who = whoIs(Back.now().finish());
        assertThat(who.path("role").asText()).isEqualTo("viewer");
        assertThat(who.path("name").asText()).startsWith("oidc:a?bxx").hasSize(128);
    }

    @Test
    void what_the_provider_says_no_to_is_told() {
        Back back = Back.now();
        String denied = back.query().replaceAll("code=[^&]*", "error=access_denied&error_description=not%20today");
        refused(new Back(denied, back.kept()).finish(), 400, "has refused: access_denied, not today");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "//evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "javascript:alert(1)",
                "/\tevil",
                "/%0d%0aSet-Cookie:x",
                "jobs",
                "/\"><script>"
            })
    void nobody_is_sent_on_to_anywhere_but_here(String elsewhere) {
        String encoded = java.net.URLEncoder.encode(elsewhere, java.nio.charset.StandardCharsets.UTF_8);
        Reply reply = get("/signin/oidc?return=" + encoded);
        if (elsewhere.startsWith("/%")) {
            assertThat(reply.status()).as("a path with percent signs stays one").isEqualTo(302);
            return;
        }
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly("return");
        assertThat(cookie(reply, "rowlock-signin")).isEmpty();
    }

    @Test
    void a_provider_that_is_away_keeps_nobody_from_signing_in_with_a_token_and_is_found_when_it_is_back()
            throws Exception {
        int port = FreePorts.one();
        SignIns signIns =
                new SignIns(new SignInStore(api.database()), new SignInLifetime(NEVER, NEVER), System::nanoTime);
        try (HttpServer server = new HttpServer(
                new HttpServer.HttpSettings("127.0.0.1", 0, null, List.of(), 1000, 8, 100, Patience.STANDARD),
                api.services(provider(URI.create("http://127.0.0.1:" + port), signIns)))) {
            server.start();
            assertThat(api.rawAt(server.port(), "GET", "/livez", null, List.of())
                            .status())
                    .isEqualTo(200);
            Reply away = api.rawAt(server.port(), "GET", "/signin/oidc", null, List.of());
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.header("Retry-After")).isNotEmpty();
            assertThat(away.body().path("detail").asText()).contains("does not tell of itself", "try again");
            assertThat(api.rawAt(
                                    server.port(),
                                    "POST",
                                    "/api/v1/session",
                                    "{\"token\":\"" + Api.TOKEN + "\"}",
                                    List.of("Content-Type", "application/json"))
                            .status())
                    .isEqualTo(200);
            try (TestIssuer late = TestIssuer.startAt(port)) {
                Reply soon = api.rawAt(server.port(), "GET", "/signin/oidc", null, List.of());
                assertThat(soon.status()).as("it is left alone for a moment").isEqualTo(503);
                nanos.advance(Duration.ofSeconds(3));
                Reply begun = api.rawAt(server.port(), "GET", "/signin/oidc", null, List.of());
                assertThat(begun.status()).isEqualTo(302);
                assertThat(late.signIn(begun.header("Location"))).startsWith("code=");
            }
        }
    }
}
