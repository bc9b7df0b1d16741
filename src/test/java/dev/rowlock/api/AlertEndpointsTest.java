package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class AlertEndpointsTest {

    private static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final String URL = "https://hooks.example.com/services/T0/hidden?token=x";

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void none() {
        for (String table : List.of("", "_message", "_part", "_rule", "_channel", "_silence")) {
            api.update("delete from alert" + table);
        }
    }

    @Test
    void a_channel_never_shows_what_is_secret_of_it() {
        Reply made = channel("\"secrets\": [\"" + SECRET + "\"]");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.body().path("destination").asText()).isEqualTo("https://hooks.example.com/***");
        assertThat(made.body().path("signed").asBoolean()).isTrue();
        for (String path : List.of("/alerts/channels/ops", "/alerts/channels", "/audit")) {
            assertThat(api.get(path).text()).doesNotContain("hidden", "whsec");
        }
    }

    @Test
    void what_is_secret_of_a_channel_is_encrypted_in_the_database() {
        channel("\"secrets\": [\"" + SECRET + "\"]");
        String stored = api.one("select concat(definition, ' ', hex(sealed)) from alert_channel");
        assertThat(stored)
                .contains("https://hooks.example.com/***")
                .doesNotContain("hidden", "whsec", hex("hidden"), hex("whsec_"));
        api.put("/alerts/channels/other", "{\"type\": \"slack\", \"destination\": \"" + URL + "\"}");
        api.update(
                "update alert_channel o join alert_channel s on s.name = 'ops' set o.sealed = s.sealed where o.name ="
                        + " 'other'");
        JsonNode tried = api.post("/alerts/channels/other/test", "").body();
        assertThat(tried.path("problem").asText()).contains("(alert channel)/other", "store it again");
    }

    private static String hex(String text) {
        return HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_channel_under_another_key_is_named_when_keys_are_rotated() {
        channel("\"secrets\": [\"" + SECRET + "\"]");
        assertThat(api.post("/secrets/rotate", "").body().path("left")).isEmpty();
        api.update("update alert_channel set key_id = '0123456789abcdef'");
        JsonNode left = api.post("/secrets/rotate", "").body().path("left").path(0);
        assertThat(left.path("namespace").asText()).isEqualTo("(alert channel)");
        assertThat(left.path("name").asText()).isEqualTo("ops");
        Reply kept = channel("\"description\": \"again\"");
        assertThat(kept.status()).isEqualTo(422);
        assertThat(kept.fields()).containsExactly("secrets");
        assertThat(channel("\"secrets\": []").status()).isEqualTo(200);
    }

    @Test
    void a_limited_token_sees_and_ends_silences_of_its_namespaces_alone() {
        String own = api.token("silencer", "operator", "db");
        Reply theirs = api.post("/silences", "{\"namespace\": \"web\", \"until\": \"2099-01-01T00:00:00Z\"}");
        String path = "/silences/" + theirs.body().path("id").asLong();
        assertThat(api.as(own, "GET", path, null).status()).isEqualTo(404);
        assertThat(api.as(own, "DELETE", path, null).status()).isEqualTo(404);
        assertThat(api.as(own, "GET", "/silences", null).body().path("items")).isEmpty();
        Reply nothing = api.as(own, "POST", "/silences", "{\"rule\": \"r\", \"until\": \"2099-01-01T00:00:00Z\"}");
        assertThat(nothing.fields()).containsExactly("namespace");
        Reply made = api.as(own, "POST", "/silences", "{\"namespace\": \"db\", \"until\": \"2099-01-01T00:00:00Z\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(api.get(path).status()).isEqualTo(200);
    }

    @Test
    void secrets_stay_until_others_are_given() {
        channel("\"secrets\": [\"" + SECRET + "\"]");
        assertThat(channel("\"description\": \"again\"").body().path("signed").asBoolean())
                .isTrue();
        assertThat(channel("\"secrets\": []").body().path("signed").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"type": "fax", "destination": "1"}                                        | type
            {"type": "webhook"}                                                        | destination
            {"type": "webhook", "destination": "ftp://example.com/"}                   | destination
            {"type": "webhook", "destination": "https://u:p@example.com/"}             | destination
            {"type": "webhook", "destination": "http://127.0.0.1:1/"}                  | destination
            {"type": "slack", "destination": "http://169.254.169.254/latest"}          | destination
            {"type": "slack", "destination": "http://[::1]/"}                          | destination
            {"type": "slack", "destination": "http://localhost/"}                      | destination
            {"type": "slack", "destination": "http://2130706433/"}                     | destination
            {"type": "slack", "destination": "http://0x7f000001/"}                     | destination
            {"type": "slack", "destination": "http://127.1/"}                          | destination
            {"type": "slack", "destination": "http://0177.0.0.1/"}                     | destination
            {"type": "slack", "destination": "http://hooks.example.0x1/"}              | destination
            {"type": "slack", "destination": "http://[::ffff:169.254.169.254]/"}       | destination
            {"type": "slack", "destination": "http://１２７.0.0.1/"}                      | destination
            {"type": "webhook", "destination": "https://example.com/***"}              | destination
            {"type": "webhook", "destination": "https://example.com/", "secrets": ["a"]} | secrets[0]
            {"type": "slack", "destination": "https://example.com/", "secrets": ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="]} | secrets
            {"type": "email", "destination": "nobody"}                                 | destination
            {"type": "command", "destination": "rm -rf /"}                             | destination
            {"type": "webhook", "destination": "https://example.com/", "url": "x"}     | url
            """)
    void a_channel_that_cannot_work_is_refused(String body, String field) {
        Reply reply = api.put("/alerts/channels/x", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(api.get("/alerts/channels/x").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"channels": ["ops"]}                                                      | when
            {"when": [], "channels": ["ops"]}                                          | when
            {"when": [], "labels": {"a": "b"}, "channels": ["ops"]}                    | when
            {"when": ["FAILD"], "channels": ["ops"]}                                   | when[0]
            {"when": ["FAILED"], "channels": []}                                       | channels
            {"when": ["FAILED"], "channels": ["nobody"]}                               | channels[0]
            {"when": ["FAILED_IN_A_ROW"], "channels": ["ops"]}                         | times
            {"when": ["FAILED_IN_A_ROW"], "times": 0, "channels": ["ops"]}             | times
            {"when": ["FAILED"], "times": 2, "channels": ["ops"]}                      | times
            {"when": ["NOT_STARTED_BY"], "channels": ["ops"]}                          | deadline
            {"when": ["TOO_LONG"], "channels": ["ops"]}                                | warnAfter
            {"when": ["TOO_LONG"], "warnAfter": "1h", "p95Factor": 3, "channels": ["ops"]} | p95Factor
            {"when": ["TOO_SHORT"], "channels": ["ops"]}                               | atLeast
            {"when": ["FAILED"], "job": "j", "channels": ["ops"]}                      | namespace
            {"when": ["NODE_LOST"], "namespace": "db", "channels": ["ops"]}            | namespace
            {"when": ["FAILED"], "quietHours": {"from": "22:00", "to": "07:00"}, "channels": ["ops"]} | quietHours
            {"when": ["FAILED"], "groupBy": ["JOB"], "channels": ["ops"]}              | groupBy
            {"when": ["FAILED"], "reminder": "1s", "channels": ["ops"]}                | reminder
            {"when": ["FAILED"], "channel": "ops", "channels": ["ops"]}                | channel
            """)
    void a_rule_that_makes_no_sense_is_refused(String body, String field) {
        channel("\"description\": \"\"");
        Reply reply = api.put("/alerts/rules/r", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(api.get("/alerts/rules/r").status()).isEqualTo(404);
    }

    @Test
    void the_refusal_of_a_removed_field_names_what_to_use_instead() {
        channel("\"description\": \"\"");
        String rule = "{\"when\": [\"FAILED\"], \"channels\": [\"ops\"], ";
        assertThat(api.put("/alerts/rules/r", rule + "\"quietHours\": null}").text())
                .contains("was removed", "/api/v1/silences");
        assertThat(api.put("/alerts/rules/r", rule + "\"groupBy\": []}").text())
                .contains("was removed", "make one rule for each message");
    }

    @Test
    void a_rule_can_be_read_edited_and_put_back_and_its_channel_stays_while_it_is_there() {
        channel("\"description\": \"\"");
        String fields = "{\"when\": [\"FAILED\"], \"channels\": [\"ops\"], \"labels\": {\"team\": \"db\"}}";
        assertThat(api.put("/alerts/rules/r", fields).status()).isEqualTo(201);
        JsonNode rule = api.get("/alerts/rules/r").body();
        Reply again = api.put("/alerts/rules/r", rule.toString());
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(api.call("DELETE", "/alerts/channels/ops", null).status()).isEqualTo(409);
        assertThat(api.call("DELETE", "/alerts/rules/r", null).status()).isEqualTo(204);
        assertThat(api.call("DELETE", "/alerts/rules/r", null).status()).isEqualTo(404);
        assertThat(api.call("DELETE", "/alerts/channels/ops", null).status()).isEqualTo(204);
    }

    @Test
    void lists_go_on_where_they_ended() {
        for (String name : List.of("a", "b", "c")) {
            api.put("/alerts/channels/" + name, "{\"type\": \"slack\", \"destination\": \"" + URL + "\"}");
        }
        JsonNode first = api.get("/alerts/channels?limit=2").body();
        assertThat(first.path("items").findValuesAsText("name")).containsExactly("a", "b");
        JsonNode next = api.get("/alerts/channels?limit=2&cursor="
                        + first.path("nextCursor").asText())
                .body();
        assertThat(next.path("items").findValuesAsText("name")).containsExactly("c");
        assertThat(next.path("nextCursor").isNull()).isTrue();
        assertThat(api.get("/alerts?cursor=!!").status()).isEqualTo(400);
        assertThat(api.get("/alerts?state=LOST").status()).isEqualTo(400);
    }

    @Test
    void a_cursor_names_nothing_of_other_namespaces_and_pages_of_a_limited_token_are_full() {
        channel("\"description\": \"\"");
        for (String name : List.of("a/ops", "b/lab", "c/ops", "d/null", "e/lab", "f/ops")) {
            String body =
                    "{\"when\": [\"FAILED\"], \"channels\": [\"ops\"], \"namespace\": \"" + name.substring(2) + "\"}";
            assertThat(api.put("/alerts/rules/" + name.charAt(0), body).status())
                    .isEqualTo(201);
            String silence = "{\"until\": \"2100-01-01T00:00:00Z\", \"namespace\": \"" + name.substring(2) + "\"}";
            assertThat(api.post("/silences", silence).status()).isEqualTo(201);
        }
        assertThat(api.post("/silences", "{\"until\": \"2100-01-01T00:00:00Z\", \"rule\": \"a\"}")
                        .status())
                .isEqualTo(201);
        assertThat(api.put("/alerts/rules/g", "{\"when\": [\"FAILED\"], \"channels\": [\"ops\"]}")
                        .status())
                .isEqualTo(201);
        String lab = api.token("lab-viewer", "viewer", "lab");
        String odd = api.token("null-viewer", "viewer", "null");
        JsonNode first = api.as(lab, "GET", "/alerts/rules?limit=1", null).body();
        assertThat(first.path("items").findValuesAsText("name")).containsExactly("b");
        JsonNode next = api.as(
                        lab,
                        "GET",
                        "/alerts/rules?limit=2&cursor="
                                + first.path("nextCursor").asText(),
                        null)
                .body();
        assertThat(next.path("items").findValuesAsText("name")).containsExactly("e", "g");
        assertThat(api.as(lab, "GET", "/silences?limit=2", null).body().path("items"))
                .extracting(item -> item.path("namespace").asText())
                .containsExactly("lab", "lab");
        assertThat(api.as(odd, "GET", "/silences", null).body().path("items"))
                .extracting(item -> item.path("namespace").isNull())
                .containsExactly(false);
    }

    @Test
    void silences_need_something_to_be_about_and_an_end_ahead() {
        assertThat(api.post("/silences", "{\"until\": \"2099-01-01T00:00:00Z\"}")
                        .fields())
                .containsExactly("namespace");
        assertThat(api.post("/silences", "{\"rule\": \"r\", \"until\": \"2020-01-01T00:00:00Z\"}")
                        .fields())
                .containsExactly("until");
        Reply made = api.post("/silences", "{\"rule\": \"r\", \"until\": \"2099-01-01T00:00:00Z\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String path = "/silences/" + made.body().path("id").asLong();
        assertThat(api.get(path).body().path("active").asBoolean()).isTrue();
        assertThat(api.call("DELETE", path, null).status()).isEqualTo(204);
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    @Test
    void a_test_of_a_channel_says_why_it_does_not_work() {
        api.put("/alerts/channels/page", "{\"type\": \"command\", \"destination\": \"page\"}");
        JsonNode tried = api.post("/alerts/channels/page/test", "").body();
        assertThat(tried.path("sent").asBoolean(true)).isFalse();
        assertThat(tried.path("problem").asText()).contains("alerts.commands");
    }

    @Test
    void what_was_raised_is_shown_with_its_messages() {
        api.update("insert into alert (id, rule, kind, subject, event, namespace, job, detail, at, raised_at, sending)"
                + " values (7, 'r', 'FAILED', 'job:1', '1', 'db', 'backup', '{\"outcome\": \"FAILED\"}', '2026-01-01',"
                + " '2026-01-01', 'GIVEN_UP')");
        api.update("insert into alert_message (id, uid, channel, group_key, state, created_at, next_at, expires_at,"
                + " attempts, last_error) values (9, 'msg_1', 'ops', '', 'GIVEN_UP', '2026-01-01', '2026-01-01',"
                + " '2026-01-02', 30, 'no')");
        api.update("insert into alert_part (message_id, alert_id, kind) values (9, 7, 'RAISED')");
        JsonNode shown = api.get("/alerts?state=GIVEN_UP&namespace=db")
                .body()
                .path("items")
                .path(0);
        assertThat(shown.path("condition").asText()).isEqualTo("FAILED");
        assertThat(shown.path("messages").path(0).path("lastError").asText()).isEqualTo("no");
        assertThat(api.get("/alerts?state=CLOSED").body().path("items")).isEmpty();
    }

    private static Reply channel(String fields) {
        return api.put(
                "/alerts/channels/ops", "{\"type\": \"webhook\", \"destination\": \"" + URL + "\", " + fields + "}");
    }
}
