package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.http.Json;
import dev.rowlock.task.rule.MovedFireTimes.ClockChange;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code …/versions}, {@code …/diff} and {@code …/rollback}. */
@Tag("database")
class VersionEndpointsTest {

    private static final String JOB = JobRows.JOB;

    @RegisterExtension
    static final Api api = new Api();

    private final JobRows rows = new JobRows(api);

    private static Reply rollback(int version, String... headers) {
        return api.post(JOB + "/rollback", "{\"version\": " + version + "}", headers);
    }

    private static List<String> changes(JsonNode fields) {
        List<String> changes = new ArrayList<>();
        fields.forEach(f -> changes.add(f.path("field").asText() + " " + f.path("before") + " " + f.path("after")));
        return changes;
    }

    @Test
    void versions_are_listed_newest_first_with_what_changed_page_by_page() {
        rows.put("0 3 * * *", ", \"env\": {\"A\": \"1\"}");
        rows.put("0 4 * * *", ", \"env\": {\"A\": \"2\"}");
        api.post(JOB + "/pause", "{\"reason\": \"a move\", \"until\": \"2090-01-01T00:00:00Z\"}");

        JsonNode first = api.get(JOB + "/versions?limit=2").body();
        JsonNode second = api.get(JOB + "/versions?limit=2&cursor="
                        + first.path("nextCursor").asText())
                .body();

        assertThat(first.path("items").findValuesAsText("version")).containsExactly("3", "2");
        assertThat(first.path("items").path(0).path("fields").toString())
                .isEqualTo("[\"paused\",\"pausedUntil\",\"pauseReason\"]");
        assertThat(first.path("items").path(0).path("inForce").asBoolean()).isTrue();
        assertThat(first.path("items").path(0).path("pauseReason").asText()).isEqualTo("a move");
        assertThat(first.path("items").path(1).path("fields").toString()).isEqualTo("[\"schedule\",\"env\"]");
        assertThat(first.path("items").path(1).path("validUntil"))
                .isEqualTo(first.path("items").path(0).path("validFrom"));
        assertThat(second.path("items").findValuesAsText("version")).containsExactly("1");
        assertThat(second.path("items").path(0).path("fields").toString()).isEqualTo("[]");
        assertThat(second.path("nextCursor").isNull()).isTrue();
    }

    @Test
    void a_list_of_large_definitions_goes_on_on_further_pages() {
        for (int i = 0; i < 8; i++) {
            rows.put(
                    "0 3 * * *",
                    ", \"stdin\": \"" + i + "x".repeat(60 * 1024) + "\", \"env\": {\"A\": \"" + "y".repeat(30 * 1024)
                            + "\"}");
        }
        api.update(
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, valid_until)"
                        + " select job_id, version + 8, namespace, name, definition, paused, valid_from, valid_from"
                        + " from job_version");

        List<String> seen = new ArrayList<>();
        String cursor = "";
        int pages = 0;
        do {
            JsonNode page = api.get(JOB + "/versions" + cursor).body();
            seen.addAll(page.path("items").findValuesAsText("version"));
            cursor = page.path("nextCursor").isNull()
                    ? ""
                    : "?cursor=" + page.path("nextCursor").asText();
            pages++;
        } while (!cursor.isEmpty());

        assertThat(seen).hasSize(16).startsWith("16", "15").endsWith("2", "1");
        assertThat(pages).isEqualTo(2);
    }

    @Test
    void one_version_shows_its_whole_definition() {
        rows.put("0 3 * * *", ", \"description\": \"first\"");
        rows.put("0 4 * * *", "");

        JsonNode one = api.get(JOB + "/versions/1").body();

        assertThat(one.path("version").asInt()).isEqualTo(1);
        assertThat(one.path("inForce").asBoolean()).isFalse();
        assertThat(one.path("definition").path("description").asText()).isEqualTo("first");
        assertThat(one.path("definition").path("onLost").asText()).isEqualTo("RERUN");
        Reply again = api.put(JOB, one.path("definition").toString());
        assertThat(again.body().path("schedule").asText()).isEqualTo("0 3 * * *");
    }

    @Test
    void a_difference_names_each_field_and_entry_with_what_it_was() {
        rows.put(
                "0 3 * * *",
                ", \"env\": {\"A\": \"1\", \"B\": \"1\"}, \"labels\": {\"team\": \"a\"}, \"timeout\": \"5m\","
                        + " \"retry\": {\"max\": 2}, \"successExitCodes\": [0]");
        rows.put(
                "0 3 * * *",
                ", \"env\": {\"A\": \"2\", \"C\": \"1\"}, \"labels\": {\"team\": \"b\"}, \"priority\": 3,"
                        + " \"retry\": {\"max\": 3}, \"successExitCodes\": [0, 3], \"overlap\": \"ALLOW\","
                        + " \"endAt\": \"2090-01-01T00:00:00Z\", \"paused\": true");

        JsonNode diff = api.get(JOB + "/versions/1/diff?to=2").body();

        assertThat(changes(diff.path("fields")))
                .containsExactly(
                        "labels.team \"a\" \"b\"",
                        "env.A \"1\" \"2\"",
                        "env.B \"1\" null",
                        "env.C null \"1\"",
                        "timeout \"5m\" null",
                        "retry.max 2 3",
                        "overlap \"SKIP\" \"ALLOW\"",
                        "priority 0 3",
                        "endAt null \"2090-01-01T00:00:00.000Z\"",
                        "successExitCodes [0] [0,3]",
                        "paused false true");
        assertThat(diff.path("fireTimes").path("addedCount").asInt()).isZero();
        assertThat(diff.path("fireTimes").path("removedCount").asInt()).isZero();
        assertThat(diff.path("warnings").toString()).contains("the job is paused");
    }

    @Test
    void a_difference_tells_the_fire_times_of_a_week_that_appear_and_vanish() {
        rows.put("0 3 * * *", "");
        rows.put("0 3,15 * * 1-6", "");
        rows.put("*/10 * * * * *", "");

        JsonNode days = api.get(JOB + "/versions/1/diff?to=2").body();
        JsonNode back = api.get(JOB + "/versions/2/diff?to=1").body();
        JsonNode many = api.get(JOB + "/versions/2/diff").body();

        assertThat(days.path("fireTimes").path("addedCount").asInt()).isEqualTo(6);
        assertThat(days.path("fireTimes").path("added"))
                .allMatch(t -> t.asText().contains("T15:00:00.000Z"));
        assertThat(days.path("fireTimes").path("removed"))
                .allMatch(t -> t.asText().contains("T03:00:00.000Z"));
        assertThat(days.path("fireTimes").path("removedCount").asInt()).isEqualTo(1);
        assertThat(back.path("fireTimes").path("removed"))
                .isEqualTo(days.path("fireTimes").path("added"));
        assertThat(many.path("to").asInt()).isEqualTo(3);
        assertThat(many.path("fireTimes").path("added").size()).isEqualTo(1000);
        assertThat(many.path("fireTimes").path("addedCount").asInt()).isEqualTo(7 * 24 * 360 - 12);
    }

    @Test
    void a_change_of_clocks_is_told_with_its_day_and_offsets() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        Instant at = Instant.parse("2026-10-25T01:00:00Z");
        assertThat(Json.tree(new ClockChange("2026-10-25", zone, at, ZoneOffset.ofHours(2), ZoneOffset.ofHours(1)))
                        .toString())
                .isEqualTo("{\"day\":\"2026-10-25\",\"zone\":\"Europe/Berlin\",\"at\":\"2026-10-25T01:00:00.000Z\","
                        + "\"from\":\"+02:00\",\"to\":\"+01:00\"}");
    }

    @Test
    void every_counts_from_the_creation_of_the_job_that_had_the_version() {
        rows.create("@every 1h");
        api.update("update job set created_at = created_at - interval 17 minute");
        api.update("update job_version set valid_from = valid_from - interval 17 minute");
        api.call("DELETE", JOB, null);
        rows.put("@every 1h", "");

        JsonNode diff = api.get(JOB + "/versions/1/diff?to=2").body();

        assertThat(diff.path("fields").size()).isZero();
        assertThat(diff.path("fireTimes").path("addedCount").asInt()).isEqualTo(7 * 24);
        assertThat(diff.path("fireTimes").path("removedCount").asInt()).isEqualTo(7 * 24);
    }

    @Test
    void a_rollback_is_a_new_version_with_the_old_definition_and_runs() {
        rows.put("@every 1m", ", \"env\": {\"A\": \"1\"}");
        rows.put("@every 2m", ", \"user\": null");
        rows.acquire(1);

        Reply reply = rollback(1, "If-Match", "\"2\"");

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("ETag")).isEqualTo("\"3\"");
        assertThat(reply.body().path("schedule").asText()).isEqualTo("@every 1m");
        assertThat(reply.body().path("env").path("A").asText()).isEqualTo("1");
        assertThat(rows.states()).endsWith("IDLE*");
        rows.chainIsClosed();
        assertThat(api.rows("select version, valid_until is null from job_version order by version"))
                .containsExactly("1 0", "2 0", "3 1");
        Reply run = api.post(JOB + "/run", "");
        assertThat(run.body().path("jobVersion").asInt()).isEqualTo(3);
        assertThat(rollback(3).header("ETag")).isEqualTo("\"3\"");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("3");
    }

    @Test
    void a_rollback_leaves_the_pause_as_it_is() {
        rows.put("0 3 * * *", "");
        rows.put("0 4 * * *", "");
        api.post(JOB + "/pause", "{\"reason\": \"a move\"}");

        Reply paused = rollback(1);
        api.post(JOB + "/resume", "");
        Reply resumed = rollback(3);

        assertThat(paused.body().path("paused").asBoolean()).isTrue();
        assertThat(paused.body().path("pauseReason").asText()).isEqualTo("a move");
        assertThat(paused.body().path("schedule").asText()).isEqualTo("0 3 * * *");
        assertThat(resumed.body().path("paused").asBoolean()).isFalse();
        assertThat(resumed.body().path("schedule").asText()).isEqualTo("0 4 * * *");
    }

    @Test
    void a_rollback_of_a_job_that_others_changed_is_refused() {
        rows.put("0 3 * * *", "");
        rows.put("0 4 * * *", "");
        rows.put("0 5 * * *", "");

        assertThat(rollback(1, "If-Match", "\"2\"").status()).isEqualTo(412);
        assertThat(api.get(JOB).body().path("version").asInt()).isEqualTo(3);
    }

    @Test
    void a_deleted_job_is_not_rolled_back_but_its_versions_tell_how_to_make_it_again() {
        rows.put("0 3 * * *", "");
        api.call("DELETE", JOB, null);

        Reply reply = rollback(1);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text()).contains("was deleted", "versions/1");
        assertThat(api.get(JOB + "/versions").body().path("items").findValuesAsText("version"))
                .containsExactly("1");
        String definition =
                api.get(JOB + "/versions/1").body().path("definition").toString();
        assertThat(api.put(JOB, definition).body().path("version").asInt()).isEqualTo(2);
        assertThat(rollback(1).status()).isEqualTo(200);
    }

    @Test
    void an_old_definition_is_checked_as_if_it_were_sent_now() {
        api.put("/groups/g", "{\"limit\": 1}");
        rows.put("0 3 * * *", ", \"group\": \"g\"");
        rows.put("0 4 * * *", "");
        api.call("DELETE", "/groups/g", null);
        api.update("update job_version set definition = json_set(definition, '$.endAt', '2020-01-01T00:00:00.000Z',"
                + " '$.startAt', '2021-01-01T00:00:00.000Z') where version = 2");
        rows.put("0 5 * * *", "");

        assertThat(rollback(1).fields()).containsExactly("group");
        assertThat(rollback(2).fields()).containsExactly("endAt");
        assertThat(rollback(1).status()).isEqualTo(422);
        assertThat(api.get(JOB).body().path("version").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /jobs/default/a/versions/9           | 404 | the newest is 1
            /jobs/default/a/versions/0           | 404 | whole numbers
            /jobs/default/a/versions/x           | 404 | whole numbers
            /jobs/default/a/versions/1/diff?to=9 | 404 | the newest is 1
            /jobs/default/a/versions/1/diff?to=x | 400 | must be a whole number
            /jobs/default/a/versions?limit=0     | 400 | must be a whole number
            /jobs/default/a/versions?cursor=x    | 400 | is not one that this server gave out for this list
            /jobs/default/b/versions             | 404 | there is no job default/b
            /jobs/default/b/versions/1           | 404 | there is no job default/b
            """)
    void what_is_not_there_or_makes_no_sense_is_said(String path, int status, String message) {
        rows.put("0 3 * * *", "");

        Reply reply = api.get(path);

        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                            | version  | is required
            {"version": 9}                | version  | the newest is 1
            {"version": "1"}              | version  | must be a whole number
            {"version": 1, "versoin": 1}  | versoin  | is not a field of a rollback
            """)
    void a_rollback_that_makes_no_sense_is_refused_by_field(String body, String field, String message) {
        rows.put("0 3 * * *", "");

        Reply reply = api.post(JOB + "/rollback", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.text()).contains(message);
    }
}
