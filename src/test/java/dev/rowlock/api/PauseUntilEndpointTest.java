package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a pause: until when, and why. */
@Tag("database")
class PauseUntilEndpointTest {

    private static final String UNTIL = "2126-01-01T06:00:00.000Z";
    private static final String PAUSE = "{\"until\": \"2126-01-01T07:00:00+01:00\", \"reason\": \"new disks\"}";

    @RegisterExtension
    static final Api api = new Api();

    private static final JobRows rows = new JobRows(api);

    @Test
    void it_shows_in_the_job_and_in_its_version_and_says_why_its_tasks_wait() {
        rows.create("@every 1m");
        int wakes = api.wakes();

        Reply paused = api.post(JobRows.JOB + "/pause", PAUSE);

        assertThat(paused.status()).as(paused.text()).isEqualTo(200);
        isPaused(paused, UNTIL, "new disks");
        isPaused(api.get(JobRows.JOB), UNTIL, "new disks");
        assertThat(api.get("/jobs")
                        .body()
                        .path("items")
                        .get(0)
                        .path("pausedUntil")
                        .asText())
                .isEqualTo(UNTIL);
        assertThat(
                        api.rows(
                                "select version, paused, date_format(paused_until, '%Y-%m-%d %H:%i:%s'), pause_reason from job_version order by version"))
                .containsExactly("1 0 null null", "2 1 2126-01-01 06:00:00 new disks");
        assertThat(api.rows("select date_format(paused_until, '%Y-%m-%d %H:%i:%s'), pause_reason from v_job"))
                .containsExactly("2126-01-01 06:00:00 new disks");
        Reply task = api.get("/tasks?job=default/a&state=IDLE");
        assertThat(task.body().path("items").get(0).path("hold").asText()).isEqualTo("PAUSE");
        assertThat(task.body().path("items").get(0).path("holdReason").asText())
                .isEqualTo("the job is paused until 2126-01-01T06:00:00Z: new disks");
        assertThat(api.wakes()).isGreaterThan(wakes);
    }

    @Test
    void a_new_pause_takes_its_place_and_a_resume_takes_it_away() {
        rows.create("@every 1m");
        api.post(JobRows.JOB + "/pause", PAUSE);

        Reply again = api.post(JobRows.JOB + "/pause", PAUSE);
        assertThat(again.header("ETag")).isEqualTo("\"2\"");
        isPaused(api.post(JobRows.JOB + "/pause", "{\"reason\": \"for good\"}"), null, "for good");
        isPaused(api.post(JobRows.JOB + "/pause", ""), null, null);
        api.post(JobRows.JOB + "/pause", PAUSE);

        Reply resumed = api.post(JobRows.JOB + "/resume", "");
        assertThat(resumed.body().path("pausedUntil").isNull()).isTrue();
        assertThat(resumed.body().path("pauseReason").isNull()).isTrue();
        assertThat(api.rows("select paused, paused_until, pause_reason from job"))
                .containsExactly("0 null null");
    }

    @Test
    void an_edit_keeps_it_unless_it_resumes_the_job() {
        rows.create("@every 1m");
        api.post(JobRows.JOB + "/pause", PAUSE);

        isPaused(rows.put("@every 2m", ""), UNTIL, "new disks");
        isPaused(api.call("PATCH", JobRows.JOB, "{\"paused\": true, \"command\": \"x\"}"), UNTIL, "new disks");
        isPaused(api.put(JobRows.JOB, api.get(JobRows.JOB).text().replace("\"x\"", "\"y\"")), UNTIL, "new disks");
        Reply resumed = api.call("PATCH", JobRows.JOB, "{\"paused\": false}");
        assertThat(resumed.body().path("pausedUntil").isNull()).isTrue();
        isPaused(api.call("PATCH", JobRows.JOB, "{\"paused\": true}"), null, null);
        assertThat(api.post(JobRows.JOB + "/reschedule", "").status()).isEqualTo(200);
    }

    @Test
    void rescheduling_keeps_it() {
        rows.create("@every 1m");
        api.post(JobRows.JOB + "/pause", PAUSE);

        isPaused(api.post(JobRows.JOB + "/reschedule", ""), UNTIL, "new disks");
        assertThat(api.rows("select date_format(paused_until, '%Y-%m-%d %H:%i:%s') from job"))
                .containsExactly("2126-01-01 06:00:00");
    }

    @Test
    void a_past_end_is_refused_with_the_time_that_it_is() {
        rows.create("@every 1m");

        Reply reply = api.post(JobRows.JOB + "/pause", "{\"until\": \"2020-01-01T00:00:00Z\"}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly("until");
        assertThat(reply.text()).contains("must lie ahead: it is 20").contains("leave it out");
        assertThat(api.rows("select paused, version from job")).containsExactly("0 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"until": "tomorrow"}                   | 422 | until
            {"until": 5}                            | 422 | until
            {"until": "0001-01-01T00:00:00Z"}       | 422 | until
            {"reason": 5}                           | 422 | reason
            {"why": "x"}                            | 422 | why
            {"until": 5, "reason": 5}               | 422 | until,reason
            """)
    void what_is_wrong_is_named(String body, int status, String fields) {
        rows.create("@every 1m");
        Reply reply = api.post(JobRows.JOB + "/pause", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(String.join(",", reply.fields())).isEqualTo(fields);
        assertThat(api.post(JobRows.JOB + "/pause", "{\"reason\": \"" + "x".repeat(501) + "\"}")
                        .fields())
                .containsExactly("reason");
        assertThat(api.post(JobRows.JOB + "/pause", "[]").status()).isEqualTo(400);
        assertThat(api.rows("select paused from job")).containsExactly("0");
    }

    @Test
    void it_needs_a_job_and_obeys_a_precondition() {
        assertThat(api.post(JobRows.JOB + "/pause", PAUSE).status()).isEqualTo(404);
        rows.create("@every 1m");
        assertThat(api.post(JobRows.JOB + "/pause", PAUSE, "If-Match", "\"7\"").status())
                .isEqualTo(412);
        assertThat(api.post(JobRows.JOB + "/pause", PAUSE, "If-Match", "\"1\"").status())
                .isEqualTo(200);
    }

    private static void isPaused(Reply reply, String until, String reason) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("state").asText()).isEqualTo("PAUSED");
        assertThat(reply.body().path("pausedUntil").asText(null)).isEqualTo(until);
        assertThat(reply.body().path("pauseReason").asText(null)).isEqualTo(reason);
    }
}
