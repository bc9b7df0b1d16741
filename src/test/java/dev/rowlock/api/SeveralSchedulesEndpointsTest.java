package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job with a list of schedules, as it is saved, shown, planned, changed and explained. */
@Tag("database")
class SeveralSchedulesEndpointsTest {

    private static final String LINES =
            "[\"0 3 * * *\", {\"schedule\": \"0 3 * * *\", \"zone\": \"Asia/Tokyo\", \"env\": {\"A\": \"1\"}}]";

    @RegisterExtension
    static final Api api = new Api();

    private static String job(String schedule) {
        return "{\"schedule\": " + schedule + ", \"zone\": \"Europe/Berlin\", \"command\": \"true\"}";
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void what_was_sent_is_given_back_and_sending_it_again_changes_nothing() throws Exception {
        Reply saved = api.put("/jobs/default/a", job(LINES));
        assertThat(saved.status()).as(saved.text()).isEqualTo(201);
        assertThat(saved.body().path("schedule")).isEqualTo(json(LINES));

        JsonNode job = api.get("/jobs/default/a").body();
        assertThat(job.path("schedule")).isEqualTo(json(LINES));
        assertThat(job.path("nextFireTimeLocal").asText()).contains("T03:00:00+");
        assertThat(api.put("/jobs/default/a", job.toString())
                        .body()
                        .path("version")
                        .asInt())
                .isEqualTo(1);
        assertThat(api.get("/jobs").body().at("/items/0/schedule")).isEqualTo(json(LINES));
    }

    @Test
    void previews_and_next_fire_times_are_those_of_all_lines_each_in_its_zone() {
        Reply preview = api.post(
                "/schedules/preview",
                "{\"schedule\": " + LINES + ", \"zone\": \"Europe/Berlin\", \"from\": \"2026-01-01T00:00:00Z\","
                        + " \"count\": 3}");
        assertThat(preview.status()).as(preview.text()).isEqualTo(200);
        assertThat(preview.body().path("fireTimes").toString())
                .isEqualTo("[\"2026-01-01T02:00:00.000Z\",\"2026-01-01T18:00:00.000Z\",\"2026-01-02T02:00:00.000Z\"]");
        assertThat(preview.body().path("local").findValuesAsText("local").toString())
                .isEqualTo("[2026-01-01T03:00:00+01:00, 2026-01-02T03:00:00+09:00, 2026-01-02T03:00:00+01:00]");
        assertThat(preview.body().path("local").findValuesAsText("zone"))
                .containsExactly("Europe/Berlin", "Asia/Tokyo", "Europe/Berlin");
        assertThat(preview.body().path("schedule").asText()).isEqualTo("0 3 * * *\nTZ=Asia/Tokyo 0 3 * * *");
        assertThat(preview.body().path("description").asText())
                .startsWith("line 1: at 03:00")
                .contains("; line 2: at 03:00 every day, Asia/Tokyo time");
        assertThat(preview.body().path("warnings").findValuesAsText(""))
                .allMatch(said -> said.startsWith("line 1: on "));

        api.put("/jobs/default/a", job(LINES));
        JsonNode next = api.get("/jobs/default/a/next?count=3&from=2026-01-01T00:00:00Z")
                .body();
        assertThat(next.path("local")).isEqualTo(preview.body().path("local"));
    }

    @Test
    void a_plan_tells_the_fire_times_that_a_line_adds() {
        api.put("/jobs/default/a", job("\"0 3 * * *\""));

        JsonNode change = api.post(
                        "/plan",
                        "{\"days\": 7, \"jobs\": [{\"name\": \"a\", "
                                + job(LINES).substring(1) + "]}")
                .body()
                .at("/changes/0");

        assertThat(change.at("/fields/0/field").asText()).isEqualTo("schedule");
        assertThat(change.at("/fields/0/before").asText()).isEqualTo("0 3 * * *");
        assertThat(change.at("/fields/0/after").size()).isEqualTo(2);
        assertThat(change.at("/fireTimes/addedCount").asInt()).isBetween(6, 8);
        assertThat(change.at("/fireTimes/removedCount").asInt()).isZero();
    }

    @Test
    void variables_of_a_line_change_without_moving_a_fire_time() {
        api.put("/jobs/default/a", job(LINES));
        String cursor = "select concat(fire_time, ' ', task_id) from job_next";
        Object before = api.rows(cursor);

        Reply patched = api.call("PATCH", "/jobs/default/a", "{\"schedule\": " + LINES.replace("\"1\"", "\"2\"") + "}");

        assertThat(patched.body().at("/schedule/1/env/A").asText()).isEqualTo("2");
        assertThat(patched.body().path("version").asInt()).isEqualTo(2);
        assertThat(api.rows(cursor)).isEqualTo(before);
        assertThat(api.rows("select count(*) from task_history")).containsExactly("0");
    }

    @Test
    void an_explanation_names_the_line_that_asks() {
        api.put("/jobs/default/a", job(LINES));

        JsonNode of = api.get("/jobs/default/a/explain?at=2999-01-01T18:00:00Z").body();
        assertThat(of.at("/schedule/asksForIt").asBoolean()).isTrue();
        assertThat(of.at("/schedule/zone").asText()).isEqualTo("Asia/Tokyo");
        assertThat(of.at("/schedule/local").asText()).isEqualTo("2999-01-02T03:00:00+09:00");
        assertThat(of.at("/schedule/description").asText())
                .startsWith("line 2 of 2: at 03:00 every day, Asia/Tokyo time");
        assertThat(of.at("/schedule/before").asText()).isEqualTo("2999-01-01T02:00:00.000Z");
        assertThat(of.at("/schedule/after").asText()).isEqualTo("2999-01-02T02:00:00.000Z");

        JsonNode not =
                api.get("/jobs/default/a/explain?at=2999-01-01T17:00:00Z").body();
        assertThat(not.path("verdict").asText()).isEqualTo("NOT_ASKED_FOR");
        assertThat(not.path("summary").asText()).contains("line 1: at 03:00", "line 2: at 03:00 every day, Asia/Tokyo");
    }

    @Test
    void a_forecast_counts_the_starts_of_all_lines() {
        api.put("/jobs/default/a", job("[\"*/10 * * * *\", \"5 * * * *\", \"0 * * * *\"]"));

        JsonNode forecast = api.get("/forecast?hours=4").body();
        int starts = 0;
        for (JsonNode bucket : forecast.path("buckets")) {
            starts += bucket.path("starts").asInt();
        }
        assertThat(forecast.path("notUnderstood").asInt()).isZero();
        assertThat(starts).as(forecast.toString()).isEqualTo(4 * 7);
    }
}
