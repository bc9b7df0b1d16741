package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class CalendarEndpointTest {

    private static final String ONE = "/calendars/de-nw";
    private static final String WORKDAYS = "{\"week\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\"],"
            + " \"closed\": [{\"date\": \"--12-25\", \"name\": \"Christmas\"}]}";

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void forget() {
        api.update("delete from calendar");
        api.update("delete from calendar_version");
    }

    private static String job(String schedule, String more) {
        return "{\"schedule\": \"" + schedule + "\", \"command\": \"true\", \"calendar\": \"de-nw\"" + more + "}";
    }

    @Test
    void a_calendar_is_made_shown_listed_replaced_and_deleted() {
        Reply made = api.put(ONE, WORKDAYS);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/calendars/de-nw");
        assertThat(made.header("ETag")).isEqualTo("\"1\"");

        JsonNode shown = api.get(ONE).body();
        assertThat(shown.path("week")).hasSize(5);
        assertThat(shown.at("/closed/0/name").asText()).isEqualTo("Christmas");
        assertThat(shown.path("jobs").asInt(-1)).isZero();
        JsonNode listed = api.get("/calendars").body().at("/items/0");
        assertThat(listed.path("closed").asInt()).isEqualTo(1);

        assertThat(api.put(ONE, WORKDAYS).header("ETag")).as("as it was").isEqualTo("\"1\"");
        assertThat(api.put(ONE, "{\"closed\": []}").header("ETag")).isEqualTo("\"2\"");
        assertThat(api.call("DELETE", ONE, null).status()).isEqualTo(204);
        assertThat(api.get(ONE).status()).isEqualTo(404);
        assertThat(api.put(ONE, WORKDAYS).header("ETag"))
                .as("versions go on, as jobs of the past go by earlier ones")
                .isEqualTo("\"3\"");
    }

    @Test
    void every_form_of_a_date_is_given_back_as_it_was_sent() {
        String sent =
                "{\"open\": [{\"date\": \"--02-29\"}, {\"date\": {\"from\": \"2026-01-01\", \"to\": \"2026-01-06\"},"
                        + " \"name\": \"works holidays\"}, {\"date\": \"2026-12-25\"}], \"zone\": \"Asia/Shanghai\","
                        + " \"knownUntil\": \"2026-12-31\"}";
        api.put(ONE, sent);

        JsonNode shown = api.get(ONE).body();
        assertThat(shown.path("open").toString())
                .isEqualTo("[{\"date\":\"--02-29\"},{\"date\":{\"from\":\"2026-01-01\",\"to\":\"2026-01-06\"},"
                        + "\"name\":\"works holidays\"},{\"date\":\"2026-12-25\"}]");
        assertThat(shown.path("zone").asText()).isEqualTo("Asia/Shanghai");
        assertThat(shown.path("knownUntil").asText()).isEqualTo("2026-12-31");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"week": []}                                       | week           | leaves no day open
            {"closed": [{"date": {"from": "2020-01-01", "to": "9999-12-31"}}]} | closed | leaves no day open
            {"week": ["MON", "Tue"]}                           | week[1]        | is not one of MON
            {"week": "MON"}                                    | week           | must be a list
            {"closed": [{"date": "2026-02-29"}]}               | closed[0].date | there is no such day
            {"closed": [{"date": "25.12.2026"}]}               | closed[0].date | write a date like 2026-12-25
            {"closed": ["2026-12-25"]}                         | closed[0]      | must be an object such as
            {"closed": [{"name": "x"}]}                        | closed[0].date | is required
            {"closed": [{"date": {"from": "2026-01-02", "to": "2026-01-01"}}]} | closed[0].date | is before
            {"closed": [{"date": {"from": "2026-01-02"}}]}     | closed[0].date.to | is required
            {"closed": [{"date": {"from": "2026-01-02", "to": "2026-01-03", "x": 1}}]} | closed[0].date.x | is not a field
            {"open": [{"date": "2026-12-25", "title": "x"}]}   | open[0].title  | is not a field of a date
            {"zone": "Berlin"}                                 | zone           | Europe/Berlin
            {"knownUntil": "--12-31"}                          | knownUntil     | is not a date; write a date like 2026-12-25"
            {"holidays": []}                                   | holidays       | is not a field of a calendar
            """)
    void a_calendar_that_is_not_acceptable_is_not_made(String body, String field, String message) {
        Reply reply = api.put(ONE, body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.text()).contains(message);
        assertThat(api.get(ONE).status()).isEqualTo(404);
    }

    @Test
    void a_calendar_has_at_most_ten_thousand_dates() {
        String dates = IntStream.range(0, 10_000)
                .mapToObj(i -> "{\"date\": \"" + LocalDate.ofEpochDay(i) + "\"}")
                .collect(Collectors.joining(","));
        assertThat(api.put(ONE, "{\"closed\": [" + dates + "]}").status()).isEqualTo(201);
        Reply refused = api.put(ONE, "{\"closed\": [" + dates + "], \"open\": [{\"date\": \"2026-01-01\"}]}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains("more than 10000 dates");
    }

    @Test
    void a_condition_guards_each_change() {
        api.put(ONE, WORKDAYS);
        assertThat(api.call("PUT", ONE, "{}", "If-Match", "\"7\"").status()).isEqualTo(412);
        assertThat(api.call("PUT", ONE, "{}", "If-None-Match", "*").status()).isEqualTo(412);
        assertThat(api.call("DELETE", ONE, null, "If-Match", "\"7\"").status()).isEqualTo(412);
        assertThat(api.call("PUT", ONE, "{}", "If-Match", "\"1\"").status()).isEqualTo(200);
    }

    @Test
    void a_calendar_that_a_job_names_is_not_deleted() {
        api.put(ONE, WORKDAYS);
        api.put("/jobs/default/j", job("0 3 * * *", ""));

        Reply refused = api.call("DELETE", ONE, null);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("default/j");
        assertThat(api.get(ONE).body().path("jobs").asInt()).isEqualTo(1);

        api.call("PATCH", "/jobs/default/j", "{\"calendar\": null}");
        assertThat(api.call("DELETE", ONE, null).status()).isEqualTo(204);
    }

    @Test
    void a_job_cannot_name_a_calendar_that_is_not_there() {
        Reply reply = api.put("/jobs/default/j", job("0 3 * * *", ""));
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly("calendar");
        assertThat(reply.text()).contains("there is no calendar 'de-nw'; create it with PUT /api/v1/calendars/de-nw");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            0 3 * * SAT      |                           | calendar | leaves no fire time within 40 years
            @manual          |                           | schedule | takes no calendar
            @at 2030-01-01T00:00:00Z |                   | schedule | takes no calendar
            @every 1h        | , "onClosed": "NEXT"      | schedule | SKIP and RUN
            0 3 * * *        | , "onClosed": "SOMETIMES" | onClosed | is not one of SKIP, NEXT, PREVIOUS, RUN
            """)
    void a_schedule_that_makes_no_sense_with_a_calendar_is_refused(
            String schedule, String more, String field, String message) {
        api.put(ONE, WORKDAYS);
        Reply reply = api.put("/jobs/default/j", job(schedule, more == null ? "" : more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.text()).contains(message);
    }

    @Test
    void on_closed_needs_a_calendar() {
        Reply reply = api.put(
                "/jobs/default/j", "{\"schedule\": \"0 3 * * *\", \"command\": \"true\", \"onClosed\": \"NEXT\"}");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly("onClosed");
    }

    @Test
    void a_job_shows_its_calendars_as_they_were_sent_and_not_their_versions() {
        api.put(ONE, WORKDAYS);
        api.put("/calendars/us", "{}");
        Reply one = api.put("/jobs/default/j", job("0 3 1B * *", ", \"onClosed\": \"RUN\""));
        assertThat(one.status()).as(one.text()).isEqualTo(201);
        assertThat(one.body().path("calendar").asText()).isEqualTo("de-nw");
        assertThat(one.body().path("onClosed").asText()).isEqualTo("RUN");
        assertThat(one.body().has("calendarVersions")).isFalse();

        Reply two = api.call("PATCH", "/jobs/default/j", "{\"calendar\": [\"us\", \"de-nw\"]}");
        assertThat(two.body().path("calendar").toString()).isEqualTo("[\"us\",\"de-nw\"]");
        assertThat(api.call("PATCH", "/jobs/default/j", "{\"calendar\": [\"us\", \"de-nw\"]}")
                        .body()
                        .path("version")
                        .asInt())
                .as("as it was")
                .isEqualTo(2);
    }

    @Test
    void a_change_moves_the_jobs_that_name_the_calendar() {
        api.put(ONE, "{}");
        api.put("/jobs/default/j", job("0 3 * * *", ""));
        String tomorrow = api.get("/jobs/default/j").body().path("nextFireTime").asText();

        api.put(ONE, "{\"closed\": [{\"date\": \"" + tomorrow.substring(0, 10) + "\"}]}");

        JsonNode job = api.get("/jobs/default/j").body();
        assertThat(job.path("nextFireTime").asText()).isGreaterThan(tomorrow);
        assertThat(job.path("version").asInt()).isEqualTo(2);
    }

    @Test
    void a_change_that_leaves_jobs_without_any_fire_time_needs_force() {
        api.put(ONE, "{}");
        api.put("/jobs/default/j", job("0 3 * * SUN", ""));

        Reply refused = api.put(ONE, WORKDAYS);
        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.text()).contains("leaves 1 job without any fire time: default/j", "force=true");
        assertThat(api.get(ONE).body().path("version").asInt()).isEqualTo(1);

        assertThat(api.put(ONE + "?force=true", WORKDAYS).status()).isEqualTo(200);
        assertThat(api.get("/jobs/default/j").body().path("nextFireTime").isNull())
                .isTrue();
        assertThat(api.put(ONE + "?force=true", "{}").status()).isEqualTo(200);
        assertThat(api.get("/jobs/default/j").body().path("nextFireTime").isNull())
                .isFalse();
    }

    @Test
    void a_job_that_a_calendar_has_left_without_any_fire_time_can_be_edited() {
        api.put(ONE, "{}");
        api.put("/jobs/default/j", job("0 3 * * SUN", ""));
        api.put(ONE + "?force=true", WORKDAYS);

        Reply edited = api.call("PATCH", "/jobs/default/j", "{\"description\": \"of Sundays\"}");

        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            0 0 3 1 1 ? 2020 |
            0 3 * * *        | , "endAt": "2020-01-01T00:00:00Z", "startAt": "2019-01-01T00:00:00Z"
            """)
    void a_job_whose_years_are_over_can_name_a_calendar(String schedule, String more) {
        api.put(ONE, WORKDAYS);
        Reply saved = api.put("/jobs/default/j", job(schedule, more == null ? "" : more));
        assertThat(saved.status()).as(saved.text()).isEqualTo(201);
        assertThat(saved.body().path("warnings").toString()).contains("asks for no fire time any more");

        Reply edited = api.call("PATCH", "/jobs/default/j", "{\"command\": \"false\"}");

        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
    }

    @Test
    void what_a_calendar_says_beside_its_days_moves_no_job() {
        api.put(ONE, WORKDAYS);
        api.put("/jobs/default/j", job("0 3 * * *", ""));

        String described = WORKDAYS.replace("{\"week\"", "{\"description\": \"a\", \"week\"");
        assertThat(api.put(ONE, described).header("ETag")).isEqualTo("\"2\"");

        assertThat(api.get("/jobs/default/j").body().path("version").asInt()).isEqualTo(1);
        assertThat(api.put("/jobs/default/k", job("0 3 * * *", "")).status()).isEqualTo(201);
        api.put(ONE, "{\"week\": [\"SUN\"]}");
        assertThat(api.rows("select name, version from job order by name")).containsExactly("j 2", "k 2");
    }

    @Test
    void jobs_are_counted_by_whole_names_of_their_calendars() {
        for (String name : List.of("de", "de-nw", "nw")) {
            api.put("/calendars/" + name, "{}");
        }
        api.put("/jobs/default/one", job("0 3 * * *", ""));
        api.put("/jobs/default/two", job("0 3 * * *", "").replace("\"de-nw\"", "[\"nw\", \"de-nw\"]"));

        JsonNode listed = api.get("/calendars").body().path("items");
        assertThat(listed.findValuesAsText("name")).containsExactly("de", "de-nw", "nw");
        assertThat(listed.findValuesAsText("jobs")).containsExactly("0", "2", "1");
        assertThat(api.call("DELETE", "/calendars/de", null).status()).isEqualTo(204);
        assertThat(api.call("DELETE", "/calendars/nw", null).status()).isEqualTo(409);
    }

    @Test
    void a_dry_run_lists_the_fire_times_that_move_and_changes_nothing() {
        api.put(ONE, "{}");
        api.put("/jobs/default/daily", job("0 3 * * *", ""));
        api.put("/jobs/default/moved", job("0 3 25 12 *", ", \"onClosed\": \"NEXT\""));
        api.put("/jobs/default/often", job("*/5 * * * *", ""));

        JsonNode plan = api.put(ONE + "?dryRun=true", WORKDAYS).body();

        assertThat(plan.path("jobCount").asInt()).isEqualTo(3);
        assertThat(plan.at("/jobs/0/name").asText()).isEqualTo("daily");
        assertThat(plan.at("/jobs/0/removedCount").asInt()).isBetween(104, 107);
        assertThat(plan.at("/jobs/0/addedCount").asInt()).isZero();
        assertThat(plan.at("/jobs/1/added")).hasSize(1);
        assertThat(plan.at("/jobs/1/removed")).hasSize(1);
        assertThat(plan.at("/jobs/2/removedCount").asInt()).isGreaterThan(104 * 288 - 288);
        int told = 0;
        for (JsonNode job : plan.path("jobs")) {
            told += job.path("added").size() + job.path("removed").size();
        }
        assertThat(told).isEqualTo(1_000);
        assertThat(api.get(ONE).body().path("version").asInt()).isEqualTo(1);
    }

    @Test
    void a_change_is_audited_and_names_its_author() {
        api.put(ONE, "{}");
        api.put("/jobs/default/j", job("0 3 * * *", ""));
        api.put(ONE, WORKDAYS);

        JsonNode audit = api.get("/audit?kind=calendar").body().path("items");
        assertThat(audit.at("/0/action").asText()).isEqualTo("replace");
        assertThat(audit.at("/0/name").asText()).isEqualTo("de-nw");
        assertThat(audit.at("/0/after").toString()).contains("Christmas");
        JsonNode versions = api.get("/jobs/default/j/versions").body().path("items");
        assertThat(versions).hasSize(2);
        assertThat(versions.at("/0/changedBy").asText())
                .isEqualTo(versions.at("/1/changedBy").asText());
    }

    @Test
    void explain_says_that_a_day_is_closed() {
        api.put(ONE, WORKDAYS);
        api.put("/jobs/default/j", job("0 3 * * *", ""));

        JsonNode explained =
                api.get("/jobs/default/j/explain?at=2037-12-25T03:00:00Z").body();

        assertThat(explained.path("summary").asText()).contains("2037-12-25 is closed in de-nw (Christmas).");
    }

    @Test
    void explain_says_of_each_line_which_of_its_days_is_closed() {
        api.put(ONE, WORKDAYS);
        api.put(
                "/jobs/default/j",
                "{\"schedule\": [{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\"},"
                        + " {\"schedule\": \"0 4 * * *\", \"zone\": \"Asia/Shanghai\"}], \"command\": \"true\","
                        + " \"calendar\": \"de-nw\"}");

        // In Berlin, it is the evening of the 24th.
        assertThat(summaryOf("2037-12-24T20:00:00Z"))
                .contains("Line 2 of 2: 2037-12-25 is closed in de-nw (Christmas).")
                .doesNotContain("ine 1 of 2", "2037-12-24 is closed");
        assertThat(summaryOf("2037-12-25T02:00:00Z")).contains("Line 1 of 2: 2037-12-25 is closed in de-nw");
        assertThat(summaryOf("2037-12-25T12:00:00Z"))
                .as("no line asks for it on any day")
                .contains("2037-12-25 is closed in de-nw (Christmas).")
                .doesNotContain(" of 2");
    }

    private static String summaryOf(String at) {
        return api.get("/jobs/default/j/explain?at=" + at)
                .body()
                .path("summary")
                .asText();
    }

    @Test
    void a_preview_goes_by_calendars_and_the_schedule_says_so() {
        api.put(ONE, WORKDAYS);
        JsonNode preview = api.post(
                        "/schedules/preview",
                        "{\"schedule\": \"0 3 24-26 12 *\", \"calendar\": \"de-nw\", \"onClosed\": \"NEXT\","
                                + " \"from\": \"2026-12-01T00:00:00Z\", \"count\": 2}")
                .body();
        assertThat(preview.at("/fireTimes/0").asText()).startsWith("2026-12-24T03:00");
        assertThat(preview.at("/fireTimes/1").asText()).startsWith("2026-12-28T03:00");
        assertThat(preview.path("description").asText())
                .contains("from a day that is closed in de-nw it moves to the next open one");
    }

    @Test
    void a_job_warns_sixty_days_before_its_calendar_ends_whenever_it_is_read() {
        String soon = api.one("select utc_date() + interval 60 day");
        String later = api.one("select utc_date() + interval 62 day");
        api.put(ONE, "{\"knownUntil\": \"" + soon + "\"}");
        api.put("/calendars/later", "{\"knownUntil\": \"" + later + "\"}");
        Reply saved = api.put("/jobs/default/j", job("0 3 * * *", ""));
        Reply other = api.put("/jobs/default/later", job("0 3 * * *", "").replace("de-nw", "later"));

        String warning = "[\"calendar de-nw is known until " + soon
                + ": beyond that, only its weekdays are certain; add the dates that come after it\"]";
        assertThat(saved.body().path("warnings").toString()).isEqualTo(warning);
        assertThat(other.body().path("warnings")).isEmpty();
        assertThat(api.get("/jobs/default/j").body().path("warnings").toString())
                .isEqualTo(warning);
        JsonNode listed = api.get("/jobs").body().path("items");
        assertThat(listed.path(0).path("warnings").toString()).isEqualTo(warning);
        assertThat(listed.path(1).has("warnings")).isFalse();
        JsonNode plan = api.post("/plan", "{\"jobs\": [" + job("0 4 * * *", ", \"name\": \"j\"") + "]}")
                .body();
        assertThat(plan.at("/changes/0/warnings").toString()).contains("is known until " + soon);
    }
}
