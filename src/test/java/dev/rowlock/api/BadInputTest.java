package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused with a 4xx that names the field, and nothing of it is stored. */
@Tag("database")
class BadInputTest {

    @RegisterExtension
    static final Api api = new Api();

    private static void isProblem(Reply reply, int status) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
        assertThat(reply.body().path("status").asInt()).isEqualTo(status);
        assertThat(reply.body().path("detail").asText()).isNotEmpty();
        assertThat(api.one("select (select count(*) from job) + (select count(*) from live_task)"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name | \"\" | must be 1 to 128 characters",
                "name | \"a b\" | must be 1 to 128 characters",
                "name | \"..\" | could not stand in a path",
                "name | 5 | must be a string, not a number",
                "name | null | is required",
                "namespace | \"a/b\" | must be 1 to 64 characters",
                "namespace | [] | must be a string, not a list",
                "description | {} | must be a string, not an object",
                "schedule | null | is required",
                "schedule | \" \" | is required",
                "schedule | \"61 * * * *\" | 61",
                "schedule | 5 | must be a string",
                "zone | \"Europe/Berln\" | did you mean \"Europe/Berlin\"?",
                "zone | \"+02:00\" | is not a time zone",
                "daylightSaving | \"shift\" | is not one of SHIFT, PLAIN; did you mean 'SHIFT'?",
                "command | null | is required",
                "command | \"  \" | is required",
                "command | \"a\\u0000b\" | NUL",
                "workdir | \"tmp\" | must be an absolute path",
                "env | [] | must be an object of strings",
                "env.1A | {\"1A\": \"x\"} | is not the name of a variable",
                "env.ROWLOCK_JOB | {\"ROWLOCK_JOB\": \"x\"} | set by Rowlock itself",
                "env.A | {\"A\": 5} | must be a string, not a number",
                "env.A | {\"A\": null} | must be a string, not null",
                "labels.a b | {\"a b\": \"x\"} | a label's name",
                "timeout | \"0s\" | must be from 1s to 365d, not 0s",
                "timeout | \"366d\" | must be from 1s to 365d",
                "timeout | \"5 minutes\" | is not a duration",
                "timeout | 90 | must be a string such as \"90s\", not a number",
                "timeout | \"-5s\" | is not a duration",
                "killGrace | \"11m\" | must be from 0s to 10m",
                "overlapLimit | 3 | needs overlap QUEUE or ALLOW; with SKIP leave it out",
                "overlap | \"WAIT\" | is not one of SKIP",
                "misfire | \"RUN_ALL\" | RUN_ALL needs overlap QUEUE or ALLOW",
                "onLost | \"IGNORE\" | is not one of RERUN, FAIL",
                "retry | 3 | must be an object, not a number",
                "startDeadline | \"5 m\" | is not a duration",
                "command | 5 | must be a string, not a number",
                "command | [] | must begin with a program",
                "command[1] | [\"a\", 5] | must be a string, not a number",
                "command | [\"ls\", \"-l\"] | a list of arguments needs shell none; with shell bash write it as a text",
                "user | \"\" | is not the name of a user",
                "user | \"-x\" | is not the name of a user",
                "user | \"a b\" | is not the name of a user",
                "user | -1 | must be a user's number from 0 to 4294967294",
                "user | 4294967295 | must be a user's number from 0 to 4294967294",
                "user | \"007\" | without leading zeros",
                "user | {} | must be a string, not an object",
                "umask | 27 | must be a string such as \"027\", not a number",
                "umask | \"029\" | must be octal digits from \"000\" to \"777\"",
                "umask | \"1777\" | must be octal digits from \"000\" to \"777\"",
                "nice | -21 | must be a whole number from -20 to 19",
                "nice | 20 | must be a whole number from -20 to 19",
                "limits | 5 | must be an object",
                "limits.cpuTime | {\"cpuTime\": \"0s\"} | must be from 1s to 365d",
                "limits.memory | {\"memory\": \"1MiB\"} | must be from 16MiB to 64TiB, not 1MiB",
                "limits.memory | {\"memory\": -5} | must be from 16MiB to 64TiB, not -5",
                "limits.memory | {\"memory\": \"99999999TiB\"} | must be from 16MiB to 64TiB",
                "limits.memory | {\"memory\": \"lots\"} | is not a size; write it like 512MiB",
                "limits.openFiles | {\"openFiles\": 0} | must be a whole number from 16 to 1048576",
                "limits.processes | {\"processes\": -1} | must be a whole number from 1 to 4194304",
                "limits.memroy | {\"memroy\": \"1GiB\"} | did you mean 'memory'?",
                "shell | \"zsh\" | is not one of bash, sh, none",
                "stdin | [] | must be a string, not a list",
                "jitter | \"5s\" | needs a schedule",
                "nodes | {\"a\": \"b\"} | must be a string, not an object",
                "nodes | \"role=db zone=eu\" | character 9: expected a comma, not 'zone'; write requirements like",
                "priority | 500 | must be a whole number from -100 to 100",
                "priority | 1000 | must be a whole number from -100 to 100",
                "priority | 1.5 | must be a whole number",
                "broadcast | \"no\" | must be true or false",
                "startAt | \"tomorrow\" | is no whole time",
                "endAt | \"2026-13-01T00:00:00Z\" | is not a time",
                "endAt | \"12026-01-01T00:00:00Z\" | is not a time",
                "successExitCodes | [] | at least one",
                "successExitCodes[1] | [0, 256] | must be a whole number from 0 to 255",
                "paused | 1 | must be true or false",
                "comand | \"x\" | is not a field of a job; did you mean 'command'?"
            })
    void a_wrong_field_is_named_with_the_remedy(String field, String value, String message) throws Exception {
        var job = (com.fasterxml.jackson.databind.node.ObjectNode)
                Api.JSON.readTree("{\"name\": \"a\", \"schedule\": \"@manual\", \"command\": \"true\"}");
        job.set(field.replaceFirst("[.\\[].*", ""), Api.JSON.readTree(value));

        Reply posted = api.post("/jobs", job.toString());
        isProblem(posted, 422);
        assertThat(posted.fields()).containsExactly(field);
        assertThat(posted.body().path("errors").get(0).path("message").asText()).contains(message);

        if (!value.equals("null") || !field.equals("name")) { // PUT takes the name from the path
            Reply put = api.put("/jobs/default/a", job.toString());
            isProblem(put, 422);
            assertThat(put.fields()).containsExactly(field);
        }
    }

    @Test
    void half_of_a_surrogate_pair_is_refused() {
        Reply reply = api.post("/jobs", "{\"name\": \"a\", \"schedule\": \"@manual\", \"command\": \"\\ud800\"}");

        isProblem(reply, 422);
        assertThat(reply.fields()).containsExactly("command");
    }

    /** What is not seen by a proxy that lets only some methods through. */
    @Test
    void a_header_does_not_make_another_request_of_it() {
        api.put("/jobs/default/a", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        Reply reply = api.call("GET", "/jobs/default/a", null, "X-HTTP-Method-Override", "DELETE");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly("X-HTTP-Method-Override");
        assertThat(api.one("select count(*) from job")).isEqualTo("1");
    }

    @Test
    void all_that_is_wrong_is_told_at_once() {
        Reply reply = api.post("/jobs", "{\"schedule\": \"x\", \"timeout\": \"1\", \"what\": 1}");

        isProblem(reply, 422);
        assertThat(reply.fields()).containsExactlyInAnyOrder("what", "name", "schedule", "command", "timeout");
    }

    @Test
    void an_end_before_the_start_is_refused() {
        Reply reply = api.post("/jobs", """
                {"name": "a", "schedule": "@manual", "command": "x",
                 "startAt": "2026-01-02T00:00:00Z", "endAt": "2026-01-01T00:00:00Z"}""");

        isProblem(reply, 422);
        assertThat(reply.fields()).containsExactly("endAt");
    }

    @Test
    void a_definition_that_is_too_large_as_a_whole_is_refused() {
        String value = "x".repeat(32 * 1024);
        StringBuilder env = new StringBuilder("\"A\": \"x\"");
        for (int i = 0; i < 8; i++) {
            env.append(", \"V").append(i).append("\": \"").append(value).append('"');
        }
        Reply reply =
                api.post("/jobs", "{\"name\":\"a\",\"schedule\":\"@manual\",\"command\":\"x\",\"env\":{" + env + "}}");

        isProblem(reply, 413);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\": \"a\", \"name\": \"b\"} | Duplicate",
                "{\"name\": \"a\" | line 1, column",
                "{\"name\": \"a\",} | line 1, column",
                "{\"name\": 'a'} | line 1, column",
                "{} x | line 1, column",
                "[] | a JSON object is expected",
                "\"x\" | a JSON object is expected",
                "`   ` | a JSON object is expected"
            })
    void what_is_not_one_json_object_is_refused_with_the_place(String body, String detail) {
        Reply reply = api.post("/jobs", body);

        isProblem(reply, 400);
        assertThat(reply.body().path("detail").asText()).contains(detail);
    }

    /** Each takes many times its text in memory. */
    @Test
    void a_body_of_very_many_values_is_refused() {
        isProblem(api.post("/jobs", "{\"env\": [" + "{},".repeat(80_000) + "{}]}"), 400);
    }

    @Test
    void json_nested_without_end_is_refused() {
        isProblem(api.post("/jobs", "[".repeat(100_000)), 400);
        isProblem(api.post("/jobs", "{\"env\":".repeat(1000)), 400);
    }

    @Test
    void an_empty_body_and_one_that_is_not_utf8_are_refused() {
        isProblem(api.post("/jobs", ""), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    void only_json_is_accepted(String type) {
        isProblem(api.post("/jobs", "{}", "Content-Type", type), 415);
        isProblem(api.call("PATCH", "/jobs/default/a", "{}", "Content-Type", type), 415);
    }

    /** The server cannot tell the type of a body whose charset Java does not know. */
    @Test
    void a_charset_that_nobody_knows_is_no_error_of_the_node() {
        String unknown = "application/json;charset=x-foo";

        assertThat(api.post("/jobs", "{}", "Content-Type", unknown).fields()).contains("name");
        isProblem(api.post("/session", "{}", "Content-Type", unknown, "Authorization", ""), 422);
        isProblem(api.post("/jobs", "{}", "Content-Type", "text/html;charset=x-foo"), 415);
        isProblem(api.post("/jobs", "{}", "Content-Encoding", "gzip"), 415);
    }

    @Test
    void a_body_beyond_the_limit_is_refused() {
        isProblem(api.post("/jobs", "x".repeat(256 * 1024 + 1)), 413);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /jobs?limit=0, 400, limit",
        "GET, /jobs?limit=1001, 400, limit",
        "GET, /jobs?limit=x, 400, limit",
        "GET, /jobs?limit=1&limit=2, 400, limit",
        "GET, /jobs?cursor=%21, 400, cursor",
        "GET, /jobs?cursor=YQ, 400, cursor",
        "GET, /jobs?state=SLEEPING, 400, state",
        "GET, /jobs?label=%20, 400, label",
        "GET, /jobs?nmespace=a, 400, nmespace",
        "GET, /jobs/default/a?x=1, 400, x",
        "GET, /tasks?state=RUNNING, 400, state",
        "GET, /tasks?outcome=OK, 400, outcome",
        "GET, /tasks?since=lately, 400, since",
        "GET, /tasks?until=2026-13-01, 400, until",
        "GET, /tasks?cursor=YQpi, 400, cursor",
        "GET, /tasks?job=a/b&namespace=c, 400, namespace",
        "GET, /tasks?job=a%20b, 400, job",
        "GET, /tasks?job=default/never, 404, job",
        "GET, /events?job=default/never, 404, job",
        "GET, /events?lastEventId=999999999999999-x, 400, lastEventId",
        "GET, /tasks?job=a/, 400, job",
        "GET, /tasks?job=a/b/c, 400, job",
        "GET, /tasks?limit, 400, limit",
        "GET, /tasks?limit=, 400, limit",
        "GET, /tasks?limit=+5, 400, limit",
        "GET, /tasks?limit=%EF%BC%95, 400, limit",
        "GET, /tasks?limit=1e2, 400, limit",
        "GET, /tasks?since=2026-12-01T03:00:00+01:00, 400, since",
        "GET, /tasks?since=10000-01-01T00:00:00Z, 400, since",
        "GET, /jobs?label=a%3D%00, 400, label",
        "GET, /jobs?q=%FF, 400, q",
        "GET, /jobs?q=%C3, 400, q",
        "GET, /jobs/default/a/next?count=0, 400, count",
        "GET, /jobs/default/a/next?from=x, 400, from",
        "GET, /tasks/1/output?follow=maybe, 400, follow",
        "GET, /tasks/1/output?from=-1, 400, from",
        "GET, /tasks/1/output?from=end, 400, from",
        "GET, /cluster?x=y, 400, x"
    })
    void a_wrong_parameter_is_named(String method, String path, int status, String field) {
        Reply reply = api.call(method, path, null);

        isProblem(reply, status);
        assertThat(reply.fields()).containsExactly(field);
    }

    /** Java's own client refuses to send these. */
    @ParameterizedTest
    @CsvSource({
        "/tasks?limit=%, limit",
        "/tasks?limit=1%, limit",
        "/tasks?limit=%3, limit",
        "/jobs?q=%zz, q",
        "/jobs?%zz=q, %zz",
        "/jobs/default/a/next?count=1&from=%-1, from",
        "/cluster?%, %"
    })
    void what_cannot_be_decoded_is_not_left_out(String path, String field) throws Exception {
        String answer = rawAnswer("/api/v1" + path);

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("\"field\":\"" + field + "\"")
                .contains("%25");
    }

    @Test
    void a_path_that_cannot_be_decoded_is_refused() throws Exception {
        assertThat(rawAnswer("/api/v1/jobs/default/%")).startsWith("HTTP/1.1 400");
        assertThat(rawAnswer("/api/v1/jobs/default/%ff")).startsWith("HTTP/1.1 4");
    }

    private static String rawAnswer(String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            socket.getOutputStream()
                    .write(("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + api.port()
                                    + "\r\nAuthorization: Bearer " + Api.TOKEN + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404",
        "GET, /jobs/default/none, 404",
        "GET, /jobs/default/a%20b, 404",
        "GET, /jobs/default/..%2f, 404",
        "GET, /tasks/0, 404",
        "GET, /tasks/x, 404",
        "GET, /tasks/99999999999999999999, 404",
        "GET, /tasks/1/output, 404",
        "GET, /tasks/1/output?follow=true, 404",
        "POST, /tasks/1/kill, 404",
        "DELETE, /jobs/default/none, 404",
        "POST, /jobs/default/none/pause, 404",
        "POST, /jobs/default/none/resume, 404",
        "POST, /jobs/default/none/run, 404",
        "GET, /jobs/default/none/next, 404",
        "DELETE, /jobs, 405",
        "POST, /cluster, 405",
        "PUT, /jobs/default/a/run, 405",
        "TRACE, /jobs, 405"
    })
    void what_is_not_there_is_not_there(String method, String path, int status) {
        Reply reply = api.call(method, path, null);

        isProblem(reply, status);
        if (status == 405) {
            assertThat(reply.header("Allow")).contains("OPTIONS");
        }
    }

    @Test
    void options_and_head_behave() {
        assertThat(api.call("OPTIONS", "/jobs", null).header("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
        Reply head = api.call("HEAD", "/jobs", null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        HttpResponse<String> response = api.get("/jobs").response();
        assertThat(response.headers().firstValue("Server")).isEmpty();
        assertThat(response.headers().firstValue("X-Powered-By")).isEmpty();
    }

    @Test
    void a_wrong_precondition_is_refused() {
        Reply reply = api.put("/jobs/default/a", "{\"schedule\": \"@manual\", \"command\": \"x\"}", "If-Match", "3");
        isProblem(reply, 400);
        assertThat(reply.fields()).containsExactly("If-Match");
    }

    @Test
    void the_name_in_the_path_and_in_the_body_must_agree() {
        Reply reply = api.put("/jobs/default/a", "{\"name\": \"b\", \"schedule\": \"@manual\", \"command\": \"x\"}");
        isProblem(reply, 422);
        assertThat(reply.fields()).containsExactly("name");
    }

    @Test
    void a_preview_is_checked_like_a_job() {
        Reply reply = api.post(
                "/schedules/preview", "{\"schedule\": \"* * *\", \"zone\": \"Mars\", \"count\": 1001, \"x\": 1}");
        isProblem(reply, 422);
        assertThat(reply.fields()).containsExactlyInAnyOrder("x", "zone", "schedule", "count");
    }

    @Test
    void an_impossible_name_in_a_path_is_told_what_names_may_be() {
        Reply name = api.get("/jobs/default/a%20b");
        Reply namespace = api.put("/jobs/d%C3%A9faut/a", "{\"schedule\": \"@manual\", \"command\": \"true\"}");

        assertThat(name.body().path("detail").asText())
                .contains(
                        "there cannot be a job 'default/a b'",
                        "its name must be 1 to 128 characters of A-Z, a-z, 0-9, dot");
        assertThat(name.fields()).containsExactly("name");
        assertThat(namespace.body().path("detail").asText()).contains("its namespace must be 1 to 64");
        assertThat(namespace.fields()).containsExactly("namespace");
    }

    /** There is nothing to be read or deleted at such a path, and what is put there is not acceptable. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/jobs/ops/a%20b",
                "/secrets/ops/a%20b",
                "/groups/a%20b",
                "/alerts/channels/a%20b",
                "/alerts/rules/a%20b"
            })
    void an_impossible_name_in_a_path_has_one_status_whatever_it_is_the_name_of(String path) {
        isProblem(api.get(path), 404);
        isProblem(api.call("DELETE", path, null), 404);
        isProblem(api.put(path, "{}"), 422);
    }

    @Test
    void a_cursor_of_another_list_is_refused() {
        for (String name : List.of("a", "b")) {
            api.put("/jobs/default/" + name, "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        }
        String cursor = api.get("/jobs?limit=1").body().path("nextCursor").asText();
        assertThat(api.get("/jobs?limit=1&cursor=" + cursor).status()).isEqualTo(200);

        for (String list : List.of("/secrets", "/tasks", "/audit", "/jobs/default/a/versions", "/alerts/rules")) {
            Reply reply = api.get(list + "?cursor=" + cursor);
            assertThat(reply.status()).as(list + " " + reply.text()).isEqualTo(400);
            assertThat(reply.fields()).containsExactly("cursor");
        }
    }
}
