package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a request to run again is named, with the remedy, and nothing runs. */
@Tag("database")
class RerunInputTest {

    @RegisterExtension
    static final Api api = new Api();

    private final TaskRows rows = new TaskRows(api);

    @BeforeEach
    void fail() {
        rows.create();
        rows.ends(rows.run(), "FAILED");
    }

    @Test
    void a_job_that_never_was_does_not_pass_for_one_that_did_well() {
        Reply unknown = api.post("/tasks/rerun", "{\"since\": \"2020-01-01T00:00:00Z\", \"job\": \"default/typo\"}");
        Reply known = api.post("/tasks/rerun", "{\"since\": \"2999-01-01T00:00:00Z\", \"job\": \"default/a\"}");

        assertThat(unknown.status()).isEqualTo(200);
        assertThat(unknown.body().at("/warnings/0").asText())
                .isEqualTo("there is no job default/typo, nor history of one");
        assertThat(known.body().at("/warnings/0").asText()).startsWith("nothing of this stretch of time");
    }

    private static void isRefused(Reply reply, int status, String field, String remedy) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.body().path("errors").findValuesAsText("message"))
                .singleElement()
                .asString()
                .contains(remedy);
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
        assertThat(api.one("select count(*) from audit where action = 'rerun'")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "since | null | since | is required: from which fire time on, such as 2026-12-01T03:00:00Z",
                "since | \"yesterday\" | since | write it like 2026-12-01T03:00:00Z",
                "since | 5 | since | must be",
                "until | \"2019-12-31T00:00:00Z\" | until | must lie after since",
                "until | \"2020-01-01T00:00:00Z\" | until | must lie after since",
                "until | \"soon\" | until | write it like 2026-12-01T03:00:00Z",
                "until | [] | until | must be",
                "namespace | \"a b\" | namespace | must be 1 to 64 characters",
                "namespace | 5 | namespace | must be a string, not a number",
                "job | \"a\" | job | must be NAMESPACE/NAME, such as default/a",
                "job | \"a b/c\" | job | must be 1 to 64 characters",
                "job | \"default/\" | job | must be 1 to 128 characters",
                "job | \"default/a/b\" | job | must be 1 to 128 characters",
                "job | true | job | must be a string, not",
                "outcome | \"FAILED\" | outcome | must be a list of at least one of FAILED, TIMED_OUT, KILLED, LOST, SKIPPED, MISSED, CANCELLED, such as",
                "outcome | [] | outcome | must be a list of at least one of FAILED, TIMED_OUT, KILLED, LOST, SKIPPED, MISSED, CANCELLED, such as",
                "outcome | [\"FAILED\", \"SUCCEEDED\"] | outcome[1] | 'SUCCEEDED' is not one of FAILED, TIMED_OUT, KILLED, LOST, SKIPPED, MISSED, CANCELLED",
                "outcome | [\"failed\"] | outcome[0] | is not one of FAILED, TIMED_OUT, KILLED, LOST, SKIPPED, MISSED, CANCELLED",
                "outcome | [5] | outcome[0] | is not one of FAILED, TIMED_OUT, KILLED, LOST, SKIPPED, MISSED, CANCELLED",
                "limit | 0 | limit | must be a whole number from 1 to 1000",
                "limit | 1001 | limit | must be a whole number from 1 to 1000",
                "limit | \"10\" | limit | must be a whole number from 1 to 1000",
                "limit | 1.5 | limit | must be a whole number from 1 to 1000",
                "dryRun | \"yes\" | dryRun | must be true or false",
                "dryrun | true | dryrun | did you mean 'dryRun'?",
            })
    void a_wrong_field_is_named_with_the_remedy(String field, String value, String named, String remedy)
            throws Exception {
        ObjectNode body = Api.JSON.createObjectNode().put("since", "2020-01-01T00:00:00Z");
        body.set(field, Api.JSON.readTree(value));

        isRefused(api.post("/tasks/rerun", body.toString()), 422, named, remedy);
    }

    @Test
    void a_job_of_another_namespace_than_asked_for_is_refused() {
        isRefused(
                api.post(
                        "/tasks/rerun",
                        "{\"since\": \"2020-01-01T00:00:00Z\", \"namespace\": \"ops\", \"job\": \"default/a\"}"),
                422,
                "namespace",
                "is 'default' in the field job; leave one of them out");
    }

    @Test
    void all_that_is_wrong_is_told_at_once() {
        Reply reply = api.post("/tasks/rerun", "{\"since\": \"x\", \"limit\": -1, \"outcome\": [], \"more\": 1}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.fields()).containsExactlyInAnyOrder("since", "limit", "outcome", "more");
    }

    @Test
    void a_key_that_cannot_be_kept_is_refused() {
        Reply reply =
                api.post("/tasks/rerun", "{\"since\": \"2020-01-01T00:00:00Z\"}", "Idempotency-Key", "x".repeat(201));

        isRefused(reply, 400, "Idempotency-Key", "200");
    }

    @Test
    void a_key_that_was_sent_with_another_request_is_refused() {
        String body = "{\"since\": \"2020-01-01T00:00:00Z\", \"job\": \"default/b\"}";
        assertThat(api.post("/tasks/rerun", body, "Idempotency-Key", "k").status())
                .isEqualTo(200);
        assertThat(api.post("/tasks/rerun", body, "Idempotency-Key", "k").status())
                .isEqualTo(200);

        Reply reply = api.post("/tasks/rerun", "{\"since\": \"2020-01-01T00:00:00Z\"}", "Idempotency-Key", "k");

        isRefused(reply, 422, "Idempotency-Key", "another key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'' | 400", "[] | 400", "nothing | 400"})
    void what_is_no_object_is_refused(String body, int status) {
        assertThat(api.post("/tasks/rerun", body).status()).isEqualTo(status);
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
    }

    @Test
    void where_nothing_ended_like_that_the_answer_says_what_to_look_at() {
        JsonNode answer = api.post("/tasks/rerun", "{\"since\": \"2020-01-01T00:00:00Z\", \"outcome\": [\"LOST\"]}")
                .body();

        assertThat(answer.path("created").size()).isZero();
        assertThat(answer.path("warnings").get(0).asText()).contains("since and until are about fire times");
    }

    private static String outcomes(String fields) {
        JsonNode created = api.post("/tasks/rerun", "{" + fields.replace('\'', '"') + ", \"dryRun\": true}")
                .body()
                .path("created");
        return String.join(" ", created.findValuesAsText("outcome"));
    }

    @Test
    void what_timed_out_went_wrong_and_what_somebody_ended_runs_when_it_is_named() {
        for (String outcome : new String[] {"TIMED_OUT", "KILLED", "SKIPPED", "CANCELLED", "SUCCEEDED"}) {
            rows.ends(rows.run(), outcome);
        }

        assertThat(outcomes("'since': '2020-01-01T00:00:00Z'")).isEqualTo("FAILED TIMED_OUT");
        assertThat(outcomes("'since': '2020-01-01T00:00:00Z', 'outcome': ['KILLED', 'SKIPPED', 'CANCELLED']"))
                .isEqualTo("KILLED SKIPPED CANCELLED");
        assertThat(outcomes("'since': '2020-01-01T00:00:00Z', 'job': 'default/a', 'outcome': ['KILLED']"))
                .isEqualTo("KILLED");
    }

    @Test
    void one_task_runs_again_by_its_id() {
        long killed = rows.run();
        rows.ends(killed, "KILLED");
        long good = rows.run();
        rows.ends(good, "SUCCEEDED");
        long live = rows.run();

        Reply reply = api.post("/tasks/rerun", "{\"task\": " + killed + "}");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.body().at("/created/0/original").asLong()).isEqualTo(killed);
        assertThat(api.post("/tasks/rerun", "{\"task\": " + killed + "}")
                        .body()
                        .at("/leftOut/0/reason")
                        .asText())
                .contains("ran it again already");
        assertThat(api.post("/tasks/rerun", "{\"task\": " + good + "}")
                        .body()
                        .at("/leftOut/0/reason")
                        .asText())
                .isEqualTo("it ended as SUCCEEDED: run the job itself");
        assertThat(api.post("/tasks/rerun", "{\"task\": " + live + "}").status())
                .isEqualTo(422);
        assertThat(api.post("/tasks/rerun", "{\"task\": " + killed + ", \"job\": \"default/a\"}")
                        .fields())
                .containsExactly("job");
    }

    @Test
    void a_key_that_was_sent_for_one_task_is_not_taken_for_another() {
        long one = rows.run();
        rows.ends(one, "FAILED");
        long other = rows.run();
        rows.ends(other, "FAILED");

        assertThat(api.post("/tasks/rerun", "{\"task\": " + one + "}", "Idempotency-Key", "k")
                        .status())
                .isEqualTo(202);
        Reply reply = api.post("/tasks/rerun", "{\"task\": " + other + "}", "Idempotency-Key", "k");
        assertThat(reply.status()).isEqualTo(422);
    }

    /** An operator cannot change what a job does. */
    @Test
    void a_command_of_one_run_is_run_again_by_editors_alone() {
        String operator = api.token("op", "operator");
        long once = api.post(TaskRows.JOB + "/run", "{\"env\": {\"A\": \"1\"}}")
                .body()
                .path("id")
                .asLong();
        rows.ends(once, "FAILED");
        api.update("update task_history set overrides = '{\"env\": {\"A\": \"1\"}}' where id = " + once);
        String body = "{\"since\": \"2020-01-01T00:00:00Z\"}";

        Reply some = api.as(operator, "POST", "/tasks/rerun", body);
        Reply none = api.as(operator, "POST", "/tasks/rerun", body);
        Reply editor = api.post("/tasks/rerun", body);

        assertThat(some.body().path("created")).hasSize(1);
        assertThat(some.body().at("/leftOut/0/task").asLong()).isEqualTo(once);
        assertThat(some.body().at("/leftOut/0/reason").asText()).contains("role editor");
        assertThat(none.status()).isEqualTo(403);
        assertThat(none.text()).contains("role editor");
        assertThat(editor.body().at("/created/0/original").asLong()).isEqualTo(once);
    }
}
