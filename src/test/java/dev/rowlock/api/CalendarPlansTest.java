package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code POST /plan} and {@code POST /apply} of jobs with the calendars that they name. */
@Tag("database")
class CalendarPlansTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String OPEN = "{}";
    private static final String WORKDAYS = "{\"week\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\"]}";

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void forget() {
        api.update("delete from calendar");
        api.update("delete from calendar_version");
    }

    private static String job(String name, String schedule) {
        return "{\"name\": \"" + name + "\", \"schedule\": \"" + schedule
                + "\", \"command\": \"true\", \"calendar\": \"cal\"}";
    }

    private static String body(String calendar, String... jobs) {
        return "{\"calendars\": {\"cal\": " + calendar + "}, \"jobs\": [" + String.join(", ", jobs) + "]}";
    }

    private static JsonNode plan(String body) {
        Reply reply = api.post("/plan", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.body();
    }

    private static Reply apply(String body, JsonNode plan) {
        return api.post("/apply", body, "If-Match", "\"" + plan.path("etag").asText() + "\"");
    }

    private static void done(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
    }

    private static void await(String count) {
        Instant end = Instant.now().plus(LONG);
        while (api.one(count).equals("0")) {
            assertThat(Instant.now()).as(count).isBefore(end);
        }
    }

    @Test
    void jobs_are_made_and_changed_by_the_calendars_that_are_applied_with_them() {
        done(api.post("/apply", body(OPEN, job("was", "0 3 * * *"))));
        String body = body(WORKDAYS, job("was", "0 3 * * *"), job("new", "0 3 * * *"));

        Reply applied = apply(body, plan(body));

        done(applied);
        assertThat(applied.body().at("/calendars/0/action").asText()).isEqualTo("CHANGE");
        assertThat(api.rows("select name, version, json_unquote(json_extract(definition, '$.calendarVersions.cal'))"
                        + " = (select mark from calendar) from job order by name"))
                .as("in one step, so that the version is the next one")
                .containsExactly("new 1 1", "was 2 1");
        assertThat(api.one("select count(*) from calendar where moving")).isEqualTo("0");
        assertThat(apply(body, plan(body)).body().at("/calendars/0/action").asText())
                .isEqualTo("NONE");
    }

    @Test
    void jobs_beside_a_plan_follow_its_calendar_before_it_is_answered() {
        done(api.put("/calendars/cal", OPEN));
        api.post("/jobs", job("beside", "0 3 * * *"));

        done(api.post("/apply", body(WORKDAYS, job("new", "0 3 * * *"))));

        assertThat(api.get("/jobs/default/beside").body().path("version").asInt())
                .isEqualTo(2);
        assertThat(api.one("select count(*) from calendar where moving")).isEqualTo("0");
    }

    @Test
    void a_repeated_request_completes_what_a_lost_one_has_begun() {
        done(api.post("/apply", body(OPEN, job("j", "0 3 * * *"))));
        api.update("update calendar set moving = true");

        done(api.post("/apply", body(OPEN, job("j", "0 3 * * *"))));

        assertThat(api.one("select count(*) from calendar where moving")).isEqualTo("0");
    }

    @Test
    void a_calendar_is_not_put_in_force_unless_the_jobs_of_its_plan_are() throws Exception {
        done(api.post("/apply", body(OPEN, job("j1", "0 3 * * *"))));
        String body = body(WORKDAYS, job("j1", "0 3 * * *"), job("j2", "0 4 * * *"));
        JsonNode plan = plan(body);
        CompletableFuture<Reply> applied;
        try (Connection other = api.testDatabase().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("insert into job (namespace, name, version, definition, paused, created_at, updated_at)"
                    + " values ('default', 'j2', 1, '{}', false, utc_timestamp(3), utc_timestamp(3))");
            applied = CompletableFuture.supplyAsync(() -> apply(body, plan));
            await("select count(*) from information_schema.processlist"
                    + " where db = database() and info like 'insert into job %'");
            other.commit();
        }

        assertThat(applied.join().status()).as(applied.join().text()).isEqualTo(412);
        assertThat(api.rows("select version, moving from calendar")).containsExactly("1 0");
        assertThat(api.one("select count(*) from calendar_version")).isEqualTo("1");
        assertThat(api.rows("select name, version from job order by name")).containsExactly("j1 1", "j2 1");
    }

    @Test
    void a_job_that_another_changes_while_a_calendar_is_put_in_force_is_not_overwritten() throws Exception {
        done(api.post("/apply", body(OPEN, job("j1", "0 3 * * *"))));
        String body = body(WORKDAYS, job("j1", "0 4 * * *"));
        JsonNode plan = plan(body);
        CompletableFuture<Reply> applied;
        try (Connection other = api.testDatabase().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select counter from cluster_lock where name like 'task-%' for update");
            applied = CompletableFuture.supplyAsync(() -> apply(body, plan));
            await("select count(*) from information_schema.processlist"
                    + " where db = database() and info like 'select l.name, l.counter%'");
            statement.execute("update job set version = 7 where name = 'j1'");
            other.commit();
        }

        assertThat(applied.join().status()).as(applied.join().text()).isEqualTo(412);
        assertThat(api.rows("select name, version from job")).containsExactly("j1 7");
        assertThat(api.rows("select version from calendar")).containsExactly("1");
    }

    @Test
    void a_plan_is_another_one_once_its_calendar_was_changed() {
        done(api.post("/apply", body(OPEN, job("j", "0 3 * * *"))));
        String body = body(WORKDAYS, job("j", "0 3 * * *"));
        JsonNode plan = plan(body);
        done(api.put("/calendars/cal", "{\"week\": [\"SUN\"]}"));

        Reply refused = apply(body, plan);

        assertThat(refused.status()).as(refused.text()).isEqualTo(412);
        assertThat(refused.text()).contains("a job or calendar of it was changed since");
    }

    @Test
    void the_etag_of_a_plan_stays_while_time_goes_on() {
        String today = api.one("select utc_date()");
        String tomorrow = api.one("select utc_date() + interval 1 day");
        done(api.post("/apply", body(OPEN, job("j", "* * * * * *"))));
        String body = body(
                "{\"closed\": [{\"date\": {\"from\": \"" + today + "\", \"to\": \"" + tomorrow + "\"}}]}",
                job("j", "* * * * * *"));
        JsonNode first = plan(body);
        long removed = first.at("/calendars/0/removedCount").asLong();
        assertThat(removed).isPositive();

        Instant end = Instant.now().plus(LONG);
        JsonNode later = plan(body);
        while (later.at("/calendars/0/removedCount").asLong() == removed) {
            assertThat(Instant.now()).isBefore(end);
            later = plan(body);
        }

        assertThat(later.path("etag").asText()).isEqualTo(first.path("etag").asText());
        done(apply(body, first));
    }

    @Test
    void a_calendar_that_leaves_jobs_beside_the_plan_without_any_fire_time_needs_force() {
        done(api.put("/calendars/cal", OPEN));
        api.post("/jobs", job("sundays", "0 3 * * SUN"));
        String body = body(WORKDAYS, job("new", "0 3 * * *"));

        for (String path : new String[] {"/plan", "/apply"}) {
            Reply refused = api.post(path, body);
            assertThat(refused.status()).as(refused.text()).isEqualTo(422);
            assertThat(refused.fields()).containsExactly("calendars.cal");
            assertThat(refused.text()).contains("leaves 1 job without any fire time: default/sundays", "force=true");
        }
        assertThat(api.rows("select name from job")).containsExactly("sundays");

        done(api.post("/plan?force=true", body));
        done(api.post("/apply?force=true", body));
        assertThat(api.get("/jobs/default/sundays").body().path("nextFireTime").isNull())
                .isTrue();
    }

    @Test
    void a_job_of_the_plan_that_its_calendar_leaves_without_any_fire_time_needs_force() {
        String body = body(WORKDAYS, job("a", "0 3 * * *"), job("sundays", "0 3 * * SUN"));

        Reply refused = api.post("/apply", body);

        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.fields()).containsExactly("jobs[1].calendar");
        assertThat(refused.text()).contains("leaves no fire time within 40 years", "force=true");
        assertThat(api.one("select count(*) from calendar")).isEqualTo("0");
        done(api.post("/apply?force=true", body));
        assertThat(api.one("select count(*) from job")).isEqualTo("2");
    }

    @Test
    void a_job_that_the_plan_itself_moves_to_open_days_needs_no_force() {
        done(api.post("/apply", body(OPEN, job("j", "0 3 * * SUN"))));

        done(api.post("/apply", body(WORKDAYS, job("j", "0 3 * * MON"))));
    }

    @Test
    void a_token_of_some_namespaces_may_name_calendars_as_they_are_and_change_none() {
        done(api.post("/apply", body(WORKDAYS, job("j", "0 3 * * *"))));
        String token = api.token("limited", "editor", "default");

        done(api.as(token, "POST", "/apply", body(WORKDAYS, job("j", "0 4 * * *"))));
        Reply refused = api.as(token, "POST", "/apply", body(OPEN, job("j", "0 5 * * *")));

        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.fields()).containsExactly("calendars.cal");
        assertThat(refused.text()).contains("to change it needs a token without namespaces; leave it out");
        assertThat(api.get("/jobs/default/j").body().path("schedule").asText()).isEqualTo("0 4 * * *");
    }
}
