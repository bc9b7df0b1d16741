package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a thief tries who has a token that is limited to a namespace, beyond what its role may. */
@Tag("database")
class StolenTokenTest {

    @RegisterExtension
    static final Api api = new Api();

    private String editor;

    @BeforeEach
    void theirs() {
        api.put("/secrets/theirs/key", "{\"value\": \"a value of theirs\"}");
        api.put("/jobs/theirs/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        api.put("/jobs/own/j", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        editor = api.token("thief", "editor", "own");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "namespace": "theirs"}            | 422
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "name": "../theirs/j"}            | 422
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "secretEnv": {"A": "theirs/key"}} | 422
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "secretEnv": {"A": "../theirs/key"}} | 422
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "secretEnv": {"A": "key"}}        | 422
            PUT   | /jobs/own/j         | {"schedule": "@manual", "command": "id", "env": {"ROWLOCK_NAMESPACE": "theirs"}} | 422
            PATCH | /jobs/own/j         | {"namespace": "theirs"}                                                    | 422
            PUT   | /jobs/own%2F..%2Ftheirs/j | {"schedule": "@manual", "command": "id"}                             | 40x
            PUT   | /jobs/own/../theirs/j | {"schedule": "@manual", "command": "id"}                                 | 40x
            PUT   | /jobs/OWN/j         | {"schedule": "@manual", "command": "id"}                                   | 403
            POST  | /jobs               | {"namespace": "theirs", "name": "x", "schedule": "@manual", "command": "id"} | 403
            POST  | /jobs               | {"name": "x", "schedule": "@manual", "command": "id"}                      | 403
            POST  | /apply              | {"jobs": [{"name": "j", "schedule": "@manual", "command": "id"}]}          | 403
            POST  | /apply              | {"jobs": [], "prune": {"namespace": "theirs"}}                             | 403
            POST  | /plan               | {"jobs": [{"namespace": "theirs", "name": "j"}]}                           | 403
            POST  | /jobs/own/j/run     | {"secretEnv": {"A": "key"}}                                                | 422
            POST  | /tasks/rerun        | {"since": "2026-01-01T00:00:00Z", "job": "theirs/j"}                       | 403
            PUT   | /groups/all         | {"limit": 0}                                                               | 403
            POST  | /tokens             | {"name": "x", "role": "admin"}                                             | 403
            POST  | /tokens/thief/rotate | {}                                                                        | 403
            PUT   | /alerts/channels/x  | {"type": "webhook", "destination": "https://example.com/"}                 | 403
            PUT   | /alerts/rules/x     | {"when": ["FAILED"], "channels": ["x"]}                                    | 403
            POST  | /silences           | {"namespace": "theirs", "until": "2099-01-01T00:00:00Z"}                   | 403
            POST  | /freezes            | {"namespaces": ["own", "theirs"], "for": "1h"}                             | 403
            POST  | /freezes            | {"jobs": ["theirs/j"], "for": "1h"}                                        | 403
            POST  | /freezes            | {"all": true, "for": "1h"}                                                 | 403
            POST  | /freezes            | {"labels": {"a": "b"}, "for": "1h"}                                        | 403
            POST  | /cluster/nodes/a/drain | {}                                                                      | 403
            """)
    void nothing_beyond_the_namespace_is_reached(String method, String path, String body, String status) {
        String audited = api.one("select count(*) from audit");
        String jobs = api.one("select group_concat(namespace, '/', name, ' ', version order by 1) from job");

        Reply reply = method.equals("PATCH")
                ? api.call(
                        method,
                        path,
                        body,
                        "Authorization",
                        "Bearer " + editor,
                        "Content-Type",
                        "application/merge-patch+json")
                : api.as(editor, method, path, body);

        assertThat(String.valueOf(reply.status())).as(reply.text()).matches(status.replace('x', '.'));
        assertThat(reply.text()).doesNotContain("a value of theirs");
        assertThat(api.one("select count(*) from audit")).isEqualTo(audited);
        assertThat(api.one("select group_concat(namespace, '/', name, ' ', version order by 1) from job"))
                .isEqualTo(jobs);
    }

    /** Whatever is written into a job, the audit has it as one value of one row, and who wrote it. */
    @Test
    void the_audit_cannot_be_made_to_lie() {
        String forged = "x\\\", \\\"who\\\": \\\"admin\\\"}\\n'); -- \\r\\nadmin PUT /jobs";
        Reply made = api.as(
                editor,
                "PUT",
                "/jobs/own/j",
                "{\"schedule\": \"@manual\", \"command\": \"true\", \"description\": \"" + forged
                        + "\", \"labels\": {\"who\": \"admin\"}}");
        assertThat(made.status()).as(made.text()).isEqualTo(200);

        Reply audit = api.get("/audit?namespace=own&limit=1");
        assertThat(audit.body().path("items").path(0).path("who").asText()).isEqualTo("thief");
        assertThat(audit.body().path("items").path(0).path("role").asText()).isEqualTo("editor");
        assertThat(audit.body()
                        .path("items")
                        .path(0)
                        .path("after")
                        .path("description")
                        .asText())
                .startsWith("x\", \"who\": \"admin\"}\n'); -- \r\nadmin");
    }
}
