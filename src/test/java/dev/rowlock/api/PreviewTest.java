package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code POST /schedules/preview} and {@code GET …/next}, asked by somebody who sends what nobody would. */
@Tag("database")
class PreviewTest {

    @RegisterExtension
    static final Api api = new Api();

    private static Reply preview(String body) {
        return api.post("/schedules/preview", body);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "from": "2026-03-10T12:04:59.999999999Z"          | 2026-03-10T12:05:00.000Z
            "from": "2026-03-10T12:05:00Z"                    | 2026-03-10T12:10:00.000Z
            "from": "2026-03-10T12:05:00.000000001Z"          | 2026-03-10T12:10:00.000Z
            "from": "2026-03-10T17:34+05:30"                  | 2026-03-10T12:05:00.000Z
            "from": "2026-03-11T06:04:00+18:00"               | 2026-03-10T12:05:00.000Z
            "from": "2026-03-09T18:04:00-18:00"               | 2026-03-10T12:05:00.000Z
            "from": "1970-01-01T00:00:00Z"                    | 1970-01-01T00:05:00.000Z
            "from": "9998-12-31T23:55:00Z"                    | 9999-01-01T00:00:00.000Z
            "from": "2026-03-10T12:04:00Z", "zone": null      | 2026-03-10T12:05:00.000Z
            """)
    void the_first_fire_time_is_later_than_from_whatever_its_offset_and_fraction(String more, String first) {
        Reply reply = preview("{\"schedule\": \"*/5 * * * *\", \"count\": 1, " + more + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("fireTimes").toString()).isEqualTo("[\"" + first + "\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "schedule": 5                                     | schedule       | must be a string, not a number
            "schedule": []                                    | schedule       | must have 1 to 20 lines, not 0
            "schedule": ["0 3 * * *", "0 3 * *"]              | schedule[1]    | did you mean "0 3 * * *"?
            "schedule": true                                  | schedule       | must be a string
            "schedule": ""                                    | schedule       | is required
            "schedule": "TZ=Berlin 0 3 * * *"                 | schedule       | did you mean "Europe/Berlin"?
            "schedule": "0 3 * *"                             | schedule       | did you mean "0 3 * * *"?
            "schedule": "0 3 * * *", "zone": "Europe/Berln"   | zone           | did you mean "Europe/Berlin"?
            "schedule": "0 3 * * *", "zone": 5                | zone           | must be a string such as
            "schedule": "0 3 * * *", "daylightSaving": "shft" | daylightSaving | is not one of SHIFT, PLAIN; did you mean 'SHIFT'?
            "schedule": "0 3 * * *", "count": 0               | count          | from 1 to 1000
            "schedule": "0 3 * * *", "count": 1001            | count          | from 1 to 1000
            "schedule": "0 3 * * *", "count": 1.5             | count          | from 1 to 1000
            "schedule": "0 3 * * *", "count": "5"             | count          | from 1 to 1000
            "schedule": "0 3 * * *", "count": 99999999999     | count          | from 1 to 1000
            "schedule": "0 3 * * *", "from": 5                | from           | must be a string such as
            "schedule": "0 3 * * *", "from": "2026-03-10"     | from           | is no whole time; write it like
            "schedule": "0 3 * * *", "from": "0001-01-01T00:00:00Z" | from     | between the years 1970 and 9998
            "schedule": "0 3 * * *", "from": "9999-12-31T00:00:00Z" | from     | between the years 1970 and 9998
            "schedule": "0 3 * * *", "fromm": "2026-03-10"    | fromm          | did you mean 'from'?
            """)
    void what_is_wrong_is_named(String fields, String field, String message) {
        Reply reply = preview("{" + fields + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.body().path("errors").findValuesAsText("message").toString())
                .contains(message);
    }

    @Test
    void a_huge_schedule_is_refused_without_being_repeated() {
        Reply reply = preview("{\"schedule\": \"" + "*/5,".repeat(10_000) + "1 * * * *\"}");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.text().length()).isLessThan(1000);
    }

    @Test
    void a_thousand_fire_times_are_told_and_a_prefix_outweighs_the_zone() {
        Reply reply =
                preview("{\"schedule\": \"TZ=Asia/Tokyo 0 3 * * *\", \"zone\": \"Europe/Berlin\", \"count\": 1000,"
                        + " \"from\": \"2026-01-01T00:00:00Z\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("fireTimes").size()).isEqualTo(1000);
        assertThat(reply.body().path("fireTimes").path(0).asText()).isEqualTo("2026-01-01T18:00:00.000Z");
        assertThat(reply.body().path("zone").asText()).isEqualTo("Asia/Tokyo");
        assertThat(reply.body().path("warnings").toString()).contains("zone Europe/Berlin does not");
    }

    @Test
    void a_schedule_whose_time_is_over_has_no_fire_times_and_a_warning() {
        Reply reply = preview("{\"schedule\": \"0 0 0 1 1 ? 2020\", \"from\": \"2026-01-01T00:00:00Z\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("fireTimes").size()).isZero();
        assertThat(reply.body().path("warnings").toString()).contains("never fires after");
    }

    @Test
    void fire_times_are_also_told_as_the_clocks_show_them_there() {
        Reply reply = preview("{\"schedule\": \"30 2 * * *\", \"zone\": \"Europe/Berlin\", \"count\": 2,"
                + " \"from\": \"2026-03-27T12:00:00Z\"}");
        assertThat(reply.body().path("fireTimes").toString())
                .isEqualTo("[\"2026-03-28T01:30:00.000Z\",\"2026-03-29T01:00:00.000Z\"]");
        assertThat(reply.body().path("local").toString())
                .isEqualTo("[{\"at\":\"2026-03-28T01:30:00.000Z\",\"local\":\"2026-03-28T02:30:00+01:00\","
                        + "\"zone\":\"Europe/Berlin\",\"offset\":\"+01:00\"},"
                        + "{\"at\":\"2026-03-29T01:00:00.000Z\",\"local\":\"2026-03-29T03:00:00+02:00\","
                        + "\"zone\":\"Europe/Berlin\",\"offset\":\"+02:00\"}]");
    }

    @Test
    void a_job_shows_its_next_fire_time_where_its_schedule_is_meant() {
        api.put(
                "/jobs/n/tokyo",
                "{\"schedule\": \"TZ=Asia/Tokyo 0 0 3 1 1 ? 2098\", \"zone\": \"Europe/Berlin\", \"command\": \"x\"}");
        api.put("/jobs/n/utc", "{\"schedule\": \"@at 2126-01-01T00:00:00.250Z\", \"command\": \"x\"}");
        api.put("/jobs/n/never", "{\"schedule\": \"@manual\", \"command\": \"x\"}");
        assertThat(api.get("/jobs/n/tokyo").body().path("nextFireTimeLocal").asText())
                .isEqualTo("2098-01-01T03:00:00+09:00");
        assertThat(api.get("/jobs/n/utc").body().path("nextFireTimeLocal").asText())
                .isEqualTo("2126-01-01T00:00:00.25+00:00");
        assertThat(api.get("/jobs/n/never").body().path("nextFireTimeLocal").isNull())
                .isTrue();
        assertThat(api.get("/jobs/n/tokyo/next")
                        .body()
                        .path("local")
                        .get(0)
                        .path("local")
                        .asText())
                .isEqualTo("2098-01-01T03:00:00+09:00");
    }

    @Test
    void all_that_is_wrong_in_a_question_is_told_at_once() {
        api.put("/jobs/n/a", "{\"schedule\": \"0 3 * * *\", \"command\": \"x\"}");
        assertThat(api.get("/jobs/n/a/next?count=0&from=lately").fields()).containsExactly("count", "from");
        assertThat(api.get("/tasks?state=X&outcome=X&since=lately&limit=0").fields())
                .containsExactly("state", "outcome", "since", "limit");
        assertThat(api.get("/jobs?state=X&limit=0&label=").fields()).containsExactly("limit", "state", "label");
        assertThat(api.get("/jobs/n/a/next?count=0&from=lately").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "from=0001-01-01T00:00:00Z, from",
        "from=9999-12-31T00:00:00Z, from",
        "from=2026-01-01T00:00:00+01:00, from",
        "from=, from",
        "count=1001, count",
        "count=-1, count",
        "count=1&count=2, count",
        "zone=Mars, zone"
    })
    void what_is_wrong_in_a_question_for_the_next_fire_times_is_named(String query, String field) {
        api.put("/jobs/n/a", "{\"schedule\": \"0 3 * * *\", \"command\": \"x\"}");
        Reply reply = api.get("/jobs/n/a/next?" + query);
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly(field);
    }
}
