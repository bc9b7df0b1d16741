package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jobs that do not go on though nobody paused them: the database refused what was to be written, or a newer version
 * wrote their definition.
 */
@Tag("database")
class HoldTest {

    private static final String JOB = "/jobs/default/a";
    private static final String PLAIN = "{\"name\": \"a\", \"schedule\": \"0 3 * * *\", \"command\": \"true\"}";

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void a_job_that_goes_on_has_no_hold() {
        create();

        assertThat(api.get(JOB).body().path("hold").isNull()).isTrue();
    }

    @Test
    void what_is_set_aside_shows_in_its_job_with_the_reason_and_the_next_try() {
        setAside();

        for (Reply reply : new Reply[] {api.get(JOB), api.get("/jobs")}) {
            var job = reply.body().has("items") ? reply.body().path("items").get(0) : reply.body();
            assertThat(job.path("state").asText()).isEqualTo("IDLE");
            assertThat(job.path("hold").path("kind").asText()).isEqualTo("SET_ASIDE");
            assertThat(job.path("hold").path("reason").asText()).isEqualTo("cannot be prepared: Data too long");
            assertThat(job.path("hold").path("tasks").asInt()).isEqualTo(1);
            assertThat(job.path("hold").path("nextTryAt").asText()).startsWith("2126-");
        }
    }

    @Test
    void what_waits_for_a_node_shows_in_its_job_with_what_was_looked_for() {
        create();
        api.update("update live_task set due_at = utc_timestamp(3) + interval 1 minute,"
                + " hold = 'NODE', hold_reason = 'no node that takes work matches gpu=yes; alive: a'");

        for (Reply reply : new Reply[] {api.get(JOB), api.get("/jobs")}) {
            var job = reply.body().has("items") ? reply.body().path("items").get(0) : reply.body();
            assertThat(job.path("hold").path("kind").asText()).isEqualTo("NODE");
            assertThat(job.path("hold").path("reason").asText()).contains("matches gpu=yes");
        }
        assertThat(api.get(JOB + "/explain").status()).isEqualTo(200);
    }

    @Test
    void it_is_released_by_a_call() {
        setAside();
        int wakes = api.wakes();

        Reply released = api.post(JOB + "/release", null);

        assertThat(released.status()).isEqualTo(200);
        assertThat(released.body().path("hold").isNull()).isTrue();
        assertThat(released.body().path("version").asInt()).isEqualTo(1);
        assertThat(api.rows("select due_at = fire_time, hold from live_task")).containsExactly("1 null");
        assertThat(api.rows("select look_at <= utc_timestamp(3) from task_aside"))
                .containsExactly("1");
        assertThat(api.wakes()).isGreaterThan(wakes);
        assertThat(released.body().path("released").asInt()).isEqualTo(1);
        assertThat(released.body().path("warnings")).isEmpty();
        Reply again = api.post(JOB + "/release", null);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().path("released").asInt()).isZero();
        assertThat(again.body().path("warnings").get(0).asText()).contains("nothing to release");
    }

    @Test
    void it_is_released_by_an_edit_and_by_a_resume() {
        setAside();
        api.call("PATCH", JOB, "{\"description\": \"x\"}");
        assertThat(api.rows("select hold from live_task")).containsExactly("null");

        setAsideAgain();
        assertThat(api.post(JOB + "/resume", null).status()).isEqualTo(200);
        assertThat(api.rows("select hold from live_task")).containsExactly("null");

        setAsideAgain();
        api.post(JOB + "/pause", null);
        assertThat(api.rows("select hold from live_task")).containsExactly("PAUSE");
        api.post(JOB + "/resume", null);
        assertThat(api.rows("select due_at = fire_time, hold from live_task")).containsExactly("1 null");
    }

    @Test
    void releasing_what_its_job_s_pause_holds_leaves_it_to_the_pause() {
        setAside();
        api.update("update job set paused = true");

        api.post(JOB + "/release", null);

        assertThat(api.rows("select due_at is null, hold from live_task")).containsExactly("1 PAUSE");
    }

    @Test
    void there_is_no_release_of_a_job_that_is_not_there_or_is_another_version() {
        assertThat(api.post(JOB + "/release", null).status()).isEqualTo(404);
        create();
        assertThat(api.call("POST", JOB + "/release", null, "If-Match", "\"7\"").status())
                .isEqualTo(412);
        assertThat(api.post(JOB + "/release", "{\"a\": 1}").status()).isEqualTo(422);
    }

    @Test
    void a_job_of_a_newer_version_is_shown_as_it_is_stored_and_says_that_it_is_not_understood() {
        newer();

        Reply got = api.get(JOB);

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.body().path("tides").asText()).isEqualTo("holidays");
        assertThat(got.body().path("overlap").asText()).isEqualTo("SHUFFLE");
        assertThat(got.body().path("state").asText()).isEqualTo("IDLE");
        assertThat(got.body().path("hold").path("kind").asText()).isEqualTo("NOT_UNDERSTOOD");
        assertThat(got.body().path("hold").path("reason").asText()).contains("tides", "overlap");
        assertThat(api.get("/jobs").body().path("items")).hasSize(1);
    }

    @Test
    void such_a_job_is_run_on_request_by_whoever_understands_it() {
        newer();

        assertThat(api.post(JOB + "/run", null).status()).isEqualTo(202);
        assertThat(api.get(JOB + "/next").status()).isEqualTo(409);
    }

    @Test
    void such_a_job_is_deleted_with_what_is_overdue_of_it() {
        newer();
        api.update("update live_task set fire_time = utc_timestamp(3) - interval 3 day, due_at = fire_time");

        assertThat(api.call("DELETE", JOB, null).status()).isEqualTo(204);
        assertThat(api.rows("select count(*) from live_task")).containsExactly("0");
        assertThat(api.rows("select outcome from task_history")).containsExactly("CANCELLED");
    }

    @Test
    void one_whose_schedule_is_not_understood_is_shown_and_deleted_too() {
        create();
        api.update("update job set definition = json_set(definition, '$.schedule', 'at dawn')");
        api.update("update live_task set fire_time = utc_timestamp(3) - interval 3 day, due_at = fire_time");

        assertThat(api.get(JOB).body().path("schedule").asText()).isEqualTo("at dawn");
        assertThat(api.call("PATCH", JOB, "{\"description\": \"x\"}").status()).isEqualTo(200);
        assertThat(api.call("DELETE", JOB, null).status()).isEqualTo(204);
    }

    @Test
    void a_patch_keeps_what_is_not_understood() {
        newer();

        Reply patched = api.call("PATCH", JOB, "{\"command\": \"false\"}");

        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.text()).contains("SHUFFLE");
        assertThat(api.rows("select json_unquote(json_extract(definition, '$.tides')),"
                        + " json_unquote(json_extract(definition, '$.overlap')),"
                        + " json_unquote(json_extract(definition, '$.command')) from job"))
                .containsExactly("holidays SHUFFLE false");
        assertThat(api.rows("select json_unquote(json_extract(definition, '$.tides')) from job_version where"
                        + " version = 2"))
                .containsExactly("holidays");
    }

    @Test
    void what_was_got_can_be_put_back_with_what_is_not_understood() {
        newer();

        Reply put = api.put(JOB, api.get(JOB).text().replace("\"true\"", "\"false\""));

        assertThat(put.status()).isEqualTo(200);
        assertThat(api.one("select json_unquote(json_extract(definition, '$.tides')) from job"))
                .isEqualTo("holidays");
    }

    @Test
    void it_may_be_paused_but_what_needs_its_fire_times_is_refused_with_the_reason() {
        newer();

        assertThat(api.post(JOB + "/pause", null).status()).isEqualTo(200);
        assertThat(api.rows("select hold from live_task")).containsExactly("PAUSE");
        assertThat(api.one("select json_unquote(json_extract(definition, '$.tides')) from job"))
                .isEqualTo("holidays");
        Reply resumed = api.post(JOB + "/resume", null);
        assertThat(resumed.status()).isEqualTo(409);
        assertThat(resumed.text()).contains("tides", "newer version");
        assertThat(api.call("PATCH", JOB, "{\"schedule\": \"0 4 * * *\"}").status())
                .isEqualTo(409);
        Reply wrong = api.call("PATCH", JOB, "{\"almanac\": 1}");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.fields()).containsExactly("almanac");
    }

    @Test
    void a_patch_that_takes_away_what_is_not_understood_makes_it_an_ordinary_job() {
        newer();

        Reply patched = api.call("PATCH", JOB, "{\"tides\": null, \"overlap\": \"SKIP\"}");

        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.body().path("hold").isNull()).isTrue();
        assertThat(api.post(JOB + "/pause", null).status()).isEqualTo(200);
        assertThat(api.post(JOB + "/resume", null).status()).isEqualTo(200);
    }

    private static void create() {
        assertThat(api.post("/jobs", PLAIN).status()).isEqualTo(201);
    }

    private static void newer() {
        create();
        api.update("update job set definition = json_set(definition, '$.tides', 'holidays', '$.overlap', 'SHUFFLE')");
    }

    private static void setAside() {
        create();
        setAsideAgain();
    }

    private static void setAsideAgain() {
        api.update(
                "update live_task set due_at = null, hold = 'ERROR', hold_reason = 'cannot be prepared: Data too long'");
        api.update("replace into task_aside (task_id, job_id, times, since, look_at)"
                + " select id, job_id, 1, utc_timestamp(3), '2126-01-01' from live_task");
    }
}
