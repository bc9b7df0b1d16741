package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class SecretEndpointTest {

    private static final String VALUE = "correct horse battery";

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void a_secret_is_written_and_never_read() {
        Reply made = put("ops/warehouse", VALUE);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/secrets/ops/warehouse");
        job("load", "{\"PW\": \"warehouse\"}");
        Reply changed = put("ops/warehouse", VALUE + " staple");
        assertThat(changed.status()).isEqualTo(204);
        assertThat(changed.text()).isEmpty();

        JsonNode shown = api.get("/secrets/ops/warehouse").body();

        assertThat(List.copyOf(shown.properties()).stream().map(field -> field.getKey()))
                .containsExactly("namespace", "name", "version", "keyId", "jobs", "createdAt", "updatedAt");
        assertThat(shown.path("version").asInt()).isEqualTo(2);
        assertThat(shown.path("jobs").toString()).isEqualTo("[\"ops/load\"]");
        assertThat(shown.path("keyId").asText()).isEqualTo(Api.KEYS.ids().get(0));
        assertThat(api.get("/secrets").text()).doesNotContain("horse").contains("warehouse");
    }

    @Test
    void files_and_variables_of_nodes_are_named_by_tokens_without_namespaces() {
        String limited = api.token("limited", "editor", "lab");
        String job = "{\"schedule\": \"@manual\", \"command\": \"true\", \"secretEnv\": {\"K\": \"%s\"}}";
        for (String local : List.of("file:/run/secrets/billing", "env:BILLING")) {
            Reply refused = api.as(limited, "PUT", "/jobs/lab/x", job.formatted(local));
            assertThat(refused.status()).as(refused.text()).isEqualTo(422);
            assertThat(refused.fields()).containsExactly("secretEnv.K");
            assertThat(refused.text()).contains("PUT /api/v1/secrets/lab/NAME");
            Reply planned = api.as(
                    limited,
                    "POST",
                    "/plan",
                    "{\"jobs\": ["
                            + job.formatted(local)
                                    .replace("{\"schedule", "{\"namespace\": \"lab\", \"name\": \"x\", \"schedule")
                            + "]}");
            assertThat(planned.status()).as(planned.text()).isEqualTo(422);
            assertThat(planned.text()).contains("secretEnv.K");
        }
        assertThat(api.put("/jobs/lab/x", job.formatted("env:BILLING")).status())
                .isEqualTo(201);
        assertThat(api.as(limited, "PATCH", "/jobs/lab/x", "{\"description\": \"stays\"}")
                        .status())
                .isEqualTo(200);
        assertThat(api.as(limited, "PATCH", "/jobs/lab/x", "{\"secretEnv\": {\"L\": \"env:OTHER\"}}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void secrets_are_listed_by_namespace_page_by_page() {
        for (String name : List.of("a/x", "a/y", "b/a", "b/x")) {
            put(name, VALUE);
        }

        assertThat(names(api.get("/secrets/a"))).containsExactly("a/x", "a/y");
        Reply first = api.get("/secrets?limit=3");
        assertThat(names(first)).containsExactly("a/x", "a/y", "b/a");
        assertThat(names(api.get("/secrets?limit=3&cursor="
                        + first.body().path("nextCursor").asText())))
                .containsExactly("b/x");
        assertThat(api.get("/secrets?limit=4").body().path("nextCursor").isNull())
                .isTrue();
        assertThat(names(api.get("/secrets/c"))).isEmpty();
    }

    @Test
    void what_jobs_use_is_deleted_only_by_force() {
        put("ops/warehouse", VALUE);
        job("load", "{\"PW\": \"warehouse\"}");
        job("other", "{\"PW\": \"file:/run/secrets/warehouse\"}");

        Reply refused = api.call("DELETE", "/secrets/ops/warehouse", null);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text())
                .contains("ops/load")
                .doesNotContain("ops/other")
                .contains("force=true");
        assertThat(api.get("/secrets/ops/warehouse").status()).isEqualTo(200);

        assertThat(api.call("DELETE", "/secrets/ops/warehouse?force=true", null).status())
                .isEqualTo(204);
        assertThat(api.get("/secrets/ops/warehouse").status()).isEqualTo(404);
        assertThat(api.call("DELETE", "/secrets/ops/warehouse", null).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                                      | 422 | value
            {"value": null}                         | 422 | value
            {"value": 1234567}                      | 422 | value
            {"value": "xyz"}                        | 422 | value
            {"value": "xyz\\u0000xyzw"}             | 422 | value
            {"value": "xyzxyz", "note": "hello"}    | 422 | note
            {"value": hunter2}                      | 400 |
            {"value": "hunter2}                     | 400 |
            """)
    void what_is_no_secret_is_refused_without_being_quoted(String body, int status, String field) {
        Reply reply = api.put("/secrets/ops/warehouse", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.fields()).isEqualTo(field == null ? List.of() : List.of(field));
        assertThat(reply.text()).doesNotContain("hunter2").doesNotContain("xyz").doesNotContain("1234567");
        assertThat(api.get("/secrets/ops/warehouse").status()).isEqualTo(404);
    }

    @Test
    void a_value_has_64_kib_at_most() {
        assertThat(put("ops/large", "x".repeat(65_536)).status()).isEqualTo(201);
        assertThat(put("ops/larger", "x".repeat(65_537)).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({"ops/a%20b, name", "a%20b/x, namespace", "ops/..%2f, name"})
    void names_are_those_of_jobs(String path, String field) {
        Reply reply = put(path, VALUE);

        assertThat(reply.status()).as(reply.text()).isIn(422, 400);
        assertThat(reply.status() == 400 || reply.fields().equals(List.of(field)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"PW": "missing"}                 | secretEnv.PW         | PUT /api/v1/secrets/ops/missing
            {"PW": "file:relative"}           | secretEnv.PW         | absolute path
            {"PW": "file:/run/../etc/shadow"} | secretEnv.PW         | absolute path
            {"PW": "env:A-B"}                 | secretEnv.PW         | name of a variable
            {"PW": "a b"}                     | secretEnv.PW         | name of a secret
            {"PW": 1}                         | secretEnv.PW         | string
            {"1PW": "file:/x"}                | secretEnv.1PW        | not the name of a variable
            {"LD_PRELOAD": "file:/x"}         | secretEnv.LD_PRELOAD | another variable
            {"BASH_ENV": "file:/x"}           | secretEnv.BASH_ENV   | another variable
            {"ROWLOCK_JOB": "file:/x"}        | secretEnv.ROWLOCK_JOB | Rowlock itself
            {"TWICE": "file:/x"}              | secretEnv.TWICE      | leave it out of one of them
            []                                | secretEnv            | object
            """)
    void a_job_whose_secrets_make_no_sense_is_refused(String secretEnv, String field, String said) {
        Reply reply = api.put("/jobs/ops/load", definition(secretEnv));

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.text()).contains(said);
    }

    @Test
    void a_plan_is_refused_like_a_job() {
        String plan = "{\"jobs\": ["
                + definition("{\"PW\": \"missing\"}")
                        .replace("{\"schedule", "{\"namespace\": \"ops\", \"name\": \"load\", \"schedule")
                + "]}";

        Reply refused = api.call("POST", "/plan", plan);
        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.fields()).containsExactly("jobs[0].secretEnv.PW");

        put("ops/missing", VALUE);
        assertThat(api.call("POST", "/plan", plan).status()).isEqualTo(200);
        assertThat(api.call("POST", "/apply", plan).status()).isEqualTo(200);
        assertThat(api.get("/secrets/ops/missing").body().path("jobs").toString())
                .contains("ops/load");
    }

    @Test
    void everything_is_encrypted_under_the_first_key() {
        put("ops/a", VALUE);
        api.update("update secret set key_id = '0123456789abcdef'");
        put("ops/b", VALUE);

        JsonNode rotated = api.call("POST", "/secrets/rotate", null).body();

        assertThat(rotated.path("rotated").asInt(-1)).isZero();
        assertThat(rotated.path("left").findValuesAsText("name")).containsExactly("a");
        assertThat(rotated.path("left").findValuesAsText("reason").get(0)).contains("0123456789abcdef");
    }

    @Test
    void the_audit_tells_of_every_change_and_nothing_of_the_value() {
        put("ops/audited", VALUE);
        put("ops/audited", VALUE + " staple");
        api.call("DELETE", "/secrets/ops/audited", null);

        JsonNode items = api.get("/audit?kind=secret&name=audited").body().path("items");

        assertThat(items.findValuesAsText("action")).containsExactly("delete", "replace", "create");
        assertThat(items.get(1).path("before").path("version").asInt()).isEqualTo(1);
        assertThat(items.get(1).path("after").path("version").asInt()).isEqualTo(2);
        assertThat(items.toString()).doesNotContain("horse");
    }

    @Test
    void a_token_of_one_namespace_sees_and_changes_only_its_secrets() {
        put("own/a", VALUE);
        put("theirs/a", VALUE);
        String editor = api.token("of-own", "editor", "own");
        String viewer = api.token("sees-own", "viewer", "own");

        assertThat(names(api.as(viewer, "GET", "/secrets", null))).containsExactly("own/a");
        assertThat(api.as(viewer, "GET", "/secrets/theirs", null).status()).isEqualTo(403);
        assertThat(api.as(viewer, "PUT", "/secrets/own/a", "{\"value\": \"another\"}")
                        .status())
                .isEqualTo(403);
        assertThat(api.as(editor, "PUT", "/secrets/own/a", "{\"value\": \"another\"}")
                        .status())
                .isEqualTo(204);
        assertThat(api.as(editor, "PUT", "/secrets/theirs/a", "{\"value\": \"another\"}")
                        .status())
                .isEqualTo(403);
        assertThat(api.as(editor, "POST", "/secrets/rotate", null).status()).isEqualTo(403);
    }

    private static List<String> names(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        List<String> names = new java.util.ArrayList<>();
        reply.body()
                .path("items")
                .forEach(item -> names.add(item.path("namespace").asText() + "/"
                        + item.path("name").asText()));
        return names;
    }

    private static Reply put(String name, String value) {
        return api.put(
                "/secrets/" + name,
                Api.JSON.createObjectNode().put("value", value).toString());
    }

    private static void job(String name, String secretEnv) {
        Reply reply = api.put("/jobs/ops/" + name, definition(secretEnv));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static String definition(String secretEnv) {
        return "{\"schedule\": \"@manual\", \"command\": \"true\", \"env\": {\"TWICE\": \"x\"}, \"secretEnv\": "
                + secretEnv + "}";
    }
}
