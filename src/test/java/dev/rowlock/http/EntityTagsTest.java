package dev.rowlock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.support.OpenApi;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code If-Match} and {@code If-None-Match} on every route: honoured where there is an ETag, refused elsewhere. */
@Tag("database")
class EntityTagsTest {

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void none() {
        for (String table : List.of("alert_rule", "alert_channel")) {
            api.update("delete from " + table);
        }
    }

    /** A stream that takes a condition for nothing would go on for ever. */
    @Test
    @Timeout(120)
    void every_route_honours_a_condition_or_refuses_it() {
        OpenApi contract = OpenApi.ofFile();
        SoftAssertions softly = new SoftAssertions();
        int honoured = 0;
        for (Endpoints.Route route : api.table()) {
            if (route.needs() == null) {
                continue; // outside of the API, or a sign-in
            }
            List<String> declared = contract.call(route.method(), route.path()).parameters("header");
            String path = route.path().replace("/api/v1", "").replaceAll("\\{[a-z]+}", "1");
            for (String header : List.of("If-Match", "If-None-Match")) {
                String what = header + " of " + route.method() + " " + route.path();
                Reply reply = api.call(route.method(), path, null, header, "\"0\"");
                boolean isRefused = reply.status() == 400 && reply.text().contains("means nothing here");
                softly.assertThat(isRefused).as(what + ": " + reply.text()).isEqualTo(!declared.contains(header));
                honoured += isRefused ? 0 : 1;
            }
        }
        softly.assertAll();
        assertThat(honoured).isGreaterThan(40);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            /jobs/default/x     | {"schedule": "@manual", "command": "true"}      | {"schedule": "@manual", "command": "false"}
            /groups/x           | {"limit": 1}                                    | {"limit": 2}
            /secrets/default/x  | {"value": "one-one"}                            | {"value": "two-two"}
            /alerts/channels/x  | {"type": "command", "destination": "one"}       | {"type": "command", "destination": "two"}
            /alerts/rules/x     | {"when": ["NODE_LOST"], "channels": ["ops"]}    | {"when": ["DATABASE_AWAY"], "channels": ["ops"]}
            """)
    void what_has_an_etag_is_changed_only_as_it_was_seen(String path, String body, String other) {
        api.put("/alerts/channels/ops", "{\"type\": \"command\", \"destination\": \"page\"}");
        assertThat(api.put(path, body, "If-Match", "*").status()).isEqualTo(412);
        assertThat(api.put(path, body, "If-None-Match", "*").status()).isEqualTo(201);
        assertThat(api.put(path, other, "If-None-Match", "*").status()).isEqualTo(412);

        String tag = api.get(path).header("ETag");
        assertThat(tag).startsWith("\"").endsWith("\"");
        assertThat(api.call("GET", path, null, "If-None-Match", "\"z\", " + tag).status())
                .isEqualTo(304);
        assertThat(api.call("GET", path, null, "If-None-Match", "\"z\"").status())
                .isEqualTo(200);
        assertThat(api.call("GET", path, null, "If-Match", "\"z\"").status()).isEqualTo(412);
        assertThat(api.put(path, other, "If-Match", "\"z\"").status()).isEqualTo(412);
        assertThat(api.put(path, other, "If-Match", tag).status()).isBetween(200, 204);

        String next = api.get(path).header("ETag");
        assertThat(next).isNotEqualTo(tag);
        assertThat(api.put(path, body, "If-Match", tag).status()).isEqualTo(412);
        assertThat(api.call("DELETE", path, null, "If-Match", tag).status()).isEqualTo(412);
        assertThat(api.get(path).header("ETag")).isEqualTo(next);
        assertThat(api.call("DELETE", path, null, "If-Match", next).status()).isEqualTo(204);
    }

    @Test
    void a_group_is_patched_only_as_it_was_seen() {
        api.put("/groups/x", "{\"limit\": 1}");
        assertThat(api.call("PATCH", "/groups/x", "{\"limit\": 2}", "If-Match", "\"z\"")
                        .status())
                .isEqualTo(412);
        String tag = api.get("/groups/x").header("ETag");
        Reply patched = api.call("PATCH", "/groups/x", "{\"limit\": 2}", "If-Match", tag);
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.header("ETag")).isEqualTo(api.get("/groups/x").header("ETag"));
    }
}
